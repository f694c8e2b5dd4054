"""Replies that are no single section: choices, nothing found, penalties, help. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import discord

from bot import limits, outline
from bot.chat import markdown
from bot.chat.controls import Control
from bot.chat.render import FIELD, PAGE, why
from bot.chat.replies import Button, Reply, Row
from bot.i18n import Texts, shown
from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.policy.texts import Locale
from bot.search.index import Hit

CHOICES: Final = 5
"""Most sections offered to choose from: one row of buttons."""
QUOTED: Final = 80
"""Most characters shown of what someone typed."""
WHY: Final = 70
"""Characters of what matched: two or three rows on a phone."""
COLOUR: Final = 0x455A64


def choices(query: str, hits: Sequence[Hit], state: Control, texts: Texts) -> Reply:
    """Return up to five sections to choose from, one button each."""
    lines = [markdown.escape(texts("choices.intro", query=shown(query, QUOTED))), ""]
    for place, hit in enumerate(hits[:CHOICES], 1):
        lines.append(_line(place, hit.pack, hit.section, state.locale, texts))
        if hit.kind != "number":
            lines.append(f"-# {markdown.escape(markdown.cut(why(hit, texts), WHY))}")
    found = tuple((hit.pack, hit.section) for hit in hits[:CHOICES])
    return Reply((_card(texts("choices.title"), lines),), _picks(found, state, texts))


def nothing(
    query: str,
    searched: Sequence[Pack],
    heading: str,
    near: Sequence[tuple[Pack, Section]],
    state: Control,
    texts: Texts,
) -> Reply:
    """Return that nothing was found, what was searched, the nearest names and how to ask."""
    games = texts("list.comma").join(p.header.game.in_locale(state.locale) for p in searched)
    lines = [
        markdown.escape(texts("nothing.query", query=shown(query, QUOTED))),
        texts("nothing.searched", games=games),
        texts("ask.try"),
    ]
    if near:
        lines.extend(("", f"**{heading}**"))
        lines.extend(
            _line(place, pack, section, state.locale, texts)
            for place, (pack, section) in enumerate(near[:CHOICES], 1)
        )
    return Reply((_card(texts("nothing.title"), lines),), _picks(near[:CHOICES], state, texts))


def _line(place: int, pack: Pack, section: Section, locale: Locale, texts: Texts) -> str:
    """Return a section's number and name, and below them its penalty and document."""
    document = pack.header.short.in_locale(locale)
    words = outline.penalty_words(pack, section, locale, texts)
    if words and not section.penalty and section.kind == "infraction":
        words = texts("section.penalty", penalty=words)  # "not in the text" alone says not what
    below = texts("choices.below", penalty=words, document=document) if words else document
    label = markdown.escape(outline.label(section, locale))
    return f"{place}\\. **{label}**\n{markdown.escape(below)}"


def _picks(found: Sequence[tuple[Pack, Section]], state: Control, texts: Texts) -> tuple[Row, ...]:
    buttons = tuple(
        Button(
            markdown.cut(
                texts("choices.button", place=place, name=section.name.in_locale(state.locale)),
                limits.BUTTON_LABEL,
            ),
            replace(state, role="pick", subject=section.id),
        )
        for place, (_, section) in enumerate(found, 1)
    )
    return (buttons,) if buttons else ()


def penalties(library: Library, pack: Pack, state: Control, texts: Texts) -> Reply:
    """Return one page of a game's ladder and quick-reference table."""
    pages = tuple(_penalty_pages(pack, state.locale, texts))
    page = min(state.page, len(pages) - 1)
    turned = replace(state, subject=pack.header.id, page=page)
    embed = pages[page]
    disclaimer = pack.header.disclaimer.in_locale(state.locale)
    number = texts("answer.page", page=page + 1, pages=len(pages))
    embed.set_footer(text=f"{number}\n{disclaimer}")
    buttons = []
    if len(pages) > 1:
        last, following = (page - 1) % len(pages), (page + 1) % len(pages)
        buttons.append(Button(texts("answer.back"), replace(turned, role="back", page=last)))
        buttons.append(Button(texts("answer.next"), replace(turned, role="next", page=following)))
    other: Locale = "en" if state.locale == "ja" else "ja"
    buttons.append(Button(texts("answer.flip"), replace(turned, role="flip", locale=other)))
    games = tuple(
        Button(
            markdown.cut(other_pack.header.game.in_locale(state.locale), limits.BUTTON_LABEL),
            replace(turned, role="game", subject=other_pack.header.id, page=0),
        )
        for other_pack in library.packs
        if other_pack.header.id != pack.header.id
    )
    rows: list[Row] = [tuple(buttons)]
    rows.extend(games[start : start + 5] for start in range(0, min(len(games), 20), 5))
    return Reply((embed,), tuple(rows), private=state.private)


def _penalty_pages(pack: Pack, locale: Locale, texts: Texts) -> Iterator[discord.Embed]:
    title = f"{pack.header.game.in_locale(locale)} {pack.header.name.in_locale(locale)}"
    lines = tuple(outline.ladder(pack, locale))
    for text in markdown.blocks(lines, PAGE):
        yield discord.Embed(
            title=markdown.cut(markdown.escape(title), limits.EMBED_TITLE),
            description=f"**{texts('penalties.ladder')}**\n{text}",
            colour=COLOUR,
        )
    for text in markdown.blocks(outline.table(pack, locale, texts), 2 * FIELD):
        yield discord.Embed(
            title=markdown.cut(markdown.escape(title), limits.EMBED_TITLE),
            description=text,
            colour=COLOUR,
        )


def helped(library: Library, texts: Texts, locale: Locale) -> Reply:
    """Return how to ask, with examples, and which rulebooks there are."""
    games = _editions(library, locale, texts)
    lines = [texts("help.ask"), "", texts("help.commands"), "", texts("help.games"), games]
    return Reply((_card(texts("help.title"), lines),))


def about(
    library: Library, texts: Texts, locale: Locale, *, version: str, understands: bool
) -> Reply:
    """Return what this is, its rulebooks with their editions, and how it searches."""
    games = _editions(library, locale, texts)
    how = texts("about.meaning" if understands else "about.words")
    lines = [texts("about.what"), "", texts("help.games"), games, "", how, texts("about.privacy")]
    card = _card(texts("about.title"), lines)
    card.set_footer(text=f"Gunbai {version}")
    return Reply((card,))


def _editions(library: Library, locale: Locale, texts: Texts) -> str:
    lines = []
    for pack in library.packs:
        edition = outline.edition_of(pack, locale)
        dated = edition.date.isoformat() if edition.date else texts("edition.undated")
        language = texts(f"language.{edition.language}")
        name = f"{pack.header.game.in_locale(locale)} {pack.header.name.in_locale(locale)}"
        words = texts("list.edition", title=name, language=language, date=dated)
        lines.append(f"- {markdown.escape(words)}")
    return "\n".join(lines)


def said(words: str, *, title: str = "") -> Reply:
    """Return a short private word."""
    return Reply((discord.Embed(title=title or None, description=words, colour=COLOUR),))


def _card(title: str, lines: Sequence[str]) -> discord.Embed:
    text = markdown.cut("\n".join(lines), limits.EMBED_DESCRIPTION)
    return discord.Embed(title=title, description=text, colour=COLOUR)
