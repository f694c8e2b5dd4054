"""The pictures for the README: all of them can be drawn, and nothing in them is taken for HTML."""

from pathlib import Path

import discord
import pytest

from bot import resources
from bot.chat.asker import Asker
from bot.chat.controls import Control
from bot.chat.desk import Desk
from bot.chat.metrics import Metrics
from bot.chat.replies import Button, Menu, Option, Reply
from bot.chat.shelf import Shelf
from bot.i18n import Catalogue
from pictures import browser, markdown, page, scenes

HOSTILE = '<script>alert("1")</script>&amp;"><img src=x onerror=alert(1)>'


@pytest.fixture(scope="module")
def desk(catalogue: Catalogue, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    shelf = Shelf(resources.folder("policy_data"), tmp_path_factory.mktemp("cache"), catalogue)
    shelf.current.index.wait()
    return Desk(shelf, catalogue, Metrics())


def test_every_picture_can_be_drawn_in_both_languages(desk: Desk) -> None:
    drawn = {picture.name: picture.html for picture in scenes.pictures(desk)}
    names = ("answer", "choices", "nothing", "typing", "penalties", "table")
    assert set(drawn) == {f"{name}-{locale}" for name in names for locale in ("ja", "en")}
    for locale, penalty, title in (
        ("ja", "知力ペナルティ", "見つかりませんでした"),
        ("en", "Intellect Penalty", "Nothing found"),
    ):
        assert f'<html lang="{locale}">' in drawn[f"answer-{locale}"]
        assert penalty in drawn[f"answer-{locale}"]
        assert drawn[f"choices-{locale}"].count('class="button"') == 5
        assert drawn[f"typing-{locale}"].count('class="option"') >= 3
        assert title in drawn[f"nothing-{locale}"]
        assert drawn[f"table-{locale}"].count('class="item"') > 20


def test_every_picture_that_is_kept_is_one_that_is_drawn(desk: Desk) -> None:
    files = (Path(__file__).parent.parent / "docs" / "pictures").glob("*.png")
    assert {file.stem for file in files} == {picture.name for picture in scenes.pictures(desk)}


def test_a_hostile_query_stays_text(desk: Desk) -> None:
    reply = desk.lookup(HOSTILE, Asker(id=1, locale="en", game=None, private=False))
    html = page.answered(reply, HOSTILE, "en")
    assert "<script" not in html
    assert "<img" not in html


def test_hostile_text_in_every_place_stays_text() -> None:
    embed = discord.Embed(title=HOSTILE, description=f"- {HOSTILE}\n-# {HOSTILE}\n  {HOSTILE}")
    embed.set_author(name=HOSTILE).set_footer(text=HOSTILE).add_field(name=HOSTILE, value=HOSTILE)
    control = Control("view", "a:1", "en", "overview", 0, 1, private=True)
    options = (Option(HOSTILE, "a", HOSTILE, chosen=True),)
    rows = (Menu(control, HOSTILE, options), (Button(HOSTILE, control), Button(HOSTILE, url="x:")))
    answered = page.answered(Reply((embed,), rows), HOSTILE, "en")
    typed = page.typing(options, HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    assert "<script" not in answered + typed
    assert "<img" not in answered + typed
    assert answered.count("&lt;script&gt;") == 12
    assert typed.count("&lt;script&gt;") == 5
    assert "&amp;amp;" in answered  # and is not read as an entity either


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**a** b", "<div><strong>a</strong> b</div>"),
        (r"1\. \*a\* \< `b*`", "<div>1. *a* &lt; <code>b*</code></div>"),
        ("-# a", '<div class="small">a</div>'),
        ("a\n\nb", "<div>a</div><div><br></div><div>b</div>"),
        ("  a", "<div>  a</div>"),
        ("1. a", '<div class="item" style="--level: 0"><b>1.</b><span>a</span></div>'),
    ],
)
def test_markdown_is_read_as_discord_does(text: str, html: str) -> None:
    assert markdown.lines(text) == html


def test_only_an_indented_line_continues_an_item() -> None:
    assert markdown.lines("- a\n  b\nc").endswith(
        '<div class="item"><b></b><span>b</span></div><div>c</div>'
    )


@pytest.mark.parametrize(
    ("there", "message"),
    [
        ((), "apt install chromium"),
        (("chromium",), "fontconfig"),
        (("chromium", "fc-list"), "noto"),
    ],
)
def test_what_is_missing_is_named(
    there: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: name if name in there else None)
    monkeypatch.setattr(browser, "_run", lambda _: "")
    with pytest.raises(browser.MissingError, match=message):
        browser.found()
