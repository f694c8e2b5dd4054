"""The command line: chat, ask, check, export and schema."""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from bot import config, i18n, resources, text
from bot.arguments import parser
from bot.i18n import Catalogue, Texts
from bot.policy import packs, schema
from bot.policy.export import export
from bot.policy.pack import Library, Pack
from bot.policy.texts import Locale
from bot.search import cache, evaluation, meaning, phrases
from bot.search.index import Index, Result
from bot.terminal import lists, render
from bot.terminal.conversation import CHOICES, Conversation
from bot.yamlsource import Problem

OK, NOT_FOUND, FAULTY, UNUSABLE = 0, 1, 1, 2
MIN_WIDTH, MAX_WIDTH = 20, 100
"""Narrower and wider than this, lines are hard to read, whatever the terminal says."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What every command needs from outside."""

    data: Path
    cache: Path
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


class RefusalError(Exception):
    """A call that cannot be carried out; the message says why."""


class _Terminal(Console):
    """A console that leaves it to ``main`` when its reader has gone."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _terminal() -> Console:
    console = _Terminal(highlight=False, markup=False, emoji=False)
    if console.width < MIN_WIDTH:
        console.width = 80
    return console


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0: done or answered; 1: nothing found, or problems in the rule data; 2: the call, a setting or
    the rule data cannot be used.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        _tolerate_bad_characters(stream)
    options = parser().parse_args(arguments)
    try:
        settings = config.load()
        catalogue = i18n.load(resources.folder("locales"))
    except (config.SettingsError, i18n.CatalogueError) as error:
        return _refuse(str(error))
    around = Surroundings(
        data=options.data or settings.data,
        cache=settings.cache.expanduser(),
        locale=options.locale or config.terminal_locale(settings),
        catalogue=catalogue,
        console=_terminal(),
    )
    try:
        status = COMMANDS[options.command](options, around)
        if sys.stdout is not None:
            sys.stdout.flush()
    except packs.PacksError as error:
        first = i18n.problem_text(error.problems[0], around.texts)
        count = len(error.problems)
        return _refuse(around.texts("ask.not_usable", data=around.data, count=count, first=first))
    except RefusalError as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone; nothing more can reach it, the interpreter's own flush included.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        return _refuse(str(error))
    return status


def _refuse(message: str) -> int:
    if sys.stderr is not None:
        print(f"gunbai: {message}", file=sys.stderr)
    return UNUSABLE


def _tolerate_bad_characters(stream: Any) -> None:
    """Let a stream replace what its encoding cannot hold, rather than end the program."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


def _index(library: Library, around: Surroundings) -> Index:
    shipped = around.data / packs.MEANING_FILE
    return Index(library, shipped=shipped, cache_folder=around.cache)


def _game(word: str | None, index: Index, library: Library, around: Surroundings) -> str | None:
    """Return the id of the game that --game names. Raises RefusalError for one that is not there."""
    if word is None:
        return None
    game = index.game_named(word)
    if game is None:
        games = ", ".join(pack.header.id for pack in library.packs)
        raise RefusalError(around.texts("ask.unknown_game", game=word, games=games))
    return game


def _ask(options: argparse.Namespace, around: Surroundings) -> int:
    library = packs.load(around.data)
    index = _index(library, around)
    game = _game(options.game, index, library, around)
    if options.batch is not None:
        return _ask_batch(options.batch, index, game)
    # Arguments that were no text in the terminal's encoding are UTF-8 all the same.
    query = os.fsencode(" ".join(options.query)).decode(errors="replace")
    if not query.strip():
        raise RefusalError(around.texts("chat.ask_something"))
    result = index.search(query, game=game)
    if options.json:
        print(json.dumps(_result_data(result), ensure_ascii=False))
    else:
        searched = [pack for pack in library.packs if game in (None, pack.header.id)]
        for page in _result_pages(result, query, searched, options, around):
            around.console.print(page, soft_wrap=True)
    return NOT_FOUND if result.confidence == "none" else OK


def _ask_batch(source: str, index: Index, game: str | None) -> int:
    """Answer one JSON string a line with one JSON object a line, in order."""
    with contextlib.ExitStack() as stack:
        if source == "-":
            lines: Iterable[str] = sys.stdin or ()
        else:
            lines = stack.enter_context(Path(source).open(encoding="utf-8-sig", errors="replace"))
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                query = json.loads(line.lstrip("\ufeff"))
            except ValueError as error:
                raise RefusalError(f"{source}:{number}: {error}") from error
            if not isinstance(query, str):
                raise RefusalError(f"{source}:{number}: a JSON string is needed")
            print(json.dumps(_result_data(index.search(query, game=game)), ensure_ascii=False))
    return OK


