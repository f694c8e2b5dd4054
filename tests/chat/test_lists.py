"""Choices, nothing found, penalties, help: complete, bounded, and safe whatever someone typed."""

import re
from dataclasses import replace

import pytest

from bot.chat import controls, lists
from bot.chat.controls import Control
from bot.chat.replies import Button, Menu, Reply
from bot.i18n import Catalogue, shown
from bot.policy.pack import Library
from bot.policy.texts import LOCALES, Locale
from bot.search.index import Hit, Index
from tests.chat.conftest import OWNER
from tests.chat.discord_rules import as_shown, everything, faults

HOSTILE = {
    "mention": "@everyone @here <@1> <@&2> <#3> </x:4>",
    "markdown": "**b** __u__ ~~s~~ ||x|| `c` ```b``` [t](https://x.example) \\",
    "heading": "# h\n## h\n-# h\n> q\n>>> q\n- l\n1. l",
    "stars": "*" * 6000,
    "backslashes": "\\" * 6000,
    "ticks": "`" * 80,
    "brackets": "<" * 80,
    "ats": "@" * 80,
    "right to left": "\u202eabc\u2066def\u200f",
    "long": "あ" * 6000,
    "lines": "a\n\n\n" * 500,
    "emoji": "👨‍👩‍👧‍👦" * 60 + "<:e:123456789012345678>",
    "nul": "a\x00b\x1b[31mc",
    "surrogate": "a\ud800b",
    "braces": "{query} {0} {} %s",
    "empty": "",
}


def state(locale: Locale = "en", *, private: bool = True) -> Control:
    return Control("pick", "", locale, "overview", 0, OWNER, private)


def buttons(reply: Reply) -> list[Button]:
    return [button for row in reply.rows if not isinstance(row, Menu) for button in row]


def description(reply: Reply) -> str:
    return reply.embeds[0].description or ""


def in_quotes(line: str) -> str | None:
    """What the first line of choices, and of nothing found, quotes."""
    found = re.fullmatch(
        r'(?:No section answers|Several sections may answer) "(.*)"\.'
        r"|「(.*)」に(?:当てはまりそうな項目が複数あります|当たる項目はありません)。",
        line,
    )
    return None if found is None else found[1] if found[1] is not None else found[2]


def hits(library: Library) -> tuple[Hit, ...]:
    """Seven hits of both games, by an example of theirs."""
    return tuple(
        Hit(pack, section, 50.0, "example", section.examples[0].en)
        for pack, count in zip(library.packs, (4, 3), strict=True)
        for section in [s for s in pack.sections if s.penalty and s.examples][:count]
    )


def nothing(
    library: Library, catalogue: Catalogue, query: str, locale: Locale = "en", near: int = 3
) -> Reply:
    pack = library.packs[0]
    found = [(pack, section) for section in pack.sections if section.penalty][:near]
    texts = catalogue[locale]
    heading = texts("nothing.near")
    return lists.nothing(query, library.packs, heading, found, state(locale), texts)


@pytest.mark.parametrize("locale", LOCALES)
def test_choices_name_number_name_penalty_and_what_matched(
    library: Library, catalogue: Catalogue, locale: Locale
) -> None:
    found = hits(library)
    assert len(found) > 5
    reply = lists.choices("drew an extra card", found, state(locale), catalogue[locale])
    lines = as_shown(description(reply)).split("\n")
    assert "drew an extra card" in lines[0]
    named = [line for line in lines if re.match(r"\d\. ", line)]
    assert len(named) == 5
    for place, (line, hit) in enumerate(zip(named, found, strict=False), 1):
        name = hit.section.name.in_locale(locale)
        assert line == f"{place}. **{hit.section.number} {name}**"
        below = lines[lines.index(line) + 1]
        assert below.endswith(hit.pack.header.short.in_locale(locale))
        if hit.section.penalty:
            assert below.startswith(hit.pack.penalty(hit.section.penalty).name.in_locale(locale))
        why = lines[lines.index(line) + 2]
        assert why.startswith("-# ")
        assert hit.text[:40] in why
    assert not faults(reply)


def test_choices_by_number_say_nothing_of_a_match(index: Index, catalogue: Catalogue) -> None:
    found = index.search("4.1").hits
    reply = lists.choices("4.1", found, state(), catalogue["en"])
    assert len(description(reply).split("\n")) == 2 + 2 * len(found[:5])
    assert "-#" not in description(reply)


