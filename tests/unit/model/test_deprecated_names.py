"""Methods that user-defined types override are accepted under their earlier names, with a warning."""

from dataclasses import dataclass

import casadi as ca
import pytest

import multiloop as ml


def test_a_constraint_written_for_version_0_1_still_works() -> None:
    with pytest.warns(DeprecationWarning, match="'freedoms' is called 'degrees_of_freedom' now"):

        @dataclass(frozen=True)
        class OnLine(ml.Pair):
            """The second marker moves along the first marker's x axis."""

            planar_too = True

            def freedoms(self, planar: bool) -> int:
                return 2 if planar else 5

            def wrenches(self, pose, planar):
                return ca.DM([0, 0, 0, 0, 1, 0])

            def wrench_names(self, planar):
                return ("force along y",)

            def closure(self, pose, planar):
                return pose.p[1]

    assert OnLine("guide", "ground.A", "rod.a").degrees_of_freedom(True) == 2
