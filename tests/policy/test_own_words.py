"""The rule data states the documents' facts in its own words."""

import subprocess
import sys
from pathlib import Path

from bot import resources


def test_no_long_run_of_the_official_wording_is_repeated(shared: Path) -> None:
    tool = shared / "tools" / "overlap.py"
    done = subprocess.run(
        [sys.executable, str(tool), str(resources.folder("policy_data"))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
