"""Questions and clicks in, replies out: by id, label and words; states; what is gone; what is counted."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot import __version__, resources
from bot.chat import controls
from bot.chat.controls import VIEWS, Control
from bot.chat.desk import Desk, NoSuchSubjectError
from bot.chat.metrics import Metrics
from bot.chat.replies import Button, Menu, Reply
from bot.chat.shelf import Shelf
from bot.i18n import Catalogue
from bot.policy.pack import Library
from bot.policy.texts import LOCALES, Locale
from bot.search import meaning
from bot.store.store import Server
from tests import demo_pack
from tests.chat.conftest import OWNER, person
from tests.chat.discord_rules import as_shown, faults


def title(reply: Reply) -> str:
    return as_shown(reply.embeds[0].title or "")


def description(reply: Reply) -> str:
    return reply.embeds[0].description or ""


def buttons(reply: Reply) -> list[Button]:
    return [button for row in reply.rows if not isinstance(row, Menu) for button in row]


def picks(reply: Reply) -> list[str]:
    """The sections that a reply offers to choose from."""
    return [b.control.subject for b in buttons(reply) if b.control and b.control.role == "pick"]


def section_state(section_id: str, locale: Locale = "en", *, private: bool = True) -> Control:
    return Control("view", section_id, locale, "overview", 0, OWNER, private)


def counted(desk: Desk) -> dict[tuple[str, str], float]:
    """The lookups counted so far, by outcome and language."""
    found = re.findall(
        r'^gunbai_lookups_total\{language="(\w+)",outcome="(\w+)"\} ([\d.]+)$',
        desk.metrics.text().decode(),
        re.MULTILINE,
    )
    return {(outcome, language): float(count) for language, outcome, count in found}


@pytest.mark.parametrize("locale", LOCALES)
def test_every_section_is_found_by_its_id(desk: Desk, library: Library, locale: Locale) -> None:
    for section_id in sorted(library.ids):
        section = library.section(section_id)
        reply = desk.lookup(section_id, person(locale))
        assert title(reply).startswith(f"{section.number} {section.name.in_locale(locale)}")
        assert counted(desk)[("answer", locale)] >= 1


@pytest.mark.parametrize("typed", LOCALES)
@pytest.mark.parametrize("answered", LOCALES)
def test_every_completion_that_is_sent_as_text_is_its_section(
    desk: Desk, library: Library, typed: Locale, answered: Locale
) -> None:
    """Discord sends a completion's value; who types its label by hand gets the same."""
    for pack in library.packs:
        for section in pack.sections:
            for option in desk.completions(section.id, typed, None):
                assert option.value in library.ids
            number = f"{pack.header.short.in_locale(typed)} {section.number}"
            labels = {o.value: o.label for o in desk.completions(number, typed, None)}
            if section.id in labels:
                reply = desk.lookup(labels[section.id], person(answered))
                name = section.name.in_locale(answered)
                assert title(reply).startswith(f"{section.number} {name}")


def test_nearly_every_section_has_a_label_to_complete(desk: Desk, library: Library) -> None:
    for locale in LOCALES:
        found = {
            option.value
            for pack in library.packs
            for section in pack.sections
            for option in desk.completions(
                f"{pack.header.short.in_locale(locale)} {section.number}", locale, None
            )
        }
        assert found >= {s for s in library.ids if "/" not in s}


@pytest.mark.parametrize(
    ("query", "section_id"),
    [
        ("slow play", "fab:3.3"),
        ("SLOW PLAY", "fab:3.3"),
        ("スロープレイ", "fab:3.3"),
        ("fab 3.1", "fab:3.1"),
    ],
)
def test_a_name_is_answered_at_once(
    desk: Desk, library: Library, query: str, section_id: str
) -> None:
    reply = desk.lookup(query, person("en", "fab"))
    section = library.section(section_id)
    assert title(reply) == f"{section.number} {section.name.en} / {section.name.ja}"
    assert reply.private
    assert counted(desk) == {("answer", "en"): 1.0}


def test_what_matched_is_told_unless_it_is_the_name_or_number(desk: Desk) -> None:
    assert "also called: " in description(desk.lookup("GRV", person("en", "fab")))
    for query in ("slow play", "スロープレイ", "3.3", "fab:3.3"):
        last = description(desk.lookup(query, person("en", "fab"))).split("\n")[-1]
        assert not last.startswith("-# "), query


