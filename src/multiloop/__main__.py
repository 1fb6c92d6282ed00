"""`python -m multiloop` runs the command line, also if its script is not on the search path."""

from __future__ import annotations

from multiloop.cli import main

if __name__ == "__main__":
    main()
