"""Every section in every language, view and page as Discord gets it: within limits, whole, plain."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from bot import outline
from bot.chat import controls, markdown, render
from bot.chat.controls import VIEWS, Control, View
from bot.chat.replies import Button, Menu, Reply, view
from bot.i18n import Catalogue
from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.policy.texts import LOCALES, Locale, Text
from bot.search.index import Hit
from tests.chat.conftest import OWNER
from tests.chat.discord_rules import as_shown, everything, faults, squeezed
from tests.e2e.standin.limits import check_message
from tests.terminal.test_render import texts_of


@dataclass(frozen=True)
class Shown:
    """One section in one language and view, page by page."""

    pack: Pack
    section: Section
    locale: Locale
    view: View
    private: bool
    pages: tuple[Reply, ...]

    @property
    def name(self) -> str:
        return f"{self.section.id} {self.locale} {self.view}"


def answer(
    library: Library,
    catalogue: Catalogue,
    section_id: str,
    locale: Locale = "en",
    *,
    view: View = "overview",
    page: int = 0,
    private: bool = True,
    matched: Hit | None = None,
) -> Reply:
    state = Control("view", section_id, locale, view, page, OWNER, private)
    return answered(library, catalogue, state, matched)


def answered(
    library: Library, catalogue: Catalogue, state: Control, matched: Hit | None = None
) -> Reply:
    pack = library.pack(state.subject.partition(":")[0])
    section = pack.section(state.subject)
    return render.answer(pack, section, state, catalogue[state.locale], matched=matched)


def buttons(reply: Reply) -> list[Button]:
    return [button for row in reply.rows if not isinstance(row, Menu) for button in row]


def control(reply: Reply, role: str) -> Control | None:
    """What the button with this role leads to, by way of its custom id."""
    found = [b.control for b in buttons(reply) if b.control and b.control.role == role]
    assert len(found) <= 1
    return controls.read(found[0].custom_id) if found else None


def menu(reply: Reply, role: str) -> Menu | None:
    return next((r for r in reply.rows if isinstance(r, Menu) and r.control.role == role), None)


def description(reply: Reply) -> str:
    return reply.embeds[0].description or ""


def walk(library: Library, catalogue: Catalogue, first: Reply) -> Iterator[Reply]:
    """Yield a view's pages, from one to the next until the first comes again."""
    reply = first
    for _ in range(100):
        yield reply
        following = control(reply, "next")
        if following is None or following.page == 0:
            return
        reply = answered(library, catalogue, following)
    pytest.fail("the pages do not end")


@pytest.fixture(scope="module")
def shown(library: Library, catalogue: Catalogue) -> tuple[Shown, ...]:
    found = []
    for pack in library.packs:
        for section in pack.sections:
            for locale in LOCALES:
                for private in (True, False):
                    first = answer(library, catalogue, section.id, locale, private=private)
                    offered = menu(first, "view")
                    assert offered
                    for option in offered.options:
                        wanted = next(name for name in VIEWS if name == option.value)
                        start = answer(
                            library,
                            catalogue,
                            section.id,
                            locale,
                            view=wanted,
                            private=private,
                        )
                        pages = tuple(walk(library, catalogue, start))
                        found.append(Shown(pack, section, locale, wanted, private, pages))
    return tuple(found)


def test_every_page_of_every_view_is_within_discords_limits(shown: tuple[Shown, ...]) -> None:
    wrong = {
        f"{one.name} {page}": found
        for one in shown
        for page, reply in enumerate(one.pages)
        if (found := faults(reply))
    }
    assert not wrong


@pytest.mark.asyncio
async def test_the_stand_in_for_discord_takes_every_page(shown: tuple[Shown, ...]) -> None:
    for one in shown:
        for reply in one.pages:
            embeds = [embed.to_dict() for embed in reply.embeds]
            check_message({"embeds": embeds, "components": view(reply.rows).to_components()}, ())


def test_a_reply_is_as_private_as_asked_for(shown: tuple[Shown, ...]) -> None:
    for one in shown:
        for reply in one.pages:
            assert reply.private is one.private
            assert (control(reply, "publish") is not None) is one.private, one.name
            for button in buttons(reply):
                assert button.control is None or button.control.private is one.private
                assert button.control is None or button.control.owner == OWNER


