"""Commands for the people who keep the rule data: check, learn, eval, export, schema."""

import argparse
import json
import sys
from pathlib import Path

from bot import i18n
from bot.policy import packs, schema
from bot.policy.export import export
from bot.policy.pack import Library
from bot.search import cache, evaluation, meaning, phrases
from bot.surroundings import FAULTY, OK, RefusalError, Surroundings, index_of
from bot.yamlsource import Problem


def check(_: argparse.Namespace, around: Surroundings) -> int:
    """List every problem of the rule data."""
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


def learn(_: argparse.Namespace, around: Surroundings) -> int:
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


def evaluate(options: argparse.Namespace, around: Surroundings) -> int:
    """Score the search on a file of labelled queries. Raises RefusalError."""
    library = packs.load(around.data)
    try:
        rows = evaluation.read(options.file, library.ids)
    except evaluation.QueriesError as error:
        raise RefusalError(str(error)) from error
    index = index_of(library, around)
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


def print_export(options: argparse.Namespace, around: Surroundings) -> int:
    """Print all rulebooks as JSON."""
    library = packs.load(around.data)
    print(json.dumps(export(library), ensure_ascii=False, indent=options.indent))
    return OK


def print_schema(options: argparse.Namespace, around: Surroundings) -> int:
    """Print the JSON schema of the data files, or write it beside them."""
    if options.write:
        (around.data / schema.FILE_NAME).write_text(schema.schema_text(), encoding="utf-8")
    else:
        print(schema.schema_text(), end="")
    return OK