def test_an_answer_is_as_private_as_asked_for(desk: Desk) -> None:
    assert desk.lookup("fab:3.3", person(private=True)).private
    assert not desk.lookup("fab:3.3", person(private=False)).private
    assert not desk.penalties("fab", person(private=False)).private


def test_an_unsure_question_gets_choices_for_who_asks_alone(desk: Desk, library: Library) -> None:
    reply = desk.lookup("opponent drew an extra card", person("ja", private=False))
    assert 2 <= len(picks(reply)) <= 5
    assert set(picks(reply)) <= library.ids
    assert reply.private
    assert all(b.control and not b.control.private for b in buttons(reply))
    assert counted(desk) == {("choices", "ja"): 1.0}


def test_an_unanswerable_question_gets_the_nearest_names(desk: Desk) -> None:
    reply = desk.lookup("quarterly tax return deadline", person())
    assert title(reply) == "Nothing found"
    assert picks(reply)
    assert counted(desk) == {("nothing", "en"): 1.0}
    assert not faults(reply)


def test_a_number_that_no_document_has_gets_the_nearest_numbers(desk: Desk) -> None:
    reply = desk.lookup("3.99", person("en", "fab"))
    assert title(reply) == "Nothing found"
    assert "Nearest names" in description(reply)
    assert all(section_id.startswith("fab:3") for section_id in picks(reply))


@pytest.mark.parametrize("query", ["", "   ", "！？", "☃"])
def test_nothing_to_search_for_gets_what_is_asked_most(desk: Desk, query: str) -> None:
    reply = desk.lookup(query, person())
    assert "Asked most" in description(reply)
    assert picks(reply)
    assert not faults(reply)


def test_a_game_restricts_the_search_and_an_unknown_one_does_not(desk: Desk) -> None:
    for section_id in picks(desk.lookup("4.1", person("en", "ygo"))):
        assert section_id.startswith("ygo:")
    assert title(desk.lookup("スロープレイ", person("ja", "no-such-game")))
    searched = description(desk.lookup("xyzzy plugh", person("en", "ygo")))
    assert "Flesh and Blood" not in searched.split("\n")[1]
    everywhere = description(desk.lookup("xyzzy plugh", person("en", "gone")))
    assert "Flesh and Blood" in everywhere.split("\n")[1]


def test_lookups_are_counted_by_outcome_and_language(desk: Desk) -> None:
    for query, locale in (
        ("fab:3.3", "en"),
        ("fab:3.3", "ja"),
        ("fab:3.1", "ja"),
        ("opponent drew an extra card", "en"),
        ("quarterly tax return deadline", "ja"),
    ):
        desk.lookup(query, person("ja" if locale == "ja" else "en"))
    assert counted(desk) == {
        ("answer", "en"): 1.0,
        ("answer", "ja"): 2.0,
        ("choices", "en"): 1.0,
        ("nothing", "ja"): 1.0,
    }
    assert "3.3" not in desk.metrics.text().decode(), "what people ask is not kept"


NASTY = st.text(max_size=400) | st.text(alphabet="*_`~|\\<>@#-. 34あ回\n\x00\u202e", max_size=200)


def test_whatever_is_asked_gets_an_answer_discord_takes(desk: Desk) -> None:
    @settings(max_examples=30, deadline=None)
    @given(NASTY, st.sampled_from(LOCALES))
    @example("3.3 or 3.3", "en")
    @example("3.3と3.4と3.3", "ja")
    @example("4.1 4.1 4.1 4.1 4.1", "en")
    @example("@everyone `*_~|" * 400, "en")
    @example("\ud800", "en")
    @example("1." * 3000, "ja")
    def answered(query: str, locale: Locale) -> None:
        for reply in (
            desk.lookup(query, person(locale)),
            desk.lookup_message(query, person(locale)),
        ):
            assert not [fault for fault in faults(reply) if "unfilled" not in fault]
        assert len(list(desk.completions(query, locale, None))) <= 25

    answered()


@pytest.mark.parametrize(
    "content",
    [
        "<@123456789012345678> slow play",
        "<@!123> slow play <#5> <@&6>",
        "slow play <:judge:123456789012345678> <a:wave:1>",
        "slow play https://discord.com/channels/1/2/3",
        "slow play\nhttps://x.example/?q=a(b) ",
        "> slow play",
        "```py\nprint('missed trigger')\n```\nslow play",
        "slow play ```\nmissed trigger\nand more\n```",
        "slow play ```\nmissed trigger, never closed\n",
        "`slow play`",
        "slow play <t:1700000000:R>",
        "</infraction:123456789012345678> slow play",
        "</language set:123456789012345678> slow play",
        "@everyone slow play @here",
    ],
)
def test_a_message_is_read_without_code_mentions_emoji_and_addresses(
    desk: Desk, content: str
) -> None:
    assert title(desk.lookup_message(content, person("en", "fab"))).startswith("3.3 Slow Play")