def test_pages_are_counted_and_go_round(library: Library, catalogue: Catalogue) -> None:
    for section_id in sorted(library.ids):
        for locale in LOCALES:
            first = answer(library, catalogue, section_id, locale, view="whole")
            pages = list(walk(library, catalogue, first))
            if len(pages) == 1:
                assert control(first, "next") is None
                assert control(first, "back") is None
                continue
            for number, reply in enumerate(pages):
                footer = reply.embeds[0].footer.text or ""
                words = catalogue[locale]("answer.page", page=number + 1, pages=len(pages))
                assert footer.startswith(words)
                back, following = control(reply, "back"), control(reply, "next")
                assert back
                assert following
                assert back.page == (number - 1) % len(pages)
                assert following.page == (number + 1) % len(pages)


def test_a_page_that_is_no_more_shows_the_last(library: Library, catalogue: Catalogue) -> None:
    first = answer(library, catalogue, "fab:1.2", "en", view="whole")
    last = list(walk(library, catalogue, first))[-1]
    beyond = answer(library, catalogue, "fab:1.2", "en", view="whole", page=999)
    assert beyond.embeds[0] == last.embeds[0]


def test_the_whole_view_loses_nothing(shown: tuple[Shown, ...]) -> None:
    for one in shown:
        if one.view == "whole":
            whole = squeezed(as_shown("".join(map(everything, one.pages))))
            lost = [t for t in texts_of(one.section, one.locale) if squeezed(t) not in whole]
            assert not lost, one.name


def test_no_line_is_cut_that_fits(shown: tuple[Shown, ...], catalogue: Catalogue) -> None:
    """A line of the longest section is shorter than a field, so every line stands whole in one."""
    for one in shown:
        texts = catalogue[one.locale]
        parts = set(render.PARTS[one.view]) - {"definition"}
        fields = [field.value or "" for reply in one.pages for field in reply.embeds[0].fields]
        fields.append(description(one.pages[0]))
        for block in outline.blocks(one.pack, one.section, one.locale, texts):
            for line in block.lines if block.part in parts else ():
                whole = markdown.escape(line.text)
                assert any(whole in field for field in fields), f"{one.name}: {line.text}"


def test_nothing_ends_with_an_ellipsis_that_the_rule_data_do_not_have(
    shown: tuple[Shown, ...],
) -> None:
    for one in shown:
        own = "".join(texts_of(one.section, one.locale)).count("…")
        assert own or "…" not in "".join(map(everything, one.pages)), one.name
        for reply in one.pages:
            related = menu(reply, "related")
            for option in related.options if related else ():
                assert "…" not in option.label + option.description, one.name


def test_the_penalty_is_the_first_line_and_stands_on_its_ladder(
    shown: tuple[Shown, ...], catalogue: Catalogue
) -> None:
    for one in shown:
        if one.view != "overview" or not one.section.penalty:
            continue
        penalty = one.pack.penalty(one.section.penalty)
        first, second = as_shown(description(one.pages[0])).split("\n")[:2]
        name = penalty.name.in_locale(one.locale)
        assert first == f"**{catalogue[one.locale]('section.penalty', penalty=name)}**", one.name
        rungs = [rung.short.in_locale(one.locale) for rung in one.pack.header.ladder]
        own = penalty.short.in_locale(one.locale)
        bold = " < ".join(f"**{own}**" if rung == own else rung for rung in rungs)
        assert second == bold, one.name


def test_an_infraction_whose_penalty_is_lost_says_so_first(shown: tuple[Shown, ...]) -> None:
    lost = [one for one in shown if one.section.kind == "infraction" and not one.section.penalty]
    assert lost
    for one in lost:
        first = description(one.pages[0]).split("\n")[0]
        assert ("記載なし" if one.locale == "ja" else "not in the text") in first
        assert description(one.pages[0]).count("**") == 2, "no rung is its own"


def test_the_colour_is_never_the_only_sign(shown: tuple[Shown, ...]) -> None:
    """Whatever view and page someone looks at: where there is a colour, words say the same."""
    for one in shown:
        for reply in one.pages:
            if reply.embeds[0].colour is not None:
                assert one.section.penalty
                name = one.pack.penalty(one.section.penalty).name.in_locale(one.locale)
                assert name in as_shown(description(reply)).split("\n")[0], one.name


