"""The parts of the search by themselves: grams, words, meaning, confidence, cache."""

import io
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import resources
from bot.policy import packs
from bot.policy.pack import Library
from bot.search import cache, confidence, lexical, meaning, phrases, ranking
from bot.search.grams import grams, kana_of_romaji
from bot.search.lexical import Lexical
from bot.search.phrases import Phrase


@given(st.text(max_size=80))
def test_grams_of_anything_are_short_pieces_of_it(typed: str) -> None:
    assert all(len(gram) > 0 for gram in grams(typed))


def test_grams_tell_words_and_runs() -> None:
    assert {"late", "<la", "ate>"} <= set(grams("Late"))
    assert {"遅", "刻", "遅刻", "遅刻し"} <= set(grams("遅刻した"))
    assert set(grams("チコク")) == set(grams("ちこく"))


@pytest.mark.parametrize(
    ("typed", "kana"),
    [
        ("chikoku", "ちこく"),
        ("aite no dekki", "あいてのでっき"),
        ("makred crads", ""),
        ("slow play", ""),
        ("遅刻", ""),
    ],
)
def test_romaji_is_read_as_kana_and_english_is_not(typed: str, kana: str) -> None:
    assert kana_of_romaji(typed) == kana


def test_romaji_among_known_words_is_read_as_kana() -> None:
    assert kana_of_romaji("duel chuu ni hanasu", {"duel"}) == "duel ちゅう ni はなす"
    assert kana_of_romaji("make take", {"make", "take"}) == "まけたけ", "all of it reads as romaji"
    assert kana_of_romaji("wrong table", {"wrong", "table"}) == ""


PHRASES = (
    Phrase(0, "name", "slow play"),
    Phrase(0, "situation", "takes forever to decide"),
    Phrase(1, "name", "marked cards"),
    Phrase(1, "situation", "bent corner on a sleeve"),
    Phrase(2, "situation", "what time is lunch"),
)


def test_words_score_the_section_that_uses_them_highest() -> None:
    scores = Lexical.build(PHRASES, 3).scores("a bent sleeve")
    assert int(scores.evidence.argmax()) == 1
    assert int(scores.nearness.argmax()) == 1
    assert PHRASES[scores.nearest[1]].text == "bent corner on a sleeve"


def test_words_that_stand_nowhere_score_nothing() -> None:
    scores = Lexical.build(PHRASES, 3).scores("zzzz")
    assert scores.covered == 0
    assert not scores.evidence.any()
    assert set(scores.nearest) == {-1}


def test_an_index_without_phrases_finds_nothing() -> None:
    assert not Lexical.build((), 1).scores("anything").nearness.any()


def test_words_survive_the_cache(tmp_path: Path) -> None:
    built = Lexical.build(PHRASES, 3)
    cache.save(tmp_path / "deep" / "l.npz", "key", built.arrays)
    arrays = cache.load(tmp_path / "deep" / "l.npz", "key", lexical.ARRAYS)
    assert arrays is not None
    again = Lexical(arrays, [phrase.place for phrase in PHRASES], 3)
    assert np.array_equal(again.scores("bent card").evidence, built.scores("bent card").evidence)


def test_a_cache_of_other_data_or_a_damaged_one_is_no_cache(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    names = frozenset({"a"})
    file = tmp_path / "l.npz"
    assert cache.load(file, "key", names) is None
    cache.save(file, "key", {"a": np.arange(3)})
    assert cache.load(file, "other", names) is None
    array = io.BytesIO()
    np.save(array, np.arange(3))
    for damage in (b"", b"PK garbage", file.read_bytes()[:-30], array.getvalue()):
        file.write_bytes(damage)
        assert cache.load(file, "key", names) is None
    assert "damaged" in caplog.text
    cache.save(file, "key", {"b": np.arange(3)})
    assert cache.load(file, "key", names) is None, "an array is missing"
    file.unlink()
    os.mkfifo(file)
    assert cache.load(file, "key", names) is None, "a pipe is not waited for"
    file.unlink()
    cache.save(file, "key", {"a": np.arange(3)})
    assert cache.load(file, "key", names) is not None
    assert [entry.name for entry in tmp_path.iterdir()] == ["l.npz"], "no half-written file stays"


def test_a_folder_that_cannot_be_written_is_no_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    cache.save(tmp_path / "file" / "l.npz", "key", {"a": np.arange(3)})
    assert "no cache" in caplog.text


def test_the_discriminant_tells_clouds_of_vectors_apart() -> None:
    chance = np.random.default_rng(1)
    places = np.repeat([0, 1, 2], 40)
    centres = chance.normal(size=(3, 16)).astype(np.float32)
    vectors = centres[places] + 0.3 * chance.normal(size=(120, 16)).astype(np.float32)
    learned = meaning.discriminant(vectors, places, 3)
    scores = vectors @ learned["directions"].astype(np.float32) + learned["offsets"]
    assert (scores.argmax(axis=1) == places).mean() > 0.95


def test_the_shipped_meaning_is_that_of_the_rule_data(library: Library) -> None:
    encoder = meaning.encoder_version()
    assert encoder is not None, "the encoder belongs to the development requirements"
    key = phrases.digest(phrases.phrases(library), encoder)
    file = resources.folder("policy_data") / packs.MEANING_FILE
    assert cache.load(file, key, meaning.ARRAYS) is not None, "run: gunbai learn"


def test_any_change_of_a_phrase_makes_what_was_learned_outdated() -> None:
    changed = (*PHRASES[:-1], Phrase(2, "situation", "what time is dinner"))
    moved = (*PHRASES[:-1], Phrase(1, "situation", "what time is lunch"))
    digests = {phrases.digest(found, "v") for found in (PHRASES, changed, moved)}
    assert len(digests | {phrases.digest(PHRASES, "w")}) == 4


def test_a_lead_speaks_for_the_first_section_and_off_topic_against_any() -> None:
    lead, off = ranking.FEATURES.index("lead"), ranking.FEATURES.index("score_off")
    for model in (confidence.MEANING, confidence.WORDS):
        assert model.right[lead] > 0
        assert model.answerable[off] < 0
        assert model.right[off] < 0


def test_the_models_have_a_coefficient_for_every_feature() -> None:
    for model in (confidence.MEANING, confidence.WORDS):
        assert len(model.answerable) == len(model.right) == len(ranking.FEATURES)


@given(st.lists(st.floats(-100, 100, width=32), min_size=2, max_size=20))
def test_standardised_scores_keep_their_order(values: list[float]) -> None:
    scores = np.array(values, dtype=np.float32)
    even = ranking.standardised(scores)
    assert np.all(np.isfinite(even))
    for one in range(len(values)):
        for other in range(len(values)):
            if scores[one] > scores[other] and even.any():
                assert even[one] >= even[other]
