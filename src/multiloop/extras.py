"""The command that installs an optional dependency.

The name `multiloop` on the public package index belongs to another project: this distribution is called
`multiloop-dynamics`, while the import name is `multiloop`.
"""

from __future__ import annotations

DISTRIBUTION = "multiloop-dynamics"


def install_command(extra: str) -> str:
    """The command that installs the extra of this name, for messages."""
    return f'`pip install "{DISTRIBUTION}[{extra}]"`'