def test_the_colour_darkens_with_the_ladder(library: Library) -> None:
    for pack in library.packs:
        held = {
            penalty.code: colour.pop()
            for penalty in pack.header.ladder
            if (
                colour := {
                    render.colour(pack, section)
                    for section in pack.sections
                    if section.penalty == penalty.code
                }
            )
            and len(colour) == 1
        }
        assert len(set(held.values())) == len(held)
        assert {render.colour(pack, s) for s in pack.sections if not s.penalty} <= {None}


def test_the_footer_names_document_edition_language_and_that_it_is_unofficial(
    shown: tuple[Shown, ...],
) -> None:
    for one in shown:
        for reply in one.pages:
            footer = reply.embeds[0].footer.text or ""
            header = one.pack.header
            assert header.name.in_locale(one.locale) in footer
            editions = {edition.language: edition for edition in header.editions}
            edition = editions.get(one.locale, header.editions[0])
            undated = "日付なし" if one.locale == "ja" else "undated"
            assert (edition.date.isoformat() if edition.date else undated) in footer
            names = {
                "ja": {"ja": "日本語", "en": "英語"},
                "en": {"ja": "Japanese", "en": "English"},
            }
            assert names[one.locale][edition.language] in footer
            assert ("非公式" if one.locale == "ja" else "Unofficial") in footer
            assert header.disclaimer.in_locale(one.locale) in footer


def test_the_title_has_the_number_and_both_names(shown: tuple[Shown, ...]) -> None:
    for one in shown:
        for reply in one.pages:
            title = as_shown(reply.embeds[0].title or "")
            own = one.section.name.in_locale(one.locale)
            assert title.startswith(f"{one.section.number} {own}"), one.name
            assert one.section.name.en in title
            assert one.section.name.ja in title


def test_the_author_line_has_document_and_chapter(shown: tuple[Shown, ...]) -> None:
    for one in shown:
        chapter = one.pack.chapter_of(one.section)
        for reply in one.pages:
            author = reply.embeds[0].author.name or ""
            assert one.pack.header.short.in_locale(one.locale) in author
            assert chapter.name.in_locale(one.locale) in author


def test_raised_and_lowered_penalties_have_an_arrow_and_words(
    shown: tuple[Shown, ...],
) -> None:
    seen = set()
    for one in shown:
        if one.view not in ("overview", "procedure", "whole"):
            continue
        lines = [
            as_shown(line)
            for reply in one.pages
            for field in reply.embeds[0].fields
            for line in (field.value or "").split("\n")
        ]
        up = [line for line in lines if line.startswith("▲")]
        down = [line for line in lines if line.startswith("▼")]
        adjustments = one.section.adjustments
        assert len(up) == sum(item.direction == "upgrade" for item in adjustments), one.name
        assert len(down) == sum(item.direction == "downgrade" for item in adjustments), one.name
        for item, line in zip(
            sorted(adjustments, key=lambda item: item.direction == "downgrade"),
            (*up, *down),
            strict=True,
        ):
            assert re.search(r"\w", line)
            if item.to and not item.added:
                assert one.pack.penalty(item.to).name.in_locale(one.locale) in line, one.name
                words = (
                    {"ja": "格上げ", "en": "Raised"}
                    if item.direction == "upgrade"
                    else {"ja": "格下げ", "en": "Lowered"}
                )
                assert words[one.locale] in line
            seen.add((item.direction, item.force))
    assert ("upgrade", "must") in seen
    assert ("downgrade", "may") in seen


def test_the_menu_offers_exactly_the_views_that_have_something(
    library: Library, catalogue: Catalogue
) -> None:
    for section_id in sorted(library.ids):
        section = library.section(section_id)
        held = {
            "overview": True,
            "procedure": section.procedure or any(item.procedure for item in section.adjustments),
            "examples": section.examples,
            "outcomes": section.outcomes,
            "references": section.references,
            "whole": True,
        }
        for locale in LOCALES:
            offered = menu(answer(library, catalogue, section_id, locale), "view")
            assert offered
            assert [option.value for option in offered.options] == [v for v in VIEWS if held[v]]
            assert [o.value for o in offered.options if o.chosen] == ["overview"]