def test_of_a_message_the_words_stay(desk: Desk) -> None:
    """Signs people write with are no mentions."""
    reply = desk.lookup_message("<and then> quarterly tax <3 return a@b.example", person())
    assert r"\<and then" in description(reply)
    assert r"\<3 return" in description(reply)


def test_a_message_without_words_gets_what_is_asked_most(desk: Desk) -> None:
    reply = desk.lookup_message("```\ncode\n``` <@1> https://x.example", person())
    assert "Asked most" in description(reply)
    assert not faults(reply)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "typed", ["", "3", "3.", "slow", "ち", "ちこk", "GRV", "a", "i", "い", "fab", "x" * 6000, "☃"]
)
def test_completions_are_few_short_and_lead_to_sections(
    desk: Desk, library: Library, locale: Locale, typed: str
) -> None:
    options = list(desk.completions(typed, locale, None))
    assert len(options) <= 25
    assert len({option.value for option in options}) == len(options)
    for option in options:
        assert 1 <= len(option.label) <= 100
        section = library.section(option.value)
        assert option.label.startswith(f"{section.number} {section.name.in_locale(locale)}")


def test_completions_say_penalty_and_game(desk: Desk) -> None:
    labels = {o.value: o.label for o in desk.completions("slow play", "en", None)}
    assert labels["fab:3.3"] == "3.3 Slow Play | Caution | FaB PPG"


def test_completions_keep_to_a_game(desk: Desk) -> None:
    assert all(o.value.startswith("ygo:") for o in desk.completions("", "ja", "ygo"))
    everything = {o.value.partition(":")[0] for o in desk.completions("", "ja", "no-such-game")}
    assert everything == {"fab", "ygo"}


def test_a_click_leads_to_the_state_its_control_holds(desk: Desk) -> None:
    state = section_state("fab:2.1", "ja", private=False)
    flipped = desk.clicked(replace(state, role="flip", locale="en"), None)
    assert title(flipped).startswith("2.1 Game Rules Violation")
    assert not flipped.private
    english = replace(state, locale="en", view="whole")
    page = desk.clicked(replace(english, role="next", page=1), None)
    assert (page.embeds[0].footer.text or "").startswith("Page 2 of ")
    back = desk.clicked(replace(english, role="back", page=0), None)
    assert (back.embeds[0].footer.text or "").startswith("Page 1 of ")
    published = desk.clicked(replace(state, role="publish", private=False), None)
    assert not published.private
    picked = desk.clicked(replace(state, role="pick"), None)
    assert title(picked).startswith("2.1 ")


def test_a_view_chosen_from_the_menu_is_shown_from_its_first_page(desk: Desk) -> None:
    state = replace(section_state("fab:2.1"), page=1)
    for view in VIEWS:
        menu = desk.clicked(state, view).rows[0]
        assert isinstance(menu, Menu)
        assert [o.value for o in menu.options if o.chosen] in ([view], ["overview"])
        assert menu.control.page == 0
    same = desk.clicked(replace(section_state("fab:2.1"), view="examples"), "no-such-view")
    assert same.embeds == desk.clicked(section_state("fab:2.1"), "examples").embeds


def test_a_related_section_is_shown_from_its_overview(desk: Desk) -> None:
    state = replace(section_state("fab:3.3", "ja"), role="related")
    reply = desk.clicked(state, "fab:4.8")
    assert title(reply).startswith("4.8 ")
    menu = reply.rows[0]
    assert isinstance(menu, Menu)
    assert [o.value for o in menu.options if o.chosen] == ["overview"]


def test_a_penalty_table_turns_pages_flips_and_changes_game(desk: Desk) -> None:
    first = desk.penalties("ygo", person("ja"))
    for button in buttons(first):
        assert button.control
        control = controls.read(button.control.custom_id)
        reply = desk.clicked(control, None)
        assert not faults(reply)
        assert ("遊戯王" in title(reply) or "Yu-Gi-Oh" in title(reply)) is (control.role != "game")


def test_penalties_are_those_of_the_game_named_set_or_first(desk: Desk, library: Library) -> None:
    names = {pack.header.id: pack.header.name.en for pack in library.packs}
    assert names["ygo"] in title(desk.penalties("ygo", person("en", "fab")))
    assert names["ygo"] in title(desk.penalties(None, person("en", "ygo")))
    assert names["fab"] in title(desk.penalties(None, person("en")))
    assert names["fab"] in title(desk.penalties(None, person("en", "gone")))


