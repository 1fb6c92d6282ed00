"""How is a film written so that there is a whole file or none?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from multiloop.io.refusals import writing


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A file beside the one that is meant, which takes its place at the end; interrupted, it is taken away."""
    with writing(path):
        handle, name = tempfile.mkstemp(prefix=".film-", suffix=path.suffix, dir=path.parent)
        os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        with writing(path):
            unfinished.chmod(0o666 & ~_mask())
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _mask() -> int:
    """The permissions that new files do not get here."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
