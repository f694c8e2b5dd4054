"""One section as embeds, view by view and page by page. Pure: data and locale in, reply out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, get_args

import discord

from bot import limits, outline
from bot.chat import markdown
from bot.chat.controls import VIEWS, Control, View
from bot.chat.replies import Button, Menu, Option, Reply, Row
from bot.i18n import Texts
from bot.outline import Block, Part
from bot.policy.pack import Pack
from bot.policy.section import Section
from bot.policy.texts import Locale
from bot.search.index import Hit

COLOURS: Final = (0x2E7D32, 0xF9A825, 0xEF6C00, 0xC62828, 0x8E24AA, 0x4A148C)
"""From the lightest rung of a ladder on; only ever beside words that say the same."""
PAGE: Final = 3500
"""Characters of a page: well below ``limits.EMBED_TOTAL``, and not endless on a phone."""
FIELD: Final = 1000
"""Characters of a field, below ``limits.EMBED_FIELD_VALUE``."""

PARTS: Final[dict[View, tuple[Part, ...]]] = {
    "overview": (
        "missing",
        "reconstructed",
        "definition",
        "parts",
        "table",
        "adjustments",
        "philosophy",
        "notes",
        "conflict",
        "differences",
    ),
    "procedure": ("procedure", "adjustments"),
    "examples": ("examples",),
    "outcomes": ("outcomes",),
    "references": ("references",),
    "whole": get_args(Part),
}
"""What each view shows, in the order of ``outline.blocks``; the definition stands in the head."""


def answer(
    pack: Pack,
    section: Section,
    state: Control,
    texts: Texts,
    *,
    matched: Hit | None = None,
) -> Reply:
    """Return the answer for ``section`` in the view, language and page of ``state``.

    ``matched`` is told when the query was not the section's number or name.
    """
    locale = state.locale
    held = tuple(outline.blocks(pack, section, locale, texts))
    view = state.view if state.view in offered(section, held) else "overview"
    pages = tuple(_pages(pack, section, view, held, locale, texts, matched))
    page = min(state.page, len(pages) - 1)
    embed = pages[page]
    source = outline.source(pack, section, locale, texts)
    marks = [source.title, source.disclaimer]
    if len(pages) > 1:
        marks.insert(0, texts("answer.page", page=page + 1, pages=len(pages)))
    embed.set_footer(text=markdown.cut("\n".join(marks), limits.EMBED_TOTAL - PAGE - 1500))
    shown = replace(state, subject=section.id, view=view, page=page)
    rows = tuple(_rows(pack, section, shown, held, len(pages), texts, source.address))
    return Reply((embed,), rows, private=state.private)


def offered(section: Section, held: Sequence[Block]) -> tuple[View, ...]:
    """Return the views that have something to show for ``section``."""
    parts = {block.part for block in held}
    steps = any(item.procedure for item in section.adjustments)
    return tuple(
        view
        for view in VIEWS
        if view in ("overview", "whole")
        or (view == "procedure" and ("procedure" in parts or steps))
        or (view != "procedure" and parts & set(PARTS[view]))
    )


def _pages(
    pack: Pack,
    section: Section,
    view: View,
    held: Sequence[Block],
    locale: Locale,
    texts: Texts,
    matched: Hit | None,
) -> Iterator[discord.Embed]:
    """Yield the embeds of a view, one a page."""
    penalty = _penalty(pack, section, locale, texts)
    embed = _opened(pack, section, locale, _head(pack, section, view, held, locale, texts, matched))
    wanted = set(PARTS[view]) - {"definition"}  # which stands in the head
    if view == "overview" and section.kind != "infraction":
        wanted |= {"details", "procedure"}
    for block in held:
        if block.part not in wanted:
            continue
        lines = block.lines
        if block.part == "notes":  # under their heading they need no sign of warning
            lines = tuple(replace(line, mark="- ") for line in lines)
        for place, text in enumerate(markdown.blocks(lines, FIELD)):
            name = texts("answer.continued", heading=block.heading) if place else block.heading
            full = len(embed) + len(name) + len(text) > PAGE
            if (full and embed.fields) or len(embed.fields) == limits.EMBED_FIELDS:
                yield embed
                embed = _opened(pack, section, locale, penalty)  # the colour has its words
            embed.add_field(name=name, value=text, inline=False)
    yield embed


def _opened(pack: Pack, section: Section, locale: Locale, head: str) -> discord.Embed:
    embed = discord.Embed(
        title=markdown.cut(markdown.escape(outline.title(section, locale)), limits.EMBED_TITLE),
        description=head or None,
        colour=colour(pack, section),
    )
    embed.set_author(name=markdown.cut(outline.chapter_words(pack, section, locale), 256))
    return embed


def colour(pack: Pack, section: Section) -> int | None:
    """Return the colour of a section's penalty, None without one."""
    codes = [penalty.code for penalty in pack.header.ladder]
    if section.penalty not in codes:
        return None
    return COLOURS[min(codes.index(section.penalty), len(COLOURS) - 1)]


