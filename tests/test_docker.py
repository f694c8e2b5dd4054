"""The image and the Compose files, as far as they can be tested without a container engine."""

import json
import os
import re
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import bot
from bot.config import ELSEWHERE, Settings
from tests.conftest import ROOT
from tests.dockerfile import Sandbox, Stage, ignored, parse

RULES: Final = (ROOT / ".dockerignore").read_text(encoding="utf-8")
DOCKERFILE: Final = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STAGES: Final = parse(DOCKERFILE)
BUILDER: Final = next(stage for stage in STAGES if stage.name == "builder")
IMAGE: Final = STAGES[-1]
COMPOSE: Final = sorted(ROOT.glob("compose*.yaml"))
TEXTS: Final = [
    ROOT / "Dockerfile",
    ROOT / ".env.example",
    ROOT / "PRIVACY.md",
    *COMPOSE,
    *sorted((ROOT / "docs").glob("hosting*.md")),
]
OTHERS: Final = {
    "COMPOSE_FILE",
    "COMPOSE_PROFILES",
    "POSTGRES_DB",
    "POSTGRES_PASSWORD",
    "POSTGRES_USER",
}
"""Settings of Compose and PostgreSQL, not of the bot."""
VARIABLE: Final = re.compile(r"\$\{(\w+)(?::[-?]([^}]*))?\}")


# ---- The Dockerfile, read ----


def test_hadolint_finds_nothing() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    done = subprocess.run(
        [hadolint, "--no-color", ROOT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_whatever_hadolint_is_told_to_ignore_is_explained() -> None:
    for line in DOCKERFILE.splitlines():
        if "hadolint" in line:
            assert re.search(r"hadolint ignore=[\w,]+\s+# \w+", line), line
    assert not list(ROOT.glob(".hadolint*"))


def test_the_base_is_pinned_to_a_version_that_the_program_allows() -> None:
    outside = {stage.base for stage in STAGES} - {stage.name for stage in STAGES}
    (base,) = outside
    version = re.fullmatch(r"python:(\d)\.(\d+)(?:\.\d+)?-slim-[a-z]+", base)
    assert version
    assert (int(version[1]), int(version[2])) >= (3, 11)


def test_the_image_runs_as_a_fixed_user_without_rights() -> None:
    uid, gid = IMAGE.last("USER").split(":")
    assert int(uid) > 0
    assert int(gid) > 0
    words = [one.word for one in IMAGE.instructions]
    assert "RUN" not in words[words.index("USER") :]
    (setup,) = IMAGE.all("RUN")
    assert f"--uid {uid}" in setup
    assert f"--gid {gid}" in setup
    assert "/nologin" in setup


def test_the_image_has_no_tools_to_build_with() -> None:
    assert not re.search(r"\b(apt|apt-get|gcc|make|curl|git|pip3? install)\b", _runs(IMAGE))
    assert "uninstall --yes --root-user-action ignore pip" in _runs(IMAGE)
    # Nothing but the finished environment comes from outside the base.
    assert IMAGE.all("COPY") == ["--from=builder /opt/gunbai /opt/gunbai"]
    assert not IMAGE.all("ADD")


def _runs(stage: Stage) -> str:
    return "\n".join(stage.all("RUN"))


def test_the_image_says_how_to_run_stop_and_watch_it() -> None:
    assert json.loads(IMAGE.last("ENTRYPOINT")) + json.loads(IMAGE.last("CMD")) == ["gunbai", "run"]
    assert IMAGE.last("STOPSIGNAL") == "SIGTERM"
    assert IMAGE.last("HEALTHCHECK").endswith('CMD ["gunbai", "health"]')
    assert not IMAGE.all("EXPOSE")


def test_the_image_writes_to_its_volume_alone() -> None:
    volume = IMAGE.last("VOLUME")
    environment = IMAGE.environment
    assert environment["PYTHONDONTWRITEBYTECODE"] == "1"
    assert environment["GUNBAI_DATABASE"].startswith(f"sqlite:///{volume}/")
    assert environment["GUNBAI_CACHE"].startswith(f"{volume}/")


def test_the_labels_tell_the_truth() -> None:
    project = _project()["project"]
    start = "org.opencontainers.image."
    assert IMAGE.labels[start + "version"] == project["version"] == bot.__version__
    assert IMAGE.labels[start + "description"] == project["description"]
    assert IMAGE.labels[start + "licenses"] == project["license"]


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        ".git/config",
        ".venv/bin/python",
        "bot/__pycache__/text.cpython-313.pyc",
        "bot/store/__pycache__/store.cpython-313.pyc",
        "secrets/discord_token",
        "tests/test_docker.py",
    ],
)
def test_what_does_not_belong_in_an_image_is_not_sent_to_the_build(path: str) -> None:
    assert ignored(PurePosixPath(path), RULES)


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("requirements.txt", ["dependencies", "meaning"]),
        ("requirements-wheel.txt", ["wheel"]),
    ],
)
def test_the_pins_are_current_and_those_of_the_tests(file: str, wanted: list[str]) -> None:
    pins = _pins(file)
    assert pins.items() <= _pins("requirements-dev.txt").items(), "run: make requirements"
    project = _project()
    groups = {
        "dependencies": project["project"]["dependencies"],
        **project["project"]["optional-dependencies"],
        **project["dependency-groups"],
    }
    for name in wanted:
        for line in groups[name]:
            requirement = Requirement(line)
            versions = pins[canonicalize_name(requirement.name)]
            assert all(requirement.specifier.contains(version) for version in versions), line


