"""How solid links are deformed over time: nodes, stress, and files for other programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from multiloop.flexible.solids.deformed_mesh import DeformedMesh
from multiloop.model import Fault, SolveError
from multiloop.model.brief import brief
from multiloop.model.names import counted
from multiloop.model.solid import CHORD, Solid
from multiloop.questions.answers.link_peaks import Peak
from multiloop.questions.answers.link_truncation import looked_instants
from multiloop.questions.answers.links import FROM, LinkHistory
from multiloop.questions.answers.relative_deflection import mesh_deflection

NO_LINE = "it is a solid, and has no line along which to ask."
NO_LINE_REMEDY = "Ask its nodes: .deflection(nodes), .position(nodes), .stress(nodes)."


@dataclass(frozen=True, eq=False)
class SolidHistory(LinkHistory):
    """One solid link over time, `eta` with its rates as for any link that bends, and its mesh.

    `nodes` are numbers of nodes, whose places undeformed, in the link's own frame, are `points`; all where they are
    left out. `times` are seconds, of which the nearest instants are taken; all where they are left out.
    """

    mesh: DeformedMesh | None = field(default=None, repr=False)
    time: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)

    @property
    def points(self) -> np.ndarray:
        """Its nodes undeformed, in its own frame, n × 3."""
        return self._mesh.points

    def deflection(self, nodes: Any = None) -> np.ndarray:
        """How far nodes are from where they were, along its own axes (m), instants × nodes × 3."""
        chosen, shape = self._nodes(nodes)
        found: np.ndarray = self._mesh.displacement(self.eta, chosen).reshape(-1, *shape, 3)
        return found

    def position(self, nodes: Any = None) -> np.ndarray:
        """Where nodes are, in the inertial frame (m), instants × nodes × 3."""
        chosen, shape = self._nodes(nodes)
        local = self.points[chosen] + self._mesh.displacement(self.eta, chosen)
        return self._placed(local, slice(None)).reshape(-1, *shape, 3)

    def stress(self, nodes: Any = None, *, times: Any = None) -> np.ndarray:
        """Von Mises's stress of nodes (Pa), the mean of the elements around each, instants × nodes."""
        chosen, shape = self._nodes(nodes)
        found: np.ndarray = self._mesh.stress(self.eta[self._instants(times)])[:, chosen].reshape(-1, *shape)
        return found

    def write(self, path: str | Path, *, times: Any = None, scale: float = 1.0) -> list[Path]:
        """Write the deformed mesh to .vtu files, one an instant, and a .pvd that lists them with their times.

        Nodes are in the inertial frame, deflections `scale` times as large; fields are `displacement` (along the
        link's own axes, as it is) and `von Mises stress`. ParaView opens the .pvd.
        """
        path, found, listed = Path(path), [], []
        path.parent.mkdir(parents=True, exist_ok=True)
        for number, k in enumerate(self._instants(times)):
            moved = self._mesh.displacement(self.eta[[k]])
            places = self._placed(self.points + scale * moved, slice(k, k + 1))[0]
            fields = {"displacement": moved[0], "von Mises stress": self._mesh.stress(self.eta[[k]])[0]}
            file = path.with_name(f"{path.stem}_{number:04d}.vtu")
            self._mesh.as_meshio(places, **fields).write(file)
            found.append(file)
            listed.append(f'<DataSet timestep="{float(self.time[k])!r}" file="{file.name}"/>')
        collection = path.with_name(f"{path.stem}.pvd")
        body = "\n".join(listed)
        collection.write_text(
            f'<VTKFile type="Collection" version="0.1">\n<Collection>\n{body}\n</Collection>\n</VTKFile>\n'
        )
        return [*found, collection]

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """The largest deflection of its nodes, and the largest stress that is met at some of the instants."""
        if not len(self.eta):
            return ()
        moved = np.linalg.norm(self.deflection(), axis=-1)
        kept = looked_instants(moved.max(axis=1))
        stress = self._mesh.stress(self.eta[kept])
        (k, far), (j, high) = (np.unravel_index(x.argmax(), x.shape) for x in (moved, stress))
        return (
            Peak("deflection", float(moved[k, far]), "m", int(far), int(k)),
            Peak("stress", float(stress[j, high]), "Pa", int(high), int(kept[j])),
        )

    def largest(self, what: str) -> np.ndarray:
        """The largest "deflection" or "stress" of its nodes at every instant."""
        if what == "deflection":
            return np.asarray(np.linalg.norm(self.deflection(), axis=-1).max(axis=1))
        if what == "stress":
            return np.asarray(self.stress().max(axis=1))
        raise self._refused(NO_LINE, NO_LINE_REMEDY)

    @property
    def largest_deflection(self) -> float:
        """Of all instants and some nodes, relative to the diagonal of the box around it."""
        return float(mesh_deflection(self._mesh, self.eta).max(initial=0.0))

    def __repr__(self) -> str:
        far, solid = self.largest_deflection, self._mesh.solid
        second = "shapes of second order stiffen it" if solid.stiffening else "without shapes of second order"
        bends = f"deflects up to {far * self._mesh.size:.3g} m from {_frame_in_words(solid)}"
        return (
            f"Link '{self.name}' over {counted(len(self.eta), 'instant')}: a solid of {len(self.points)} nodes, "
            f"{bends}, {far:.2g} of its size; {second}."
        )

    # inside ---------------------------------------------------------------------------------------------------

    @property
    def _more(self) -> tuple[str, ...]:
        return ("time",)

    @property
    def _mesh(self) -> DeformedMesh:
        assert self.mesh is not None
        return self.mesh

    def _placed(self, local: np.ndarray, kept: slice) -> np.ndarray:
        assert self.poses is not None
        poses = self.poses[kept]
        found: np.ndarray = np.einsum("tij,tnj->tni", poses[:, :, :3], local) + poses[:, None, :, 3]
        return found

    def _nodes(self, nodes: Any) -> tuple[np.ndarray, tuple[int, ...]]:
        """Numbers of nodes, and how answers are shaped: of one number without the nodes."""
        if nodes is None:
            nodes = np.arange(len(self.points))
        found, count = np.asarray(nodes), len(self.points)
        if found.dtype.kind == "f":
            raise self._refused(NO_LINE, NO_LINE_REMEDY)
        if found.dtype.kind not in "iu" or found.ndim > 1 or (found < 0).any() or (found >= count).any():
            raise self._refused(f"nodes of it are {brief(nodes)}.", f"Give numbers from 0 to {count - 1}.")
        return np.atleast_1d(found), found.shape

    def _instants(self, times: Any) -> np.ndarray:
        if times is None:
            return np.arange(len(self.time))
        try:
            found = np.atleast_1d(np.asarray(times, float))
        except (TypeError, ValueError):
            found = np.array([np.nan])
        low, high = self.time[0], self.time[-1]
        slack = 1e-9 * max(abs(low), abs(high))
        if found.ndim > 1 or not ((found >= low - slack) & (found <= high + slack)).all():
            raise self._refused(f"times are {brief(times)}.", f"Give seconds from {low:g} to {high:g}.")
        nearest: np.ndarray = np.abs(self.time[None] - found[:, None]).argmin(axis=1)
        return nearest

    def _places(self, s: Any) -> Any:
        raise self._refused(NO_LINE, NO_LINE_REMEDY)

    def _refused(self, what: str, remedy: str) -> SolveError:
        return SolveError(
            f"mechanism '{self.mechanism}'", [Fault("R08", f"link '{self.name}'", what, remedy)]
        )


def _frame_in_words(solid: Solid) -> str:
    """What its deflections are measured from."""
    return FROM["chord"] if solid.clamped_to == CHORD else f"its frame at '{solid.clamped_to}'"
