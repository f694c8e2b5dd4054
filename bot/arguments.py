"""What the command line takes: commands, options and help texts with examples."""

import argparse
from pathlib import Path

from bot import __version__
from bot.policy.texts import LOCALES


def parser() -> argparse.ArgumentParser:
    """Return the parser; ``command`` of its result names what to run."""
    line = argparse.ArgumentParser(
        prog="gunbai",
        description="Penalty questions at card-game tournaments, in Japanese and English.",
        epilog='examples:\n  gunbai ask "slow play"\n  gunbai ask 遅刻 --locale ja\n  gunbai chat',
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    line.add_argument("--version", action="version", version=f"gunbai {__version__}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--data", type=Path, metavar="DIR", help="folder of the rule data")
    common.add_argument("--locale", choices=LOCALES, help="language (default: the terminal's)")
    commands = line.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, what: str, *examples: str) -> argparse.ArgumentParser:
        command = commands.add_parser(
            name,
            parents=[common],
            help=what,
            description=what[0].upper() + what[1:] + ".",
            epilog="examples:\n  " + "\n  ".join(examples),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.set_defaults(command=name)
        return command

    ask = add(
        "ask",
        "print the section that answers one question",
        "gunbai ask 3.3",
        'gunbai ask "missed trigger" --all',
        "gunbai ask 警告 --game ygo --locale ja",
        "gunbai ask DEC --json",
    )
    ask.add_argument("query", nargs="*", help="a number, a name, slang, kana, or what happened")
    ask.add_argument(
        "--batch", metavar="FILE", help="answer one JSON string a line, as JSON; - reads stdin"
    )
    ask.add_argument("--game", metavar="GAME", help="search one rulebook only, such as fab or ygo")
    ask.add_argument(
        "--all", action="store_true", help="the whole section, with examples and references"
    )
    ask.add_argument("--json", action="store_true", help="print what was found as JSON")

    talk = add(
        "chat",
        "ask in a conversation",
        "gunbai chat",
        "gunbai chat --game fab --locale ja",
        "echo 3.3 | gunbai chat",
    )
    talk.add_argument("--game", metavar="GAME", help="search one rulebook only, such as fab or ygo")

    add(
        "check",
        "check the rule data and list every problem",
        "gunbai check",
        "gunbai check --data my_data --locale ja",
    )
    give = add(
        "export",
        "print all rulebooks as one JSON document",
        "gunbai export > rules.json",
        "gunbai export --indent 2",
    )
    give.add_argument(
        "--indent", type=int, metavar="N", help="spaces of indentation (default: one line)"
    )
    form = add(
        "schema",
        "print the JSON schema of the data files",
        "gunbai schema",
        "gunbai schema --write",
    )
    form.add_argument(
        "--write", action="store_true", help="write it to the folder of the rule data"
    )
    measure = add(
        "eval",
        "score the search on a file of labelled queries",
        "gunbai eval queries.jsonl",
        "gunbai eval queries.jsonl --failures",
    )
    measure.add_argument("file", type=Path, help="JSON lines with query, lang, game, kind, expect")
    measure.add_argument("--json", action="store_true", help="print the report as JSON")
    measure.add_argument(
        "--failures", action="store_true", help="list what was not answered rightly"
    )
    serve = add(
        "run",
        "answer on Discord; needs DISCORD_TOKEN or DISCORD_TOKEN_FILE",
        "DISCORD_TOKEN_FILE=token.txt gunbai run",
        "gunbai run --watch",
    )
    serve.add_argument(
        "--watch", action="store_true", help="load the rule data anew when a file changes"
    )
    add("sync", "register the commands with Discord anew", "gunbai sync")
    add(
        "health",
        "ask a running bot whether it is connected (GUNBAI_PORT)",
        "GUNBAI_PORT=8080 gunbai health",
    )
    add("settings", "print the settings as a table", "gunbai settings")
    add("learn", "learn the meaning of all phrases anew", "gunbai learn")
    return line
