"""The command line: chat, ask, check, export and schema."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from bot import __version__, config, i18n, resources
from bot.i18n import Catalogue, Texts
from bot.policy import packs, schema
from bot.policy.export import export
from bot.policy.pack import Library
from bot.policy.texts import LOCALES, Locale
from bot.search.index import Index, Result
from bot.terminal import render
from bot.terminal.conversation import Conversation
from bot.yamlsource import Problem

OK, NOT_FOUND, FAULTY, UNUSABLE = 0, 1, 1, 2
MAX_WIDTH = 100
"""Columns after which lines are hard to read, however wide the terminal is."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every command needs from outside."""

    data: Path
    locale: Locale
    catalogue: Catalogue
    console: Console

    @property
    def texts(self) -> Texts:
        """The interface texts in the chosen language."""
        return self.catalogue[self.locale]

    @property
    def width(self) -> int:
        """Columns to write in."""
        return min(self.console.width, MAX_WIDTH)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0: done or answered; 1: nothing found, or problems in the rule data; 2: the call, a setting or
    the rule data cannot be used.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        _tolerate_bad_characters(stream)
    options = _parser().parse_args(arguments)
    try:
        settings = config.load()
        catalogue = i18n.load(resources.folder("locales"))
    except (config.SettingsError, i18n.CatalogueError) as error:
        print(f"gunbai: {error}", file=sys.stderr)
        return UNUSABLE
    around = Surroundings(
        data=options.data or settings.data,
        locale=options.locale or config.terminal_locale(settings),
        catalogue=catalogue,
        console=Console(highlight=False, markup=False, emoji=False),
    )
    command: Callable[[argparse.Namespace, Surroundings], int] = options.run
    try:
        return command(options, around)
    except packs.PacksError as error:
        count = len(error.problems)
        print(f"gunbai: {around.texts('ask.not_usable', count=count)}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone; the interpreter's complaint would reach nobody
        return OK


def _tolerate_bad_characters(stream: Any) -> None:
    """Let a stream replace what its encoding cannot hold, rather than end the program."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


def _ask(options: argparse.Namespace, around: Surroundings) -> int:
    library = packs.load(around.data)
    index = Index(library)
    game = None
    if options.game:
        game = index.game_named(options.game)
        if game is None:
            games = ", ".join(pack.header.id for pack in library.packs)
            message = around.texts("ask.unknown_game", game=options.game, games=games)
            print(f"gunbai: {message}", file=sys.stderr)
            return UNUSABLE
    query = " ".join(options.query)
    result = index.search(query, game=game)
    if options.json:
        print(json.dumps(_result_data(result), ensure_ascii=False))
    else:
        _print_result(result, query, library, options, around)
    return NOT_FOUND if result.confidence == "none" else OK


def _print_result(
    result: Result, query: str, library: Library, options: argparse.Namespace, around: Surroundings
) -> None:
    locale, texts, width = around.locale, around.texts, around.width
    if result.confidence == "certain":
        hit = result.hits[0]
        pages = [
            render.section_page(hit.pack, hit.section, locale, texts, width, whole=options.all)
        ]
        if not options.all:
            pages.append(render.more_line(hit.section, query, texts, width))
    elif result.confidence == "unsure":
        first = result.hits[0]
        pages = [render.choices_page(result.hits, locale, texts, width)]
        pages.append(render.pick_line(first, texts, width))
    else:
        pages = [render.nothing_page(library, query, locale, texts, width)]
    for page in pages:
        around.console.print(page, soft_wrap=True)


def _result_data(result: Result) -> dict[str, Any]:
    return {
        "confidence": result.confidence,
        "hits": [
            {
                "id": hit.section.id,
                "score": round(hit.score, 1),
                "matched": {"kind": hit.kind, "text": hit.text},
            }
            for hit in result.hits
        ],
    }


def _chat(options: argparse.Namespace, around: Surroundings) -> int:
    from bot.terminal import chat  # prompt_toolkit takes 0.2 s that one answer need not wait for

    library = packs.load(around.data)
    index = Index(library)
    conversation = Conversation(library, index, around.catalogue, around.locale, around.width)
    if options.game:
        conversation.answer(f"/game {options.game}")
    chat.run(conversation, around.console)
    return OK


def _check(_: argparse.Namespace, around: Surroundings) -> int:
    inspection = packs.inspect(around.data)
    problems = [*inspection.problems, *_schema_problems(around.data)]
    for problem in problems:
        print(i18n.problem_text(problem, around.texts))
    if problems or inspection.library is None:
        print(around.texts("check.failed", count=len(problems)), file=sys.stderr)
        return FAULTY
    sections = sum(len(pack.sections) for pack in inspection.library.packs)
    print(around.texts("check.summary", packs=len(inspection.library.packs), sections=sections))
    return OK


def _schema_problems(data: Path) -> list[Problem]:
    """Return a problem when the schema beside the data is not the one the code has."""
    file = data / schema.FILE_NAME
    if file.exists() and file.read_text(encoding="utf-8") != schema.schema_text():
        return [Problem(file, 0, "", "schema_stale")]
    return []


def _export(options: argparse.Namespace, around: Surroundings) -> int:
    library = packs.load(around.data)
    print(json.dumps(export(library), ensure_ascii=False, indent=options.indent))
    return OK


def _schema(options: argparse.Namespace, around: Surroundings) -> int:
    if options.write:
        (around.data / schema.FILE_NAME).write_text(schema.schema_text(), encoding="utf-8")
    else:
        print(schema.schema_text(), end="")
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gunbai",
        description="Penalty questions at card-game tournaments, in Japanese and English.",
        epilog='examples:\n  gunbai ask "slow play"\n  gunbai ask 遅刻 --locale ja\n  gunbai chat',
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gunbai {__version__}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--data", type=Path, metavar="DIR", help="folder of the rule data")
    common.add_argument("--locale", choices=LOCALES, help="language (default: the terminal's)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(
        name: str, run: Callable[..., int], what: str, *examples: str
    ) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name,
            parents=[common],
            help=what,
            description=what[0].upper() + what[1:] + ".",
            epilog="examples:\n  " + "\n  ".join(examples),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(run=run)
        return command

    ask = add(
        "ask",
        _ask,
        "print the section that answers one question",
        "gunbai ask 3.3",
        'gunbai ask "missed trigger" --all',
        "gunbai ask 警告 --game ygo --locale ja",
        "gunbai ask DEC --json",
    )
    ask.add_argument("query", nargs="+", help="a number, a name, slang, kana or romaji")
    ask.add_argument("--game", metavar="GAME", help="search one rulebook only, such as fab or ygo")
    ask.add_argument(
        "--all", action="store_true", help="the whole section, with examples and references"
    )
    ask.add_argument("--json", action="store_true", help="print what was found as JSON")

    talk = add(
        "chat",
        _chat,
        "ask in a conversation",
        "gunbai chat",
        "gunbai chat --game fab --locale ja",
        "echo 3.3 | gunbai chat",
    )
    talk.add_argument("--game", metavar="GAME", help="search one rulebook only, such as fab or ygo")

    add(
        "check",
        _check,
        "check the rule data and list every problem",
        "gunbai check",
        "gunbai check --data my_data --locale ja",
    )
    give = add(
        "export",
        _export,
        "print all rulebooks as one JSON document",
        "gunbai export > rules.json",
        "gunbai export --indent 2",
    )
    give.add_argument(
        "--indent", type=int, metavar="N", help="spaces of indentation (default: one line)"
    )
    form = add(
        "schema",
        _schema,
        "print the JSON schema of the data files",
        "gunbai schema",
        "gunbai schema --write",
    )
    form.add_argument(
        "--write", action="store_true", help="write it to the folder of the rule data"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
