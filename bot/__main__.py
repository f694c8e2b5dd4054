"""The command line: asking, the bot, and the way to every other command."""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from rich.console import Console
from rich.text import Text

from bot import config, i18n, resources, text, upkeep
from bot.arguments import parser
from bot.policy import packs
from bot.policy.pack import Pack
from bot.search.index import Index, Result
from bot.surroundings import (
    MIN_WIDTH,
    NOT_FOUND,
    OK,
    UNUSABLE,
    RefusalError,
    Surroundings,
    game_of,
    index_of,
)
from bot.terminal import lists, render
from bot.terminal.conversation import CHOICES, Conversation


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
        settings=settings,
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
    except (RefusalError, config.SettingsError) as error:
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


def _ask(options: argparse.Namespace, around: Surroundings) -> int:
    library = packs.load(around.data)
    index = index_of(library, around)
    game = game_of(options.game, index, library, around)
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
    index = index_of(library, around)
    index.warm()
    conversation = Conversation(library, index, around.catalogue, around.locale, around.width)
    conversation.game = game_of(options.game, index, library, around)
    chat.run(conversation, around.console)
    return OK


def _run(options: argparse.Namespace, around: Surroundings) -> int:
    from bot import serving  # discord.py takes 0.5 s that one answer need not wait for

    return serving.run(around, watch=options.watch)


def _sync(_: argparse.Namespace, around: Surroundings) -> int:
    from bot import serving  # as above

    return serving.sync(around)


def _health(_: argparse.Namespace, around: Surroundings) -> int:
    """Ask the bot that runs beside this process, as a container's health check does."""
    settings = around.settings
    if settings.port is None:
        raise RefusalError(around.texts("health.no_port"))
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104 - compared only
    try:
        with urlopen(f"http://{host}:{settings.port}/healthz", timeout=3) as answer:
            print(answer.read().decode().strip())
    except OSError as error:
        print(f"gunbai: {error}", file=sys.stderr)
        return NOT_FOUND
    return OK


def _settings(_: argparse.Namespace, around: Surroundings) -> int:
    print(config.table(around.texts), end="")
    return OK


COMMANDS: Final[dict[str, Callable[[argparse.Namespace, Surroundings], int]]] = {
    "ask": _ask,
    "chat": _chat,
    "check": upkeep.check,
    "eval": upkeep.evaluate,
    "export": upkeep.print_export,
    "health": _health,
    "learn": upkeep.learn,
    "run": _run,
    "schema": upkeep.print_schema,
    "settings": _settings,
    "sync": _sync,
}


if __name__ == "__main__":
    sys.exit(main())
