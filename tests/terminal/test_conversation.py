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


def test_choices_stay_open_until_the_next_question(talk: Conversation) -> None:
    assert "2. YGO" in talk.answer("4.1").plain
    assert talk.answer("2").plain.startswith("YGO")
    assert talk.answer("1").plain.startswith("FaB")
    assert "Examples (" not in talk.answer("/all 2").plain
    assert "2. YGO" not in talk.answer("fab 3.3").plain
    assert "2. YGO" in talk.answer("2").plain, "with no choice open, 2 is a section number again"


@pytest.mark.parametrize("line", ["77", "0", "3"])
def test_a_number_beyond_the_choices_is_not_taken_for_a_section(
    talk: Conversation, line: str
) -> None:
    talk.answer("4.1")
    assert f"from 1 to 2. For section {line}: /infraction {line}" in talk.answer(line).plain


def test_a_number_of_thousands_of_digits_is_no_choice(talk: Conversation) -> None:
    talk.answer("4.1")
    assert "Nothing found" in talk.answer("1" * 5000).plain


@pytest.mark.parametrize("command", ["/game ygo", "/penalties ygo"])
def test_another_command_closes_the_choices(talk: Conversation, command: str) -> None:
    talk.answer("4.1")
    talk.answer(command)
    assert not talk.answer("1").plain.startswith("FaB")


def test_a_miss_leaves_nothing_for_all_to_show(talk: Conversation) -> None:
    talk.answer("fab 3.3")
    talk.answer("qwertyuiop")
    assert "What are you looking for" in talk.answer("/all").plain


def test_a_game_named_in_the_question_goes_before_the_chosen_one(talk: Conversation) -> None:
    talk.answer("/game ygo")
    assert talk.answer("fab 4.3").plain.startswith("FaB")


def test_a_miss_says_what_was_searched_and_what_to_try(talk: Conversation) -> None:
    text = talk.answer("qwertyuiop asdf").plain
    assert "qwertyuiop asdf" in text
    assert "Flesh and Blood, Yu-Gi-Oh! OCG" in text
    assert "slow play" in text


def test_the_language_changes_and_the_last_answer_with_it(talk: Conversation) -> None:
    talk.answer("fab 3.3")
    assert "ペナルティ：注意" in talk.answer("/language ja").plain
    assert "候補が複数" in talk.answer("4.1").plain
    assert "English" in talk.answer("/language 英語").plain or talk.locale == "en"
    assert "Languages: ja en" in talk.answer("/language fr").plain
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
    assert "\nExamples\n" not in talk.answer("fab 3.3").plain
    assert "\nExamples\n" in talk.answer("/all").plain
    assert "\nExamples\n" in talk.answer("/all fab 3.1").plain
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
    assert ("Slow Play", "FaB PPG 3.3") in list(talk.completions("suroo"))
    assert ("/game ygo", "Yu-Gi-Oh! OCG") in list(talk.completions("/game y"))
    assert ("/language ja", "Japanese") in list(talk.completions("/language "))
    assert ("/all Slow Play", "FaB PPG 3.3") in list(talk.completions("/all slow p"))
    assert len(list(talk.completions(""))) == 12, "the first sections of every chapter"