def test_each_view_shows_what_it_is_named_for(shown: tuple[Shown, ...]) -> None:
    for one in shown:
        held: dict[View, Sequence[Text]] = {
            "overview": [one.section.definition] if one.section.definition else [],
            "procedure": one.section.procedure,
            "examples": one.section.examples,
            "outcomes": [item.text for item in one.section.outcomes],
            "references": [item.why for item in one.section.references],
            "whole": [],
        }
        text = squeezed(as_shown("".join(map(everything, one.pages))))
        for passage in held[one.view]:
            assert squeezed(passage.in_locale(one.locale)) in text, one.name
        chosen = menu(one.pages[0], "view")
        assert chosen
        assert [o.value for o in chosen.options if o.chosen] == [one.view]


def test_a_view_that_has_nothing_shows_the_overview(library: Library, catalogue: Catalogue) -> None:
    for section_id in sorted(library.ids):
        if not library.section(section_id).examples:
            instead = answer(library, catalogue, section_id, view="examples")
            assert instead.embeds == answer(library, catalogue, section_id).embeds


def test_a_section_that_is_no_infraction_shows_its_details_at_once(
    library: Library, catalogue: Catalogue
) -> None:
    for section_id in sorted(library.ids):
        section = library.section(section_id)
        if section.kind != "infraction":
            first = answer(library, catalogue, section_id, "ja")
            text = squeezed(
                as_shown("".join(everything(page) for page in walk(library, catalogue, first)))
            )
            for passage in (*section.details, *section.procedure):
                assert squeezed(passage.ja) in text, section_id


def test_the_other_language_is_one_click_away_and_back(
    library: Library, catalogue: Catalogue, shown: tuple[Shown, ...]
) -> None:
    for one in shown:
        flip = control(one.pages[0], "flip")
        assert flip
        assert flip.locale != one.locale
        assert flip.view == one.view
        back = control(answered(library, catalogue, flip), "flip")
        assert back
        assert answered(library, catalogue, back).embeds == one.pages[0].embeds


def test_related_sections_exist_and_are_not_the_section_itself(
    library: Library, shown: tuple[Shown, ...]
) -> None:
    some = 0
    for one in shown:
        related = menu(one.pages[0], "related")
        for option in related.options if related else ():
            some += 1
            other = library.section(option.value)
            assert option.value != one.section.id
            assert other.name.in_locale(one.locale) in option.label
            if other.penalty:
                penalty = one.pack.penalty(other.penalty)
                assert option.description == penalty.name.in_locale(one.locale)
    assert some


def test_the_official_text_is_linked_where_it_has_an_address(shown: tuple[Shown, ...]) -> None:
    linked = set()
    for one in shown:
        urls = [button.url for button in buttons(one.pages[0]) if button.url]
        known = one.pack.url(one.section, one.locale)
        assert not known or urls == [known], one.name
        assert all(url.startswith("https://") for url in urls)
        linked.update(urls)
    assert linked


def test_what_matched_is_told_in_the_overview(library: Library, catalogue: Catalogue) -> None:
    pack = library.pack("fab")
    hit = Hit(pack, pack.section("fab:3.3"), 90.0, "alias", "slow_play*")
    told = answer(library, catalogue, "fab:3.3", matched=hit)
    assert description(told).endswith("-# also called: slow\\_play\\*")
    assert not faults(told)
    untold = answer(library, catalogue, "fab:3.3")
    assert "also called" not in description(untold)
    elsewhere = answer(library, catalogue, "fab:3.3", view="whole", matched=hit)
    assert "also called" not in description(elsewhere)


@pytest.mark.parametrize("locale", LOCALES)
def test_whom_the_penalty_hits_and_what_repeats_bring_stands_below_it(
    library: Library, catalogue: Catalogue, locale: Locale
) -> None:
    text = description(answer(library, catalogue, "fab:3.1", locale))
    lines = text.split("\n")
    assert lines[2].startswith("-# ")
    assert ("ヘッドジャッジ" if locale == "ja" else "Head Judge") in lines[2]
