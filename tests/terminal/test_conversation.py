"""The chat, line by line."""

import pytest

from bot.i18n import Catalogue
from bot.policy.pack import Library
from bot.search.index import Index
from bot.terminal.conversation import Conversation


@pytest.fixture
def talk(library: Library, index: Index, catalogue: Catalogue) -> Conversation:
    return Conversation(library, index, catalogue, "en", 80)


def test_a_question_gets_its_section(talk: Conversation) -> None:
    assert "3.3 Slow Play / スロープレイ" in talk.answer("fab 3.3").plain


def test_the_infraction_command_does_the_same(talk: Conversation) -> None:
    assert talk.answer("/infraction missed trigger").plain == talk.answer("missed trigger").plain


def test_a_choice_is_taken_by_its_number_and_only_once(talk: Conversation) -> None:
    assert "2. YGO" in talk.answer("4.1").plain
    assert "FaB" not in talk.answer("2").plain.split("\n")[0]
    assert "2. YGO" in talk.answer("2").plain, "with no choice open, 2 is a section number again"


def test_a_number_beyond_the_choices_is_a_question(talk: Conversation) -> None:
    talk.answer("4.1")
    assert "Nothing found" in talk.answer("77").plain


def test_a_miss_says_what_was_searched_and_what_to_try(talk: Conversation) -> None:
    text = talk.answer("qwertyuiop asdf").plain
    assert "qwertyuiop asdf" in text
    assert "Flesh and Blood, Yu-Gi-Oh! OCG" in text
    assert "slow play" in text


def test_the_language_changes_and_the_last_answer_with_it(talk: Conversation) -> None:
    talk.answer("fab 3.3")
    assert "ペナルティ：注意" in talk.answer("/language ja").plain
    assert "候補が複数" in talk.answer("4.1").plain
    assert "Languages" not in talk.answer("/language 英語").plain
    assert "fr" not in talk.answer("/language fr").plain
    assert talk.locale == "en"


def test_a_game_restricts_the_search_until_all(talk: Conversation) -> None:
    assert "Yu-Gi-Oh! OCG" in talk.answer("/game ygo").plain
    assert "4.1" in talk.answer("4.1").plain.split("\n")[1]
    assert "Nothing found" in talk.answer("3.3").plain
    talk.answer("/game all")
    assert "Slow Play" in talk.answer("3.3").plain
    assert "No rulebook" in talk.answer("/game chess").plain


def test_the_penalties_of_one_or_all_games(talk: Conversation) -> None:
    both = talk.answer("/penalties").plain
    assert "Flesh and Blood" in both
    assert "Yu-Gi-Oh! OCG" in both
    assert "Yu-Gi-Oh! OCG" not in talk.answer("/penalties fab").plain
    assert "No rulebook" in talk.answer("/penalties chess").plain


def test_all_shows_the_examples_of_the_last_answer(talk: Conversation) -> None:
    assert "Examples" not in talk.answer("fab 3.3").plain
    assert "Examples" in talk.answer("/all").plain
    assert "Examples" in talk.answer("/all fab 3.1").plain
    assert "Several sections" in talk.answer("/all 4.1").plain
    assert "Nothing found" in talk.answer("/all qwertyuiop").plain


def test_all_before_any_answer_asks_for_one(talk: Conversation) -> None:
    assert "What are you looking for" in talk.answer("/all").plain
    assert "What are you looking for" in talk.answer("/infraction").plain


@pytest.mark.parametrize("line", ["/help", "／help", "/HELP"])
def test_help_lists_every_command(talk: Conversation, line: str) -> None:
    text = talk.answer(line).plain
    for command in ("/infraction", "/all", "/penalties", "/game", "/language", "/quit"):
        assert command in text


def test_quit_ends_the_talk(talk: Conversation) -> None:
    talk.answer("/quit")
    assert talk.finished


def test_an_unknown_command_names_those_there_are(talk: Conversation) -> None:
    assert "/penalties" in talk.answer("/nope").plain


@pytest.mark.parametrize("line", ["", "   ", "\n"])
def test_an_empty_line_is_passed_over(talk: Conversation, line: str) -> None:
    assert talk.answer(line).plain == ""


def test_names_and_commands_are_completed(talk: Conversation) -> None:
    assert ("/language", "answer in ja or en") in list(talk.completions("/l"))
    assert ("Slow Play", "FaB PPG 3.3") in list(talk.completions("slow"))
    assert list(talk.completions("")) == []