def _result_pages(
    result: Result,
    query: str,
    searched: Sequence[Pack],
    options: argparse.Namespace,
    around: Surroundings,
) -> Iterator[Text]:
    locale, texts, width = around.locale, around.texts, around.width
    given = "".join(
        f" --{name} {value}"
        for name, value in (("locale", options.locale), ("data", options.data))
        if value
    )
    if result.confidence == "certain":
        hit = result.hits[0]
        whole: bool = options.all
        yield render.section_page(hit.pack, hit.section, locale, texts, width, whole=whole)
        if hit.kind != "number" and text.key(query) != text.key(hit.text):
            yield Text(lists.why(hit, texts), style="dim")
        what = render.left_out(hit.section, texts)
        if what and not whole:
            yield Text(texts("ask.more", what=what), style="dim")
            yield Text(f"  gunbai ask {hit.section.id} --all{given}", style="dim")
    elif result.confidence == "unsure":
        yield lists.choices_page(result.hits[:CHOICES], locale, texts, width)
        yield Text(texts("ask.pick"), style="dim")
        yield Text(f"  gunbai ask {result.hits[0].section.id}{given}", style="dim")
    else:
        yield lists.nothing_page(searched, query, locale, texts, width)
        if result.hits:
            yield lists.near_numbers_page(result.hits, locale, texts, width)


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
    index = _index(library, around)
    index.warm()
    conversation = Conversation(library, index, around.catalogue, around.locale, around.width)
    conversation.game = _game(options.game, index, library, around)
    chat.run(conversation, around.console)
    return OK


def _check(_: argparse.Namespace, around: Surroundings) -> int:
    inspection = packs.inspect(around.data)
    problems = [*inspection.problems, *_schema_problems(around.data)]
    for problem in problems:
        print(i18n.problem_text(problem, around.texts))
    if problems or inspection.library is None:
        if sys.stderr is not None:
            print(around.texts("check.failed", count=len(problems)), file=sys.stderr)
        return FAULTY
    library = inspection.library
    sections = sum(len(pack.sections) for pack in library.packs)
    print(around.texts("check.summary", packs=len(library.packs), sections=sections))
    print(around.texts(f"check.meaning_{_meaning_state(library, around.data)}"))
    return OK


def _meaning_state(library: Library, data: Path) -> str:
    """Return whether the shipped meaning is current, outdated, or unused for want of the encoder."""
    encoder = meaning.encoder_version()
    if encoder is None:
        return "off"
    key = phrases.digest(phrases.phrases(library), encoder)
    return (
        "current"
        if cache.load(data / packs.MEANING_FILE, key, meaning.ARRAYS) is not None
        else "outdated"
    )


def _learn(_: argparse.Namespace, around: Surroundings) -> int:
    """Learn the meaning of all phrases and put it beside the rule data."""
    encoder = meaning.encoder_version()
    if encoder is None:
        raise RefusalError(around.texts("check.meaning_off"))
    library = packs.load(around.data)
    found = phrases.phrases(library)
    print(around.texts("learn.progress", count=len(found)), file=sys.stderr)
    arrays = meaning.learn(found, len(phrases.sections(library)) + 1)
    file = around.data / packs.MEANING_FILE
    if not cache.save(file, phrases.digest(found, encoder), arrays):
        raise RefusalError(around.texts("learn.failed", file=file))
    return OK


def _eval(options: argparse.Namespace, around: Surroundings) -> int:
    library = packs.load(around.data)
    try:
        rows = evaluation.read(options.file, library.ids)
    except evaluation.QueriesError as error:
        raise RefusalError(str(error)) from error
    index = _index(library, around)
    index.search(rows[0].query)  # the first search loads the encoder and is not timed
    outcomes = evaluation.run(index, rows)
    report = evaluation.report(outcomes)
    failures = list(evaluation.failure_lines(outcomes)) if options.failures else []
    if options.json:
        listed = {"failures": failures} if options.failures else {}
        print(json.dumps(report | listed, ensure_ascii=False, indent=1))
    else:
        for line in evaluation.report_lines(report):
            print(line)
        for line in failures:
            print(line)
    return OK


def _schema_problems(data: Path) -> list[Problem]:
    """Return a problem when the schema beside the data is not the one the code has."""
    file = data / schema.FILE_NAME
    try:
        current = not file.is_file() or file.read_bytes() == schema.schema_text().encode()
    except OSError:
        current = False
    return [] if current else [Problem(file, 0, "", "schema_stale")]


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


COMMANDS: Final[dict[str, Callable[[argparse.Namespace, Surroundings], int]]] = {
    "ask": _ask,
    "chat": _chat,
    "check": _check,
    "eval": _eval,
    "export": _export,
    "learn": _learn,
    "schema": _schema,
}


if __name__ == "__main__":
    sys.exit(main())
