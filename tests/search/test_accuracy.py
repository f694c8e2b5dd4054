"""How good the search is: on the labelled queries, and that nothing was fitted to them."""

import json
from pathlib import Path

import pytest
from rapidfuzz import fuzz

from bot import text
from bot.policy.pack import Library
from bot.search import evaluation
from bot.search.index import Index


@pytest.fixture
def queries(shared: Path) -> Path:
    return shared / "search" / "queries-public.jsonl"


def test_the_search_is_as_good_as_promised(index: Index, library: Library, queries: Path) -> None:
    report = evaluation.report(evaluation.run(index, evaluation.read(queries, library.ids)))
    assert report["all"]["R@1"] >= 0.85
    assert report["all"]["R@5"] >= 0.96
    kinds = report["by_kind"]
    for language in ("ja", "en"):
        situations = report["by_kind_and_language"][f"situation {language}"]
        assert situations["R@1"] >= 0.74
        assert situations["R@5"] >= 0.94
    for kind in ("kana", "romaji", "fullwidth", "number", "exact"):
        assert kinds[kind]["R@1"] >= 0.97, kind
    for kind in ("typo", "alias"):
        assert kinds[kind]["R@1"] >= 0.93, kind
    for kind in ("penalty", "procedure", "general"):
        assert kinds[kind]["R@1"] >= 0.85, kind


def test_what_is_certain_is_right_and_negatives_are_rejected(
    index: Index, library: Library, queries: Path
) -> None:
    report = evaluation.report(evaluation.run(index, evaluation.read(queries, library.ids)))
    assert report["certain"]["right"] >= 0.97
    assert report["certain"]["negatives"] == 0
    assert report["nothing"]["rejected"] >= 0.85
    assert report["nothing"]["answerable_rejected"] <= 0.05


def test_no_situation_is_a_labelled_query_or_a_light_edit_of_one(
    library: Library, queries: Path
) -> None:
    asked = {text.key(row.query) for row in evaluation.read(queries, library.ids)} - {""}
    for pack in library.packs:
        for told in pack.situations:
            for phrase in (*told.ja, *told.en, *told.kana):
                key = text.key(phrase)
                assert key not in asked, phrase
                if len(key) > 3:
                    near = [q for q in asked if fuzz.ratio(key, q, score_cutoff=90)]
                    assert not near, phrase


def test_no_alias_comes_from_the_labelled_queries(
    library: Library, queries: Path, shared: Path
) -> None:
    """An alias that equals a labelled query has to stand in the documents or their glossary."""
    asked = {text.key(row.query) for row in evaluation.read(queries, library.ids)} - {""}
    files = (shared / "reading-notes.md", *(shared / "sources").glob("*.txt"))
    documents = "".join(
        text.key(line[start : start + 250])
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        for start in range(0, len(line), 200)
    )
    for pack in library.packs:
        for section in pack.sections:
            for alias in (*section.aliases.ja, *section.aliases.en):
                key = text.key(alias)
                assert key not in asked or key in documents, f"{section.id}: {alias}"


def test_nothing_off_topic_is_a_labelled_query(library: Library, queries: Path) -> None:
    asked = {text.key(row.query) for row in evaluation.read(queries, library.ids)} - {""}
    for phrase in (*library.off_topic.ja, *library.off_topic.en):
        assert text.key(phrase) not in asked, phrase


def test_every_section_has_situations_in_both_languages(library: Library) -> None:
    for pack in library.packs:
        told = {item.section: item for item in pack.situations}
        for section in pack.sections:
            least = 25 if section.kind == "infraction" else 10
            assert len(told[section.id].ja) >= least, section.id
            assert len(told[section.id].en) >= least, section.id


def test_a_report_counts_as_documented() -> None:
    rows = [
        evaluation.Labelled("a", "en", "fab", "alias", ("x", "y")),
        evaluation.Labelled("b", "ja", "ygo", "typo", ("x",)),
        evaluation.Labelled("c", "ja", "any", "negative", ()),
    ]
    outcomes = [
        evaluation.Outcome(rows[0], "certain", ("y", "x"), 1.0),
        evaluation.Outcome(rows[1], "unsure", ("z", "x"), 2.0),
        evaluation.Outcome(rows[2], "unsure", ("z",), 3.0),
    ]
    report = json.loads(json.dumps(evaluation.report(outcomes)))
    assert report["all"] == {"n": 2, "R@1": 0.5, "R@5": 1.0, "MRR": 0.75, "strict@1": 0.0}
    assert report["certain"] == {"answers": 1, "right": 1.0, "negatives": 0}
    assert report["nothing"] == {"negatives": 1, "rejected": 0.0, "answerable_rejected": 0.0}
    assert [line.split(" |")[0] for line in evaluation.failure_lines(outcomes)] == [
        "unsure  b",
        "unsure  c",
    ]