def _head(
    pack: Pack,
    section: Section,
    view: View,
    held: Sequence[Block],
    locale: Locale,
    texts: Texts,
    matched: Hit | None,
) -> str:
    """Return the description: the penalty first, then what the section is."""
    lines: list[str] = []
    penalty = _penalty(pack, section, locale, texts)
    if penalty:
        lines.extend((penalty, _ladder(pack, section, locale)))
    if view in ("overview", "whole"):
        notes = outline.penalty_notes(pack, section, locale, texts)
        lines.extend(f"-# {markdown.escape(note)}" for note in notes)
        for block in held:
            if block.part == "definition":
                lines.extend(("", *markdown.blocks(block.lines, limits.EMBED_FIELD_VALUE * 2)))
    if matched and view == "overview":
        lines.extend(("", f"-# {markdown.escape(why(matched, texts))}"))
    return "\n".join(lines).strip()


def _penalty(pack: Pack, section: Section, locale: Locale, texts: Texts) -> str:
    words = outline.penalty_words(pack, section, locale, texts)
    return f"**{markdown.escape(texts('section.penalty', penalty=words))}**" if words else ""


def _ladder(pack: Pack, section: Section, locale: Locale) -> str:
    """Return the rungs of the ladder from the lightest on, the section's own in bold."""
    rungs = (
        (rung.code, markdown.escape(rung.short.in_locale(locale))) for rung in pack.header.ladder
    )
    return " \\< ".join(
        f"**{words}**" if code == section.penalty else words for code, words in rungs
    )


def why(hit: Hit, texts: Texts) -> str:
    """Return what of a section matched."""
    return texts("matched.why", kind=texts(f"matched.{hit.kind}"), text=hit.text)


def _rows(
    pack: Pack,
    section: Section,
    state: Control,
    held: Sequence[Block],
    pages: int,
    texts: Texts,
    address: str | None,
) -> Iterator[Row]:
    views = offered(section, held)
    yield Menu(
        replace(state, role="view", page=0),
        texts("answer.views"),
        tuple(Option(texts(f"view.{v}"), v, chosen=v == state.view) for v in views),
    )
    related = tuple(_related(pack, section, state.locale, texts))
    if related:
        yield Menu(
            replace(state, role="related", view="overview", page=0),
            texts("answer.related"),
            related,
        )
    other: Locale = "en" if state.locale == "ja" else "ja"
    buttons = [Button(texts("answer.flip"), replace(state, role="flip", locale=other))]
    if pages > 1:
        buttons.append(
            Button(texts("answer.back"), replace(state, role="back", page=(state.page - 1) % pages))
        )
        buttons.append(
            Button(texts("answer.next"), replace(state, role="next", page=(state.page + 1) % pages))
        )
    if state.private:
        buttons.append(Button(texts("answer.publish"), replace(state, role="publish"), main=True))
    if address:
        buttons.append(Button(texts("answer.official"), url=address))
    yield tuple(buttons)


def _related(pack: Pack, section: Section, locale: Locale, texts: Texts) -> Iterator[Option]:
    """Yield the sections that ``section`` refers to, its parts and what it is a part of."""
    ids = {part.id: None for part in pack.parts_of(section)}
    ids |= {item.to: None for item in section.references if item.to}
    ids |= {outcome.under: None for outcome in section.outcomes if outcome.under}
    above = pack.above(section)
    if above:
        ids |= {above.id: None}
    chapter = pack.chapter_of(section)
    if chapter.section:
        ids |= {chapter.section: None}
    ids.pop(section.id, None)
    for section_id in list(ids)[: limits.OPTIONS]:
        other = pack.section(section_id)
        yield option(pack, other, locale, texts)


def option(pack: Pack, section: Section, locale: Locale, texts: Texts) -> Option:
    """Return ``section`` as an option of a menu: its label, and its penalty below."""
    words = outline.penalty_words(pack, section, locale, texts)
    return Option(
        label=markdown.cut(outline.label(section, locale), limits.CHOICE_NAME),
        value=section.id,
        description=markdown.cut(words, limits.CHOICE_NAME),
    )
