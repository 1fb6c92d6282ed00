"""Optional dependencies are installed under the name of this distribution, not under that of another project."""

import re
import subprocess
import tomllib
from pathlib import Path

from multiloop.dependencies import DISTRIBUTION, install_command

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_distribution_has_its_own_name():
    assert PROJECT["name"] == DISTRIBUTION == "multiloop-dynamics"
    assert install_command("film") == '`pip install "multiloop-dynamics[film]"`'


def test_no_text_names_another_projects_package():
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    texts = [ROOT / name for name in tracked.stdout.split("\0") if name.endswith((".py", ".md", ".toml"))]
    assert len(texts) > 500
    wrong = [
        path.name
        for path in texts
        if re.search(r"pip install \"?multiloop(?!-dynamics)\b", path.read_text("utf-8"))
    ]
    assert wrong == []


def test_every_extra_that_a_message_names_exists():
    named = set()
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        named |= set(re.findall(r"install_command\(['\"](\w+)['\"]\)", text))
        named |= set(re.findall(r"multiloop-dynamics\[(\w+)\]", text))
    assert {"film", "gpu", "compiler", "flexible"} <= named <= set(PROJECT["optional-dependencies"])
