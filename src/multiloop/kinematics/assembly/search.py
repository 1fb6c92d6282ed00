"""Search for closed positions along one tree, from the guess and from random starts.

Theory: docs/theory/02-kinematics.md, eq. (2.16).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from multiloop.kinematics.assembly.guess import JITTER, Guess, GuessDistance
from multiloop.kinematics.assembly.newton import SPARSE_FROM_RATES, LoopClosure, close_loops
from multiloop.kinematics.assembly.requests import Request, held_elastic_coordinates, values_of
from multiloop.kinematics.assembly.separate_bodies import SeparateBodies, SeparatePosition
from multiloop.kinematics.conditioning import linearise_rows, position_degrees_of_freedom, rate_rows
from multiloop.kinematics.constraints import Target, target_lengths
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.joint_coordinates import body_poses, joint_coordinates, mirrored_cut
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import ETA, Mechanism
from multiloop.model.joints import nearest_angle
from multiloop.topology import tree_of

MAX_STARTS = 60
"""Largest number of random starts in a search for all assembly modes."""

GUESSED_STARTS = 6
"""Number of starts at which guessed coordinates have their guessed values and the others are random; at later starts
all coordinates are random."""

NEARBY_SCATTER = (4, 4, 8, 8, 16)
"""Number of coordinates that are set to random values at each start near a closed position of a large mechanism.

