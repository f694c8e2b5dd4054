"""The built wheel carries its data and works outside the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            str(folder),
            str(ROOT),
        ],
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("gunbai-*.whl")
    return built


def test_the_wheel_has_every_data_file(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("bot/")}
    for folder in ("policy_data", "locales"):
        for file in (ROOT / folder).rglob("*"):
            if file.is_file():
                assert f"bot/{file.relative_to(ROOT)}" in inside


def test_the_installed_wheel_answers_outside_the_checkout(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--target",
            str(site),
            str(wheel),
        ],
        check=True,
        capture_output=True,
    )
    code = "import sys, bot.__main__ as m; print(m.__file__); sys.exit(m.main(['ask', 'fab 3.1']))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(site), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(site))
    assert "Penalty: Intellect Penalty (IP2)" in done.stdout
    assert (site / "bin" / "gunbai").exists()
