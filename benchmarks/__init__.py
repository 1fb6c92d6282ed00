"""Measurements: what multiloop costs, counted and timed. `make bench` runs them all.

They measure the mechanisms of the tests, whose folder is put on the path here.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