def _pins(file: str) -> dict[str, tuple[str, ...]]:
    """The versions of each package; there are several where they differ by Python."""
    found: dict[str, tuple[str, ...]] = {}
    text = (ROOT / file).read_text(encoding="utf-8")
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE):
        found[name] = (*found.get(name, ()), version)
    return found


# ---- The Dockerfile, carried out ----


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """What the image holds, built in a folder by the Dockerfile's own steps."""
    folder = tmp_path_factory.mktemp("image")
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(Path(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}"))
    passed = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("PIP_", "SSL_")) or name.lower().endswith("_proxy") or name == "HOME"
    }
    environment = passed | {"PATH": f"{python.parent}:/usr/bin:/bin"}
    _need_the_index(folder, environment)
    sandbox = Sandbox(folder / "root", ROOT, RULES, environment)
    sandbox.build(BUILDER, runs=True)
    sandbox.finish(BUILDER)
    # The last stage's RUN makes the user and changes the base's own Python; it is read above.
    sandbox.build(IMAGE, runs=False)
    sandbox.inside("/data").mkdir(exist_ok=True)
    _allow_writing(sandbox.inside("/opt"), allowed=False)
    yield sandbox
    _allow_writing(sandbox.inside("/opt"), allowed=True)


def _need_the_index(folder: Path, environment: dict[str, str]) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--retries", "0"]
    line = re.search(r"^pluggy==\S+", (ROOT / "requirements-wheel.txt").read_text(), re.MULTILINE)
    assert line
    done = subprocess.run(
        [*pip, "--no-cache-dir", "--dest", str(folder / "probe"), line[0]],
        env=environment,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("the package index cannot be reached, so the image's steps cannot be tried")


def _allow_writing(folder: Path, *, allowed: bool) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            path.chmod(mode | stat.S_IWUSR if allowed else mode & ~0o222)


def _run(image: Sandbox, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the image's program with the image's environment and nothing else."""
    environment = {name: image.rewrite(value) for name, value in IMAGE.environment.items()}
    environment |= {"HOME": str(image.inside("/data"))} | more
    (program,) = json.loads(IMAGE.last("ENTRYPOINT"))
    return subprocess.run(
        [image.inside("/opt/gunbai/bin") / program, *arguments],
        cwd=image.inside(IMAGE.last("WORKDIR")),
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


@pytest.mark.slow
def test_the_image_answers_and_leaves_its_own_files_alone(image: Sandbox) -> None:
    before = _state(image.inside("/opt"))
    version = _run(image, "--version")
    assert (version.returncode, version.stdout) == (0, f"gunbai {bot.__version__}\n")
    answer = _run(image, "ask", "3.3", "--locale", "ja")
    assert answer.returncode == 0, answer.stderr
    assert "3.3" in answer.stdout
    assert "ペナルティ" in answer.stdout
    check = _run(image, "check")
    assert check.returncode == 0, check.stdout + check.stderr
    assert "meaning" in check.stdout
    assert _state(image.inside("/opt")) == before


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    stats = ((str(path), path.lstat()) for path in folder.rglob("*"))
    return {name: (found.st_mtime_ns, found.st_size) for name, found in stats}


@pytest.mark.slow
def test_the_image_comes_as_far_as_a_token_allows(image: Sandbox, tmp_path: Path) -> None:
    none = _run(image, "run")
    assert none.returncode == 2
    assert "DISCORD_TOKEN" in none.stderr
    wrong = tmp_path / "token"
    wrong.write_text("not a token")
    done = _run(image, "run", DISCORD_TOKEN_FILE=str(wrong))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "not a token" not in done.stderr


@pytest.mark.slow
def test_the_image_holds_compiled_code_and_no_installer(image: Sandbox) -> None:
    assert {path.name for path in image.root.iterdir()} == {"data", "opt"}
    (package,) = image.inside("/opt/gunbai/lib").glob("python3*/site-packages/bot")
    for module in package.rglob("*.py"):
        assert list((module.parent / "__pycache__").glob(f"{module.stem}.*.pyc")), module
    packages = {path.name.split("-")[0] for path in package.parent.iterdir()}
    assert not packages & {"pip", "setuptools", "wheel", "hatchling"}
    assert not (package / "tests").exists()


# ---- Compose ----


class _Loader(yaml.SafeLoader):
    """Knows Compose's own tag for taking a value back."""


_Loader.add_constructor("!reset", lambda *_: None)


def _compose(name: str) -> dict[str, Any]:
    text = (ROOT / name).read_text(encoding="utf-8")
    found = yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader
    assert isinstance(found, dict)
    return found


BASE: Final = _compose("compose.yaml")
SERVICES: Final[dict[str, dict[str, Any]]] = BASE["services"]


def test_without_a_profile_there_is_the_bot_alone() -> None:
    assert {name for name, service in SERVICES.items() if "profiles" not in service} == {"bot"}
    assert SERVICES["postgres"]["profiles"] == ["postgres"]
    assert SERVICES["bot"]["depends_on"]["postgres"] == {
        "condition": "service_healthy",
        "required": False,
    }
    assert SERVICES["postgres"]["healthcheck"]["test"][:2] == ["CMD", "pg_isready"]


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_may_do_only_what_it_has_to(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert "/tmp" in service["tmpfs"]  # noqa: S108 - the container's own
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    assert service["logging"]["options"].keys() == {"max-size", "max-file"}
    assert not service.keys() & {"ports", "privileged", "cap_add", "network_mode", "devices", "pid"}


@pytest.mark.parametrize("name", SERVICES)
def test_what_a_service_names_is_declared(name: str) -> None:
    service = SERVICES[name]
    for mount in service["volumes"]:
        volume, _, target = mount.partition(":")
        assert volume in BASE["volumes"], "a named volume, no folder of the host"
        assert target.startswith("/")
    assert set(service["networks"]) - {"default"} <= BASE["networks"].keys()
    assert set(service.get("secrets", ())) <= BASE["secrets"].keys()
    assert set(service.get("depends_on", ())) <= SERVICES.keys()


def test_the_bot_gets_its_token_from_a_secret_file() -> None:
    service = SERVICES["bot"]
    (secret,) = service["secrets"]
    assert service["environment"]["DISCORD_TOKEN_FILE"] == f"/run/secrets/{secret}"
    file = BASE["secrets"][secret]["file"]
    ignore = (ROOT / ".gitignore").read_text().splitlines()
    assert f"/{PurePosixPath(file).parent}/" in ignore
    assert ".env" in ignore
    assert ignored(PurePosixPath(file), RULES)
    assert f"data:{IMAGE.last('VOLUME')}" in service["volumes"]


def test_the_file_for_a_token_in_the_environment_takes_the_secret_back() -> None:
    service = _compose("compose.env.yaml")["services"]["bot"]
    assert service["environment"]["DISCORD_TOKEN_FILE"] == ""
    assert service["environment"]["DISCORD_TOKEN"].startswith("${DISCORD_TOKEN:?")
    assert "secrets: !reset" in (ROOT / "compose.env.yaml").read_text()


def test_the_example_of_shards_serves_each_shard_once() -> None:
    services = _compose("compose.shards.yaml")["services"]
    assert services["bot-2"]["extends"] == {"file": "compose.yaml", "service": "bot"}
    read = [_settings(service["environment"]) for service in services.values()]
    (count,) = {settings.shard_count for settings in read}
    assert count
    assert sorted(one for settings in read for one in settings.shard_ids or ()) == [*range(count)]


def _settings(environment: dict[str, str]) -> Settings:
    names = {name: f"GUNBAI_{name.upper()}" for name in Settings.model_fields}
    given = {name: environment[known] for name, known in names.items() if environment.get(known)}
    return Settings.model_validate(given)


def _filled_in(environment: dict[str, str], given: dict[str, str]) -> dict[str, str]:
    """The environment as Compose hands it over, ``given`` being what .env says."""
    return {
        name: VARIABLE.sub(lambda found: given.get(found[1]) or found[2] or "", value)
        for name, value in environment.items()
    }


def _example() -> dict[str, str]:
    """Every setting of .env.example, as if it were set."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    return dict(re.findall(r"^#?(\w+)=(.*)$", text, re.MULTILINE))


@pytest.mark.parametrize("given", [{}, _example()], ids=["without .env", ".env.example"])
def test_the_bot_can_read_what_compose_sets(given: dict[str, str]) -> None:
    settings = _settings(_filled_in(SERVICES["bot"]["environment"], given))
    assert settings.database == given.get("GUNBAI_DATABASE", IMAGE.environment["GUNBAI_DATABASE"])
    assert settings.log == given.get("GUNBAI_LOG", "text")
    assert settings.log_level == given.get("GUNBAI_LOG_LEVEL", "INFO")


def test_the_example_of_postgresql_fits_the_service() -> None:
    example = _example()
    database = _filled_in(SERVICES["postgres"]["environment"], example)
    assert example["GUNBAI_DATABASE"] == (
        f"postgresql://{database['POSTGRES_USER']}:{database['POSTGRES_PASSWORD']}"
        f"@postgres/{database['POSTGRES_DB']}"
    )


def test_what_compose_asks_for_is_in_the_example_of_env_and_the_other_way_round() -> None:
    asked = {found[1] for file in COMPOSE for found in VARIABLE.finditer(file.read_text())}
    assert asked | {"COMPOSE_FILE", "COMPOSE_PROFILES"} == _example().keys()


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_only_settings_that_exist_are_named(file: Path) -> None:
    known = OTHERS | {name for name, _ in ELSEWHERE}
    known |= {f"GUNBAI_{name.upper()}" for name in Settings.model_fields}
    pattern = r"\b(?:GUNBAI|DISCORD|POSTGRES|COMPOSE)_[A-Z_]+\b"
    assert set(re.findall(pattern, file.read_text(encoding="utf-8"))) <= known
