"""How the modules hang together: imports run one way, and the code knows no game."""

import ast
import re
from pathlib import Path

import pytest

from bot.policy.pack import Library
from tests.conftest import ROOT

# From the bottom up; a module may import from its own layer and from those before it.
LAYERS = (
    {"limits", "yamlsource", "resources", "text", "logs"},
    {"policy", "i18n", "config"},
    {"outline", "search", "store"},
    {"terminal", "chat"},
    {"arguments", "surroundings"},
    {"serving", "upkeep"},
    {"__main__"},
)
MODULES = sorted((ROOT / "bot").rglob("*.py"))


def layer(module: str) -> int:
    return next(place for place, names in enumerate(LAYERS) if module in names)


def imported(file: Path) -> set[str]:
    """The top-level parts of bot that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "bot":
            names |= {alias.name for alias in node.names if not alias.name.startswith("_")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bot."):
            names.add((node.module or "").split(".")[1])
    return names


@pytest.mark.parametrize("file", MODULES, ids=lambda file: str(file.relative_to(ROOT)))
def test_imports_run_one_way(file: Path) -> None:
    own = file.relative_to(ROOT / "bot").parts[0].removesuffix(".py")
    if own == "__init__":
        return
    above = {name for name in imported(file) if layer(name) > layer(own)}
    assert above == set()


def test_the_store_knows_no_settings() -> None:
    for file in (ROOT / "bot" / "store").glob("*.py"):
        assert imported(file) <= {"store", "policy"}, file


@pytest.mark.parametrize("folder", ["policy", "search"])
def test_only_loading_cache_and_evaluation_touch_files(folder: str) -> None:
    for file in (ROOT / "bot" / folder).glob("*.py"):
        code = file.read_text(encoding="utf-8")
        reads = re.findall(r"\.(?:read_text|write_text|open|iterdir|read_bytes)\(|\bopen\(", code)
        assert not reads or file.name in ("packs.py", "evaluation.py", "cache.py"), file


def test_the_code_names_no_game(library: Library) -> None:
    words = {"flesh", "yu-gi-oh", "yugioh", "konami", "遊戯王", "フレブラ"}
    for pack in library.packs:
        words |= {pack.header.id, pack.header.game.ja, pack.header.game.en.lower()}
    # Docstrings and help texts may give examples; what runs may not.
    for file in MODULES:
        if file.name == "arguments.py":
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        docstrings = {
            id(node.value)
            for body in ast.walk(tree)
            if isinstance(body, ast.Module | ast.ClassDef | ast.FunctionDef)
            for node in body.body
            if isinstance(node, ast.Expr)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docstrings
            ):
                text = node.value.lower()
                named = {w for w in words if re.search(rf"(?<![a-z]){re.escape(w)}(?![a-z])", text)}
                assert not named, f"{file}:{node.lineno}: {named}"


def test_no_code_depends_on_a_section_or_penalty(library: Library) -> None:
    codes = {penalty.code for pack in library.packs for penalty in pack.header.ladder}
    for file in MODULES:
        strings = {
            node.value
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not strings & codes, file
        assert not [s for s in strings if re.fullmatch(r"(fab|ygo):[0-9A-Z.a-z/-]+", s)], file