@pytest.mark.parametrize("private", [True, False])
def test_each_choice_has_a_button_that_leads_to_it(
    library: Library, catalogue: Catalogue, private: bool
) -> None:
    found = hits(library)
    reply = lists.choices("x", found, state("ja", private=private), catalogue["ja"])
    assert reply.private, "a choice is for who asks alone; its answer is as private as asked for"
    made = buttons(reply)
    assert len(reply.rows) == 1
    assert len(made) == 5
    for place, (button, hit) in enumerate(zip(made, found, strict=False), 1):
        assert button.label.startswith(f"{place}. {hit.section.name.ja[:10]}")
        assert button.control
        control = controls.read(button.control.custom_id)
        assert (control.role, control.subject, control.locale) == ("pick", hit.section.id, "ja")
        assert (control.owner, control.private) == (OWNER, private)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_whatever_was_typed_is_shown_as_typed_and_in_bounds(
    library: Library, catalogue: Catalogue, locale: Locale, name: str
) -> None:
    query = HOSTILE[name]
    found = hits(library)
    found = (replace(found[0], text=query or "x"), *found[1:])
    for reply in (
        lists.choices(query, found, state(locale), catalogue[locale]),
        nothing(library, catalogue, query, locale),
    ):
        problems = [f for f in faults(reply) if not ("unfilled" in f and name == "braces")]
        assert not problems
        text = everything(reply)
        assert not re.search("[\x00\x1b\u202e\u2066\u200f\ud800]", text)
        assert len(text) < 2500
        (line,) = {
            line for line in as_shown(description(reply)).split("\n") if in_quotes(line) is not None
        }
        assert in_quotes(line) == shown(query, 80)


def test_a_query_is_quoted_in_one_line(library: Library, catalogue: Catalogue) -> None:
    reply = nothing(library, catalogue, "slow\nplay **now**")
    assert description(reply).split("\n")[0] == (r'No section answers "slow play \*\*now\*\*".')


@pytest.mark.parametrize("locale", LOCALES)
def test_nothing_found_tells_what_was_searched_what_is_near_and_how_to_ask(
    library: Library, catalogue: Catalogue, locale: Locale
) -> None:
    reply = nothing(library, catalogue, "xyz", locale)
    text = as_shown(description(reply))
    for pack in library.packs:
        assert pack.header.game.in_locale(locale) in text
    near = [s for s in library.packs[0].sections if s.penalty][:3]
    for place, section in enumerate(near, 1):
        assert f"{section.number} {section.name.in_locale(locale)}" in text
        assert buttons(reply)[place - 1].control == replace(
            state(locale), role="pick", subject=section.id
        )
    assert catalogue[locale]("nothing.near") in text
    assert catalogue[locale]("ask.try") in text
    assert reply.private
    assert not faults(reply)


def test_nothing_found_and_nothing_near_has_no_buttons(
    library: Library, catalogue: Catalogue
) -> None:
    reply = nothing(library, catalogue, "xyz", near=0)
    assert reply.rows == ()
    assert catalogue["en"]("nothing.near") not in description(reply)


def test_at_most_five_are_near(library: Library, catalogue: Catalogue) -> None:
    reply = nothing(library, catalogue, "xyz", near=12)
    assert len(buttons(reply)) == 5
    assert not faults(reply)


def penalty_pages(
    library: Library, catalogue: Catalogue, pack_id: str, locale: Locale, *, private: bool = True
) -> list[Reply]:
    """The pages of a penalty table, from one to the next until the first comes again."""
    pages: list[Reply] = []
    current = replace(state(locale, private=private), role="game", subject=pack_id)
    for _ in range(50):
        pages.append(
            lists.penalties(library, library.pack(pack_id), current, catalogue[current.locale])
        )
        following = [
            b.control for b in buttons(pages[-1]) if b.control and b.control.role == "next"
        ]
        if not following or following[0].page == 0:
            return pages
        current = controls.read(following[0].custom_id)
    pytest.fail("the pages do not end")


def packs_and_locales() -> list[tuple[str, Locale]]:
    return [(pack_id, locale) for pack_id in ("fab", "ygo") for locale in LOCALES]


@pytest.mark.parametrize(("pack_id", "locale"), packs_and_locales())
@pytest.mark.parametrize("private", [True, False])
def test_the_penalty_pages_are_within_limits_and_as_private_as_asked_for(
    library: Library, catalogue: Catalogue, pack_id: str, locale: Locale, private: bool
) -> None:
    for reply in penalty_pages(library, catalogue, pack_id, locale, private=private):
        assert not faults(reply)
        assert reply.private is private


@pytest.mark.parametrize(("pack_id", "locale"), packs_and_locales())
def test_the_ladder_is_complete_and_in_order(
    library: Library, catalogue: Catalogue, pack_id: str, locale: Locale
) -> None:
    text = as_shown("\n".join(map(description, penalty_pages(library, catalogue, pack_id, locale))))
    places = []
    for penalty in library.pack(pack_id).header.ladder:
        heading = f"**{penalty.severity} {penalty.name.in_locale(locale)}**"
        assert text.count(heading) == 1
        assert penalty.effect.in_locale(locale) in text
        places.append(text.index(heading))
    assert places == sorted(places)