@pytest.mark.parametrize(
    "subject", ["", "zzz", "zzz:1.1", "fab:99.9", "fab:", ":", "fab:3.3/no-such-part"]
)
def test_a_click_on_what_is_not_there_is_told(desk: Desk, subject: str) -> None:
    with pytest.raises(NoSuchSubjectError):
        desk.clicked(section_state(subject), None)


@pytest.mark.parametrize("value", ["fab:99.9", "zzz:1", "fab", "", ":"])
def test_a_related_section_that_is_not_there_is_told(desk: Desk, value: str) -> None:
    state = replace(section_state("fab:3.3"), role="related")
    if not value:
        assert title(desk.clicked(state, value)).startswith("3.3 ")
        return
    with pytest.raises(NoSuchSubjectError):
        desk.clicked(state, value)


@pytest.mark.asyncio
async def test_a_click_on_a_section_or_game_that_was_removed_is_told(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "encoder_version", lambda: None)  # learning anew takes a minute
    data = tmp_path / "data"
    shutil.copytree(resources.folder("policy_data") / "ygo", data / "ygo")
    demo = demo_pack.write(data)
    shelf = Shelf(data, tmp_path / "cache", catalogue)
    desk = Desk(shelf, catalogue, Metrics())
    first = desk.clicked(section_state("demo:2.2"), None)
    assert title(first).startswith("2.2 Slowness")
    assert picks(desk.lookup("zzz", person("en", "demo")))
    other = next(b.control for b in buttons(desk.penalties("demo", person())) if b.control)
    _remove_slowness(demo)
    assert await shelf.reload()
    with pytest.raises(NoSuchSubjectError):
        desk.clicked(section_state("demo:2.2"), None)
    with pytest.raises(NoSuchSubjectError):
        desk.clicked(replace(section_state("demo:2.1"), role="related"), "demo:2.2")
    assert title(desk.clicked(section_state("demo:2.1"), None)).startswith("2.1 ")
    shutil.rmtree(demo)
    assert await shelf.reload()
    with pytest.raises(NoSuchSubjectError):
        desk.clicked(section_state("demo:2.1"), None)
    with pytest.raises(NoSuchSubjectError):
        desk.clicked(other, None)
    # A setting or a choice of a game that is gone restricts nothing.
    assert title(desk.lookup("ygo:4.2", person("en", "demo"))).startswith("4.2 ")
    assert list(desk.completions("4", "en", "demo"))
    assert desk.penalties("demo", person()).embeds


def _remove_slowness(demo: Path) -> None:
    """Take section 2.2 out of the invented rulebook, and all that points to it."""
    (demo / "2.2.yaml").unlink()
    pack = (demo / "pack.yaml").read_text(encoding="utf-8")
    pack = pack.replace('  - "demo:2.2"\n', "").replace('    often_asked: ["demo:2.2"]\n', "")
    (demo / "pack.yaml").write_text(pack, encoding="utf-8")
    late = (demo / "2.1.yaml").read_text(encoding="utf-8")
    late = late.replace('    under: "demo:2.2"\n', "").replace(
        '  - to: "demo:2.2"\n    why: {ja: "遅い行為。", en: "On slowness."}\n', ""
    )
    (demo / "2.1.yaml").write_text(late, encoding="utf-8")


@pytest.mark.parametrize("locale", LOCALES)
def test_help_and_about_are_in_the_language_asked_for(
    desk: Desk, catalogue: Catalogue, locale: Locale
) -> None:
    assert title(desk.helped(locale)) == catalogue[locale]("help.title")
    about = desk.about(locale)
    assert title(about) == catalogue[locale]("about.title")
    assert about.embeds[0].footer.text == f"Gunbai {__version__}"


@pytest.mark.parametrize(
    ("server", "words"),
    [
        (Server(), ["automatic", "all games", "for everyone"]),
        (Server("ja", "ygo", private=True), ["日本語", "Yu-Gi-Oh", "only for who asks"]),
        (Server("en", "gone", private=False), ["English", "all games", "for everyone"]),
    ],
)
def test_settings_are_told_in_words(desk: Desk, server: Server, words: list[str]) -> None:
    lines = desk.settings_words(server, "en").split("\n")
    assert len(lines) == 3
    for line, word in zip(lines, words, strict=True):
        assert word in line
