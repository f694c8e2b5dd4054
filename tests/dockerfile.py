"""Reads a Dockerfile and .dockerignore, and carries out COPY and RUN without a container engine."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

OWN_FOLDERS: Final = "opt|src|data"
"""Folders of the image that stand for folders of the sandbox; the others are the machine's own."""
CACHE_MOUNT: Final = re.compile(r"--mount=type=cache,target=\S+\s+")


@dataclass(frozen=True)
class Instruction:
    """One instruction, its lines joined."""

    word: str
    value: str


@dataclass
class Stage:
    """What stands between one FROM and the next."""

    base: str
    name: str | None
    instructions: list[Instruction] = field(default_factory=list)

    def all(self, word: str) -> list[str]:
        return [one.value for one in self.instructions if one.word == word]

    def last(self, word: str) -> str:
        return self.all(word)[-1]

    @property
    def environment(self) -> dict[str, str]:
        pairs = [pair for value in self.all("ENV") for pair in shlex.split(value)]
        return dict(pair.split("=", 1) for pair in pairs)

    @property
    def labels(self) -> dict[str, str]:
        pairs = [pair for value in self.all("LABEL") for pair in shlex.split(value)]
        return dict(pair.split("=", 1) for pair in pairs)


def parse(text: str) -> list[Stage]:
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    stages: list[Stage] = []
    for line in joined.splitlines():
        word, value = line.split(maxsplit=1)
        assert "<<" not in value, "here documents are not read"
        if word == "FROM":
            base, *name = value.split()
            stages.append(Stage(base, name[1] if name else None))
        else:
            stages[-1].instructions.append(Instruction(word, value))
    return stages


def ignored(path: PurePosixPath, rules: str) -> bool:
    """Whether a .dockerignore keeps ``path`` out: the last line wins that matches it or a parent."""
    result = False
    for line in rules.splitlines():
        rule = line.strip()
        if not rule or rule.startswith("#"):
            continue
        pattern = _pattern(rule.removeprefix("!").strip("/"))
        if any(pattern.fullmatch(str(part)) for part in (path, *path.parents)):
            result = not rule.startswith("!")
    return result


def _pattern(rule: str) -> re.Pattern[str]:
    written = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[[^]]*\])", rule)
    return re.compile(
        "".join(
            written.get(part) or (part if part.startswith("[") else re.escape(part))
            for part in parts
        )
    )


@dataclass
class Sandbox:
    """A folder that stands for the root of the file system while the image is built."""

    root: Path
    context: Path
    rules: str
    environment: Mapping[str, str]
    finished: dict[str, Path] = field(default_factory=dict)
    where: Path = field(init=False)

    def build(self, stage: Stage, *, runs: bool) -> None:
        """Carry out a stage; what other stages made is at hand, each in its own folder."""
        self.root.mkdir()
        self.where = self.root
        for one in stage.instructions:
            if one.word == "WORKDIR":
                self.where = self.inside(one.value)
                self.where.mkdir(parents=True, exist_ok=True)
            elif one.word == "COPY":
                self._copy(one.value)
            elif one.word == "RUN" and runs:
                self._run(one.value)

    def finish(self, stage: Stage) -> None:
        """Put the stage aside, so that the next one has the same paths."""
        assert stage.name
        self.finished[stage.name] = self.root.rename(self.root.with_name(stage.name))

    def rewrite(self, text: str) -> str:
        """Let the image's own folders stand for those of the sandbox."""
        start = r"(?:(?<![\w./-])|(?<=sqlite:///))"
        return re.sub(rf"{start}/(?=(?:{OWN_FOLDERS})\b)", f"{self.root}/", text)

    def inside(self, path: str) -> Path:
        return self.root / path.lstrip("/") if path.startswith("/") else self.where / path

    def _run(self, command: str) -> None:
        command = CACHE_MOUNT.sub("", command)
        assert not command.startswith(("--", "[")), command
        done = subprocess.run(
            ["/bin/sh", "-c", self.rewrite(command)],
            cwd=self.where,
            env=dict(self.environment),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"

    def _copy(self, value: str) -> None:
        words = shlex.split(value)
        source_root, rules = self.context, self.rules
        if words[0].startswith("--from="):
            source_root, rules = self.finished[words.pop(0).removeprefix("--from=")], ""
        assert not words[0].startswith(("--", "[")), value
        *sources, target = words
        place = self.inside(target)
        for name in sources:
            source = source_root / name.lstrip("/")
            files = [source] if source.is_file() else sorted(source.rglob("*"))
            copied = 0
            for file in files:
                relative = file.relative_to(source_root)
                if ignored(PurePosixPath(relative.as_posix()), rules):
                    continue
                if file.is_dir() and not file.is_symlink():
                    (place / file.relative_to(source)).mkdir(parents=True, exist_ok=True)
                    continue
                into = place / file.name if len(sources) > 1 or target.endswith("/") else place
                new = into if file == source else place / file.relative_to(source)
                new.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, new, follow_symlinks=False)
                copied += 1
            assert copied, f"COPY {name}: nothing is there, or .dockerignore keeps it out"