@pytest.mark.parametrize(("pack_id", "locale"), packs_and_locales())
def test_every_infraction_stands_once_with_its_penalty(
    library: Library, catalogue: Catalogue, pack_id: str, locale: Locale
) -> None:
    pack = library.pack(pack_id)
    pages = penalty_pages(library, catalogue, pack_id, locale)
    lines = as_shown("\n".join(map(description, pages))).split("\n")
    for section in pack.sections:
        if section.kind != "infraction":
            continue
        label = f"{section.number} {section.name.in_locale(locale)}"
        found = [line for line in lines if line.partition(" ")[2].startswith(label)]
        assert len(found) == 1, label
        if section.penalty:
            assert found[0].startswith("- ")
            assert found[0].endswith(pack.penalty(section.penalty).name.in_locale(locale))
        else:
            assert found[0].endswith(catalogue[locale]("section.penalty_missing"))


@pytest.mark.parametrize(("pack_id", "locale"), packs_and_locales())
def test_the_penalty_pages_are_counted_and_go_round(
    library: Library, catalogue: Catalogue, pack_id: str, locale: Locale
) -> None:
    pages = penalty_pages(library, catalogue, pack_id, locale)
    assert len(pages) > 1
    for number, reply in enumerate(pages):
        footer = reply.embeds[0].footer.text or ""
        words = catalogue[locale]("answer.page", page=number + 1, pages=len(pages))
        assert footer.split("\n")[0] == words
        assert library.pack(pack_id).header.disclaimer.in_locale(locale) in footer
        turned = {b.control.role: b.control.page for b in buttons(reply) if b.control}
        assert turned["back"] == (number - 1) % len(pages)
        assert turned["next"] == (number + 1) % len(pages)


def test_no_page_ends_with_a_heading(library: Library, catalogue: Catalogue) -> None:
    for pack_id, locale in packs_and_locales():
        for reply in penalty_pages(library, catalogue, pack_id, locale):
            last = description(reply).split("\n")[-1]
            assert not (last.startswith("**") and last.endswith("**")), last


def test_the_penalties_of_every_other_game_are_one_click_away(
    library: Library, catalogue: Catalogue
) -> None:
    for pack in library.packs:
        (first, *_) = penalty_pages(library, catalogue, pack.header.id, "ja")
        games = [b for b in buttons(first) if b.control and b.control.role == "game"]
        others = [other for other in library.packs if other.header.id != pack.header.id]
        assert [button.label for button in games] == [other.header.game.ja for other in others]
        for button, other in zip(games, others, strict=True):
            assert button.control
            assert (button.control.subject, button.control.page) == (other.header.id, 0)


def test_many_games_stay_within_five_rows(library: Library, catalogue: Catalogue) -> None:
    pack = library.packs[0]
    many = tuple(
        pack.model_copy(update={"header": pack.header.model_copy(update={"id": f"g{chr(97 + n)}"})})
        for n in range(26)
    )
    crowd = Library(packs=(pack, *many))
    assert not faults(lists.penalties(crowd, pack, state(), catalogue["en"]))


@pytest.mark.parametrize("locale", LOCALES)
def test_the_other_language_shows_the_same_page(
    library: Library, catalogue: Catalogue, locale: Locale
) -> None:
    for number, reply in enumerate(penalty_pages(library, catalogue, "fab", locale)):
        flip = next(b.control for b in buttons(reply) if b.control and b.control.role == "flip")
        assert flip.locale != locale
        assert (flip.page, flip.subject) == (number, "fab")


@pytest.mark.parametrize("locale", LOCALES)
def test_help_has_examples_commands_and_rulebooks(
    library: Library, catalogue: Catalogue, locale: Locale
) -> None:
    reply = lists.helped(library, catalogue[locale], locale)
    text = description(reply)
    for name in ("infraction", "penalties", "settings", "language"):
        assert f"/{catalogue[locale](f'command.{name}.name')}" in text
    assert catalogue[locale]("command.message.name") in text
    for pack in library.packs:
        assert pack.header.name.in_locale(locale) in as_shown(text)
    assert reply.private
    assert not faults(reply)


@pytest.mark.parametrize("locale", LOCALES)
def test_about_names_editions_version_and_how_it_searches(
    library: Library, catalogue: Catalogue, locale: Locale
) -> None:
    for understands, key in ((True, "about.meaning"), (False, "about.words")):
        reply = lists.about(
            library, catalogue[locale], locale, version="9.8.7", understands=understands
        )
        text = as_shown(description(reply))
        assert catalogue[locale](key) in text
        assert catalogue[locale]("about.privacy") in text
        for pack in library.packs:
            assert pack.header.name.in_locale(locale) in text
            assert [
                line
                for line in text.split("\n")
                if re.search(r"20\d\d-\d\d-\d\d|日付|undated", line)
            ]
        assert reply.embeds[0].footer.text == "Gunbai 9.8.7"
        assert reply.private
        assert not faults(reply)


def test_a_word_is_private_and_has_no_buttons() -> None:
    reply = lists.said("done")
    assert (description(reply), reply.rows, reply.private) == ("done", (), True)
    assert not faults(reply)