If all coordinates of a large mechanism were random, few starts would lead to a closed position.
"""

HELD_TOLERANCE = 1e-6
"""Largest permitted deviation of a cut joint from its prescribed value, in radians or characteristic lengths."""


class AssemblySearch:
    """Search for closed positions along a tree, with prescribed values (`held`), the user's guesses (`guessed`) and
    default guesses (`usual`).

    The coordinates of held joints, which are the joints with prescribed values, should be coordinates of the tree.

    In the tree of the dynamics, which contains the joints with loads, a held joint may be cut. Its prescribed value is
    then only compared with the position that the other prescribed values determine. If these other values do not
    determine the position (`needs_held_cut_joint`), a tree is used that contains the joints `keeping` instead of the
    joints with loads.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        held: tuple[Request, ...],
        guessed: tuple[Request, ...],
        usual: tuple[Request, ...],
        t: float = 0.0,
        keeping: tuple[str, ...] | None = None,
    ) -> None:
        self.mechanism, self.p, self.t = mechanism, np.array(list(mechanism.parameters.values())), t
        tree = tree_of(mechanism, prefer=held_joints(held), keep=keeping)
        in_tree = {branch.joint for branch in tree.branches}
        in_tree |= {f"{body.name}.{ETA}" for body in mechanism.all_bodies if body.elastic}
        self.held = tuple(r for r in held if r.target.on_marker or r.target.of in in_tree)
        self.held_cut_joints = tuple(r for r in held if r not in self.held)
        self.equations = equations_of(mechanism, tree, tuple(r.target for r in self.held))
        self.s = np.concatenate([self.equations.time_values(t), values_of(self.held)])
        self.guess = Guess(
            SeparateBodies(mechanism, held_elastic_coordinates(mechanism, held)), held, guessed, usual
        )

    def starts(self) -> Iterator[np.ndarray]:
        """Start coordinates, first from the guess, then random; the sequence is the same in every search."""
        for q in self._unprepared_starts():
            yield self._turn_rotors(q)

    def _unprepared_starts(self) -> Iterator[np.ndarray]:
        """The start coordinates, before the rotors of motors are turned to the angles that follow from their joints."""
        scatter = np.random.default_rng(20070416)
        if self.guess.guess_targets:
            yield self._start_from_guess(None)
            for _ in range(0 if self.guess.places_all_bodies else GUESSED_STARTS):
                yield self._start_from_guess(scatter)
        rates, scale = self.equations.skeleton.rates, self.equations.chart.rate_units
        yield self._start_from_neutral(JITTER * np.sin(1.0 + np.arange(rates)) * scale)
        for _ in range(MAX_STARTS):
            yield self._start_from_neutral(scatter.uniform(-np.pi, np.pi, rates) * scale)

    @property
    def is_large(self) -> bool:
        """Whether the mechanism is so large that only a few starts are tried."""
        return self.equations.skeleton.rates > SPARSE_FROM_RATES

    def starts_near(self, q: np.ndarray) -> Iterator[np.ndarray]:
        """Start coordinates near q, for finding assembly modes that differ from the position q in only one or two
        loops."""
        scatter, skeleton = np.random.default_rng(20070416), self.equations.skeleton
        if self.guess.guess_targets:
            yield self._start_from_guess(scatter)
        for count in NEARBY_SCATTER:
            step = np.zeros(skeleton.rates)
            step[scatter.choice(skeleton.rates, count, replace=False)] = scatter.uniform(-np.pi, np.pi, count)
            yield self._set_held_values(
                self.equations.chart.apply_step(q, step * self.equations.chart.rate_units)
            )

    def _start_from_guess(self, scatter: np.random.Generator | None) -> np.ndarray:
        """Tree coordinates of the position that is fitted to the guess; with `scatter` unspecified coordinates are
        random."""
        return self._tree_coordinates(self.guess.fitted_position(scatter))

    def _tree_coordinates(self, at: SeparatePosition) -> np.ndarray:
        """Tree coordinates of a position of the separate bodies; elastic coordinates have their neutral or prescribed
        values."""
        parts = self.guess.parts
        q = self._start_from_neutral(np.zeros(self.equations.skeleton.rates))
        for link in self.equations.skeleton.links:
            q[link.q] = at.q[parts.q_places[parts.joint_index[link.joint.name]]]
        return q

    def _start_from_neutral(self, step: np.ndarray) -> np.ndarray:
        """Start coordinates that differ from the neutral position by a step; prescribed coordinates have their
        prescribed values."""
        return self._set_held_values(
            self.equations.chart.apply_step(self.equations.skeleton.neutral_position, step)
        )

    def _turn_rotors(self, q: np.ndarray) -> np.ndarray:
        """A copy of q in which the rotors of motors have the angles that follow from their joints.

        The relation of a rotor is linear, with the coefficient 1 of its angle.
        """
        rotors = {rotor.gearbox.name: rotor.joint.name for rotor in self.mechanism.rotors}
        if not rotors:
            return q
        q, loops = q.copy(), self.equations.loop_constraints
        residual = self.equations.position_residual(q, self.s, self.p)
        for constraint, place in zip(loops.constraints, loops.position_slices, strict=True):
            if constraint.name in rotors:
                own = self.equations.skeleton.coordinates[rotors[constraint.name]].q
                q[own] -= residual[place]
        return q

    def _set_held_values(self, q: np.ndarray) -> np.ndarray:
        """A copy of q in which prescribed coordinates have their prescribed values."""
        skeleton, q = self.equations.skeleton, q.copy()
        for request in self.held:
            if request.target.on_marker:
                continue
            own = skeleton.coordinates[request.target.of]
            for component, values in request.by_component():
                if component == "turn":
                    q[own.q.stop - 4 : own.q.stop] = values
                else:
                    q[own.q.start + own.names.index(component)] = values[0]
        return q

    def close_from(self, q: np.ndarray) -> LoopClosure:
        """Close the loops by Newton's method from tree coordinates q.

        If a cut joint closes with an inverted axis, the loops are closed again from the nearest position in which no
        joint is inverted.
        """
        closing = self._close_from(q)
        if closing.inverted:
            again = self._close_from(self._fit_bodies(closing.q))
            closing = again if again.closed else closing
        return closing

    def _fit_bodies(self, q: np.ndarray) -> np.ndarray:
        """Tree coordinates after all joints have been fitted, starting from the body poses at q; prescribed values do
        not change.

        The residuals of the fit contain the whole rotation vector of a joint, so that they do not vanish for a rotation
        by half a turn, as the constraint equations of a cut joint may.
        """
        poses = body_poses(self.equations, q, self.p)
        return self._tree_coordinates(
            self.guess.fit_to_poses(np.array([poses[name] for name in self.guess.parts.bodies]))
        )

    def _close_from(self, q: np.ndarray) -> LoopClosure:
        closing = close_loops(self.equations, q, self.s, self.p)
        cut = mirrored_cut(self.equations, closing.q, self.p) if closing.closed else None
        if cut is not None:
            return replace(closing, gap=np.pi, inverted=cut.name)
        unwound = self._on_nearest_turns(closing.q)
        # after removal of whole turns, constraints that count turns must be satisfied again
        if closing.closed and self._opens_after_turns(unwound):
            return close_loops(self.equations, unwound, self.s, self.p)
        return self._snap_to_guess(replace(closing, q=unwound))

    def _snap_to_guess(self, closing: LoopClosure) -> LoopClosure:
        """Set coordinates to their guessed values where the difference is within the uncertainty of Newton's method,
        and close the loops again.

        At a singular configuration the error of the coordinates is of the order of the square root of the closure
        tolerance. A step along the directions in which the constraint residuals vanish to first order leads to the
        guessed values, so that a mechanism guessed in a singular configuration is assembled in that configuration from
        every start.
        """
        if not closing.closed or self.guess.places_all_bodies or self.is_large:
            return closing
        within = float(np.sqrt(closing.tolerance))
        places, missing = self._coordinates_near_guess(closing.q, within)
        if not np.any(missing):
            return closing
        linear = linearise_rows(self.equations, closing.q, self.s, self.p, placed=True)
        regular = int(np.count_nonzero(linear.sigma > within * linear.sigma.max(initial=0.0)))
        singular = self.equations.chart.rate_units[:, None] * linear.Vt[regular:].T
        step = singular @ np.linalg.lstsq(singular[places], missing, rcond=within)[0]
        again = close_loops(self.equations, self.equations.chart.apply_step(closing.q, step), self.s, self.p)
        return again if again.closed else closing

    def _coordinates_near_guess(self, q: np.ndarray, within: float) -> tuple[list[int], np.ndarray]:
        """Indices, in the vector of joint rates, of the scalar coordinates that differ from their guess by at most
        `within`, and these differences."""
        places, missing = [], []
        for link in self.equations.skeleton.links:
            known = self.guess.known_rates[
                self.guess.parts.v_places[self.guess.parts.joint_index[link.joint.name]]
            ]
            if link.q.stop - link.q.start != len(known):  # a quaternion has one entry more than rates
                continue
            names = link.joint.components(self.mechanism.planar)
            for offset, (name, is_known) in enumerate(zip(names, known, strict=True)):
                unit = self.equations.skeleton.characteristic_length if name in LENGTH_COMPONENTS else 1.0
                lack = self.guess.coordinates[link.joint.name][offset] - q[link.q.start + offset]
                if is_known and abs(lack) <= within * unit:
                    places.append(link.v.start + offset)
                    missing.append(lack)
        return places, np.array(missing)

    def _opens_after_turns(self, q: np.ndarray) -> bool:
        """Whether constraints that count turns are violated at q, after angles have been changed by whole turns."""
        if not any(cut.cut.joint.counts_turns(self.mechanism.planar) for cut in self.equations.cut_joints):
            return False
        rows = self.equations.row_scale * self.equations.position_residual(q, self.s, self.p)
        return bool(np.abs(rows).max(initial=0.0) > self.equations.chart.closure_tolerance_at(q))

    def _on_nearest_turns(self, q: np.ndarray) -> np.ndarray:
        """A copy of q in which each angle is changed by whole turns so that it is nearest to its guess, or within ±π
        without a guess.

        Prescribed angles, angles of screws, and angles that enter couplings are unchanged, since their whole turns
        matter. The rotor of a motor follows its joint.
        """
        skeleton, q, near = self.equations.skeleton, q.copy(), self.guess.coordinates
        held = {request.target.of for request in self.held}
        rotors = {rotor.gearbox.name: rotor.joint.name for rotor in self.mechanism.rotors}
        held |= {
            joint
            for name, joints in self.mechanism.tied_joints.items()
            for joint in ((rotors[name],) if name in rotors else joints)
        }
        for link in skeleton.links:
            if link.joint.name in held or link.joint.must_stay:
                continue
            for offset, turns in enumerate(link.joint.turning(skeleton.planar)):
                if turns:
                    place = link.q.start + offset
                    q[place] = nearest_angle(q[place], near[link.joint.name][offset])
        return self._turn_rotors(q)

    def whole_turns(self, q: np.ndarray) -> int:
        """Number of whole turns, summed over all joints, by which the angles in q differ from their guessed values;
        angles without a guess are compared with zero."""
        skeleton, near = self.equations.skeleton, self.guess.coordinates
        return sum(
            abs(round(float(q[link.q.start + offset] - near[link.joint.name][offset]) / (2 * np.pi)))
            for link in skeleton.links
            for offset, turns in enumerate(link.joint.turning(skeleton.planar))
            if turns
        )

    def contradicted_request(self, q: np.ndarray) -> tuple[Request, np.ndarray] | None:
        """The first cut joint whose coordinates at q deviate from their prescribed values, as its request with the
        coordinates at q; None if no cut joint deviates."""
        if not self.held_cut_joints:
            return None
        found = joint_coordinates(
            self.equations, q, self.p, {r.target.of: np.array(r.values) for r in self.held_cut_joints}
        )
        for request in self.held_cut_joints:
            if self._deviation(request, found[request.target.of]) > HELD_TOLERANCE:
                return request, found[request.target.of]
        return None

    def needs_held_cut_joint(self, q: np.ndarray) -> bool:
        """Whether the prescribed value of a joint that is cut in this tree would remove a degree of freedom that
        remains at q."""
        if not self.held_cut_joints or not position_degrees_of_freedom(self.equations, q, self.s, self.p):
            return False
        free = linearise_rows(self.equations, q, self.s, self.p, placed=True).null_space()
        targets = [_rate_target(request.target) for request in self.held_cut_joints]
        rows = rate_rows(self.equations, q, self.p, targets) @ free
        unit = np.concatenate(
            [np.where(target_lengths(target), self.guess.parts.length, 1.0) for target in targets]
        )
        return bool(np.abs(rows / unit[:, None]).max(initial=0.0) > HELD_TOLERANCE)

    def _deviation(self, request: Request, q: np.ndarray) -> float:
        """Largest deviation of the coordinates q of a joint from their requested values, in radians or characteristic
        lengths.

        Quaternions of opposite sign count as equal.
        """
        names = self.mechanism.joint(request.target.of).components(self.mechanism.planar)
        worst = 0.0
        for component, values in request.by_component():
            if component == "turn":
                worst = max(worst, float(np.sqrt(max(0.0, 8 * (1 - abs(np.dot(q[-4:], values)))))))
            else:
                unit = (
                    self.equations.skeleton.characteristic_length if component in LENGTH_COMPONENTS else 1.0
                )
                worst = max(worst, abs(float(q[names.index(component)]) - values[0]) / unit)
        return worst

    def guess_distance(self, closing: LoopClosure) -> GuessDistance:
        """Distance of a closed position from the guess."""
        if not self.guess.guess_targets:
            return GuessDistance()
        poses = body_poses(self.equations, closing.q, self.p)
        return self.guess.distance(np.array([poses[name] for name in self.guess.parts.bodies]))


def held_joints(held: tuple[Request, ...]) -> tuple[str, ...]:
    """Names of the joints among the targets with prescribed values."""
    return tuple(r.target.of for r in held if "." not in r.target.of)


def _rate_target(target: Target) -> Target:
    """The target for the rates of the coordinates in a target of positions; an orientation is replaced by the three
    components of the angular velocity."""
    axes = ("turn_x", "turn_y", "turn_z")
    return Target(target.of, tuple(n for c in target.components for n in (axes if c == "turn" else (c,))))
