"""What people do with the bot, from the first question on, with the bot as a process of its own."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from bot import __version__, limits
from bot.i18n import Catalogue
from bot.policy.pack import Library
from tests.e2e.process import NO_ENCODER, WORDS, Bot, free_port
from tests.e2e.stage import CLIENT, Locale, Stage, has, named, values
from tests.e2e.standin import StandIn
from tests.e2e.standin.exchange import TOKEN_LIFE
from tests.e2e.standin.people import IN_PRIVATE_CHANNEL

pytestmark = pytest.mark.asyncio(loop_scope="module")
both = pytest.mark.parametrize("locale", ["en", "ja"])

CERTAIN, LONG = "fab 3.3", "fab:2.1"
SLOW = {"en": "Slow Play", "ja": "スロープレイ"}
COMMANDS = r"^/applications/\d+/commands$"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(
    openapi: Path | None,
    cache: Path,
    catalogue: Catalogue,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("scenarios")
    async with StandIn(openapi) as standin, Bot(standin, folder, cache) as bot:
        stage = Stage(standin, bot, catalogue)
        yield stage
        assert await bot.terminate() == 0, bot.log
        assert "Traceback" not in bot.log, bot.log
        stage.check()


@both
async def test_a_clear_question_gets_a_public_answer_with_the_penalty_first(
    stage: Stage, locale: Locale, library: Library
) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    answer = (await stage.ask(CERTAIN, user, guild)).message
    assert not answer.ephemeral
    assert SLOW[locale] in answer.embeds[0]["title"]
    penalty = {"en": "Caution", "ja": "注意"}[locale]
    assert answer.embeds[0]["description"].startswith(f"**{texts('section.penalty', penalty='')}")
    assert penalty in answer.embeds[0]["description"].splitlines()[0]
    disclaimer = library.packs[0].header.disclaimer.in_locale(locale)
    assert disclaimer.splitlines()[0] in answer.embeds[0]["footer"]["text"]


@both
async def test_typing_offers_short_labels_with_ids_as_values(stage: Stage, locale: Locale) -> None:
    user, guild = stage.person(CLIENT[locale]), await stage.place()
    for typed in ("", "s", "slow", "ス", "ちこく", "3.3", "chikoku"):
        sent = await stage.standin.interact.autocomplete(
            "infraction", {"query": typed}, focused="query", user=user, guild=guild
        )
        choices = stage.answered(await sent.response()).choices
        assert 0 < len(choices) <= limits.OPTIONS, typed
        assert all(len(choice["name"]) <= limits.CHOICE_NAME for choice in choices)
        assert all(":" in choice["value"] for choice in choices)


@both
async def test_a_suggestion_that_is_picked_is_answered_at_once(
    stage: Stage, locale: Locale
) -> None:
    user, guild = stage.person(CLIENT[locale]), await stage.place()
    typed = {"query": "slow play", "game": "fab"}
    sent = await stage.standin.interact.autocomplete(
        "infraction", typed, focused="query", user=user, guild=guild
    )
    first = stage.answered(await sent.response()).choices[0]
    assert first["value"] == "fab:3.3"
    answer = (await stage.ask(first["value"], user, guild)).message
    assert SLOW[locale] in answer.embeds[0]["title"]
    assert not answer.ephemeral


@pytest.mark.parametrize("asking", ["en", "ja"])
@pytest.mark.parametrize("labelled", ["en", "ja"])
async def test_a_label_in_either_language_is_its_section(
    stage: Stage, asking: Locale, labelled: Locale
) -> None:
    """Clients send what is in the box when a suggestion was not touched."""
    typed = {"query": "3.1", "game": "fab", "language": labelled}
    user = stage.person(CLIENT[asking])
    sent = await stage.standin.interact.autocomplete(
        "infraction", typed, focused="query", user=user
    )
    label = stage.answered(await sent.response()).choices[0]["name"]
    answer = (await stage.ask(label, user)).message
    assert {"en": "Tardiness", "ja": "遅刻"}[asking] in answer.embeds[0]["title"]
    assert "fab:3.1" in named(answer, stage.catalogue[asking]("answer.flip"))


@both
async def test_an_unclear_question_gets_a_private_list_and_the_choice_is_posted(
    stage: Stage, locale: Locale
) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    asked = await stage.ask(SLOW[locale], user, guild)
    assert asked.ephemeral
    assert asked.message.embeds[0]["title"] == texts("choices.title")
    labels = [control["label"] for control in asked.message.controls]
    assert [label.partition(".")[0] for label in labels] == [str(n + 1) for n in range(len(labels))]
    picked = await stage.press(asked.message, labels[0], user)
    posted = await picked.follow_up()
    assert not posted.ephemeral
    assert SLOW[locale] in posted.embeds[0]["title"]
    assert asked.message.controls == []
    assert texts("click.picked", label="").strip() in asked.message.text


async def test_a_choice_that_was_asked_for_in_private_stays_private(stage: Stage) -> None:
    user, guild = stage.person(), await stage.place()
    asked = await stage.ask("slow play", user, guild, private=True)
    picked = await stage.press(asked.message, asked.message.controls[0]["label"], user)
    assert picked.message is asked.message
    assert picked.follow_ups == []
    assert "Slow Play" in asked.message.embeds[0]["title"]


@both
async def test_the_language_is_flipped_in_place_and_back(stage: Stage, locale: Locale) -> None:
    other: Locale = "ja" if locale == "en" else "en"
    user, guild = stage.person(CLIENT[locale]), await stage.place()
    answer = (await stage.ask(CERTAIN, user, guild)).message
    before = answer.payload["embeds"]
    flipped = await stage.press(answer, stage.catalogue[locale]("answer.flip"), user)
    assert flipped.message is answer
    assert stage.catalogue[other]("section.penalty", penalty="") in answer.text
    await stage.press(answer, stage.catalogue[other]("answer.flip"), user)
    assert answer.embeds == before


@both
async def test_every_view_of_the_menu_keeps_the_penalty_first(stage: Stage, locale: Locale) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    answer = (await stage.ask(LONG, user, guild)).message
    views = values(answer, texts("answer.views"))
    assert views[0] == "overview"
    assert views[-1] == "whole"
    assert "examples" in views
    for view in views:
        await stage.press(answer, texts("answer.views"), user, view)
        menu = answer.control(named(answer, texts("answer.views")))
        assert menu is not None
        assert [o["value"] for o in menu["options"] if o.get("default")] == [view]
        start = texts("section.penalty", penalty="")
        assert answer.embeds[0]["description"].startswith(f"**{start}")


@both
async def test_a_related_section_takes_the_place_of_the_answer(
    stage: Stage, locale: Locale
) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    answer = (await stage.ask(LONG, user, guild)).message
    for related in values(answer, texts("answer.related")):
        fresh = (await stage.ask(LONG, user, guild)).message
        await stage.press(fresh, texts("answer.related"), user, related)
        assert related in named(fresh, texts("answer.flip"))
        assert len(fresh.versions) == 1


async def test_everything_is_paged_through_and_comes_round(stage: Stage) -> None:
    texts, user, guild = stage.catalogue["en"], stage.person(), await stage.place()
    answer = (await stage.ask("fab:2.3", user, guild)).message
    await stage.press(answer, texts("answer.views"), user, "whole")
    first, pages = answer.embeds, 1
    while True:
        await stage.press(answer, texts("answer.next"), user)
        if answer.embeds == first:
            break
        pages += 1
        assert pages < 20
    assert pages > 2
    assert texts("answer.page", page=1, pages=pages) in answer.text
    await stage.press(answer, texts("answer.back"), user)
    assert texts("answer.page", page=pages, pages=pages) in answer.text


async def test_buttons_work_after_a_restart_and_commands_are_not_registered_again(
    stage: Stage,
) -> None:
    user, guild = stage.person(), await stage.place()
    answer = (await stage.ask(CERTAIN, user, guild)).message
    listed = (await stage.ask("slow play", user, guild)).message
    assert len(stage.standin.records.of("PUT", COMMANDS)) == 1
    await stage.bot.restart()
    assert len(stage.standin.records.of("PUT", COMMANDS)) == 1
    await stage.press(answer, "日本語", user)
    assert "スロープレイ" in answer.embeds[0]["title"]
    picked = await stage.press(listed, listed.controls[1]["label"], user)
    assert not (await picked.follow_up()).ephemeral


async def test_buttons_work_in_another_process_that_never_saw_the_question(
    openapi: Path | None, cache: Path, catalogue: Catalogue, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    async with StandIn(openapi) as standin:
        async with Bot(standin, tmp_path / "one", cache, **WORDS) as one:
            stage = Stage(standin, one, catalogue)
            user, guild = stage.person(), await stage.place()
            answer = (await stage.ask("slow play", user, guild)).message
            assert await one.terminate() == 0
            stage.check()
        async with Bot(standin, tmp_path / "two", cache, **WORDS) as two:
            stage.bot = two
            picked = await stage.press(answer, answer.controls[0]["label"], user)
            posted = await picked.follow_up()
            await stage.press(posted, "Show", user, "whole")
            assert posted.versions
            stage.check()


@both
async def test_a_private_answer_is_shown_to_everyone_and_its_button_goes(
    stage: Stage, locale: Locale
) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    asked = await stage.ask(CERTAIN, user, guild, private=True)
    answer, publish = asked.message, texts("answer.publish")
    assert asked.ephemeral
    button = named(answer, publish)
    shown = await stage.press(answer, publish, user)
    public = await shown.follow_up()
    assert not public.ephemeral
    assert answer.ephemeral
    assert not has(answer, publish)
    assert not has(public, publish)
    assert public.embeds == answer.embeds
    again = await stage.press_id(answer, button, user)  # two quick clicks: both were sent
    assert again.message is answer
    assert not has(answer, publish)


async def test_who_clicks_a_public_answer_of_another_gets_a_private_copy(stage: Stage) -> None:
    asker, other, guild = stage.person(), stage.person("ja"), await stage.place()
    answer = (await stage.ask(LONG, asker, guild)).message
    before = json.dumps(answer.payload, sort_keys=True)
    copied = await stage.press(answer, "Show", other, "examples")
    copy = copied.message
    assert copied.ephemeral
    assert copy is not answer
    assert json.dumps(answer.payload, sort_keys=True) == before
    await stage.press(copy, "日本語", other)
    assert copy.versions
    assert json.dumps(answer.payload, sort_keys=True) == before
    assert (await stage.press(copy, "全員に表示", other)).answered


async def test_settings_of_a_server_hold_until_they_are_reset(stage: Stage) -> None:
    owner = stage.person("fr")
    user, guild = stage.person("fr"), await stage.place("fr", owner=owner)
    english, japanese = stage.catalogue["en"], stage.catalogue["ja"]
    shown = await stage.run("settings", owner, guild)
    assert shown.ephemeral
    assert english("settings.shown") in shown.message.text
    saved = await stage.run("settings", owner, guild, language="ja", game="fab", private=True)
    assert english("settings.saved") in saved.message.text
    asked = await stage.ask("slow play", user, guild)  # certain, as there is one game only
    assert asked.ephemeral
    assert "スロープレイ" in asked.message.embeds[0]["title"]
    assert japanese("answer.publish") in [c.get("label") for c in asked.message.controls]
    elsewhere = await stage.ask("slow play", user, await stage.place("fr"))
    assert elsewhere.message.embeds[0]["title"] == english("choices.title")
    reset = await stage.run("settings", owner, guild, reset=True)
    assert japanese("settings.saved") in reset.message.text
    after = await stage.ask(CERTAIN, user, guild)
    assert not after.ephemeral
    assert "Penalty" in after.message.text


async def test_one_setting_is_taken_back_and_the_others_stay(stage: Stage) -> None:
    owner = stage.person("fr")
    guild = await stage.place("fr", owner=owner)
    await stage.run("settings", owner, guild, language="ja", game="ygo")
    await stage.run("settings", owner, guild, language="all")
    shown = (await stage.run("settings", owner, guild)).message.text
    assert stage.catalogue["en"]("option.automatic") in shown
    assert "Yu-Gi-Oh" in shown
    await stage.run("settings", owner, guild, game="all")
    shown = (await stage.run("settings", owner, guild)).message.text
    assert stage.catalogue["en"]("option.all_games") in shown


@both
async def test_settings_need_manage_server(stage: Stage, locale: Locale) -> None:
    user, guild = stage.person(CLIENT[locale]), await stage.place()
    refused = await stage.run("settings", user, guild, private=True)
    assert refused.ephemeral
    assert stage.catalogue[locale]("settings.forbidden") in refused.message.text
    assert not (await stage.ask(CERTAIN, user, guild)).ephemeral


@both
async def test_a_person_chooses_a_language_and_has_it_forgotten(
    stage: Stage, locale: Locale
) -> None:
    other: Locale = "ja" if locale == "en" else "en"
    own, chosen = stage.catalogue[locale], stage.catalogue[other]
    user, guild = stage.person(CLIENT[locale]), await stage.place()
    nothing = await stage.run("language forget", user, guild)
    assert own("language_command.nothing_kept") in nothing.message.text
    told = await stage.run("language set", user, guild, language=other)
    assert told.ephemeral
    assert chosen("language_command.set") in told.message.text
    assert SLOW[other] in (await stage.ask(CERTAIN, user, guild)).message.embeds[0]["title"]
    forgotten = await stage.run("language forget", user, guild)
    assert chosen("language_command.forgotten") in forgotten.message.text
    answer = (await stage.ask(CERTAIN, user, guild)).message
    assert own("section.penalty", penalty="") in answer.text


async def test_the_answers_language_is_the_nearest_that_says_one_of_ours(stage: Stage) -> None:
    """Option, own, client, the server's setting, the server's own, else English."""

    async def language(locale: str, **more: str) -> str:
        asked = await stage.ask(CERTAIN, user, guild, _locale=locale, **more)
        return "ja" if "ペナルティ" in asked.message.text else "en"

    owner, user = stage.person(), stage.person("fr")
    guild = await stage.place("de", owner=owner)
    assert await language("fr") == "en"
    assert await language("ko") == "en"
    guild = await stage.place("ja", owner=owner)
    assert await language("fr") == "ja"
    await stage.run("settings", owner, guild, language="en")
    assert await language("fr") == "en"
    assert await language("ja") == "ja"
    await stage.run("settings", owner, guild, language="ja")
    assert await language("zh-TW") == "ja"
    assert await language("en-GB") == "en"
    await stage.run("language set", user, guild, language="ja")
    assert await language("en-GB") == "ja"
    assert await language("en-GB", language="en") == "en"


@both
async def test_questions_are_answered_in_a_direct_message(stage: Stage, locale: Locale) -> None:
    texts, user = stage.catalogue[locale], stage.person(CLIENT[locale])
    asked = await stage.ask(CERTAIN, user)
    assert SLOW[locale] in asked.message.embeds[0]["title"]
    await stage.press(asked.message, texts("answer.flip"), user)
    assert asked.message.versions
    listed = await stage.ask(SLOW[locale], user)
    picked = await stage.press(listed.message, listed.message.controls[0]["label"], user)
    assert (await picked.follow_up()).embeds


async def test_a_guest_in_a_server_does_not_speak_up_unless_told(stage: Stage) -> None:
    user, guild = stage.person(), await stage.place(bot_present=False)
    asked = await stage.ask(CERTAIN, user, guild)
    assert asked.ephemeral
    shown = await stage.press(asked.message, "Show to everyone", user)
    assert not (await shown.follow_up()).ephemeral
    assert not (await stage.ask(CERTAIN, user, guild, private=False)).ephemeral


async def test_questions_are_answered_in_a_conversation_of_others(stage: Stage) -> None:
    user, friend = stage.person(), stage.person("ja")
    asked = await stage.ask(CERTAIN, user, _context=IN_PRIVATE_CHANNEL, _others=(friend,))
    assert not asked.ephemeral
    copied = await stage.press(asked.message, "日本語", friend)
    assert copied.ephemeral
    assert copied.message is not asked.message


@both
async def test_a_long_message_with_mentions_and_code_is_looked_up_in_private(
    stage: Stage, locale: Locale
) -> None:
    owner, user = stage.person(), stage.person(CLIENT[locale])
    guild = await stage.place(owner=owner)
    await stage.run("settings", owner, guild, game="fab")
    name = stage.catalogue["en"]("command.message.name")
    code = "```py\n" + "print('tardiness')\n" * 200 + "```"
    content = f"<@{owner.id}> <@&{guild.id}>\n> {SLOW[locale]}\n{code}\nhttps://a.example/tardy"
    sent = await stage.standin.interact.message_menu(
        name, content, user=user, author=owner, guild=guild
    )
    found = stage.answered(await sent.response())
    assert found.ephemeral
    assert SLOW[locale] in found.message.embeds[0]["title"]
    rambling = "My opponent drew an extra card. @everyone " * 95
    sent = await stage.standin.interact.message_menu(
        name, rambling, user=user, author=owner, guild=guild
    )
    assert stage.answered(await sent.response()).ephemeral


async def test_a_message_without_words_is_answered_too(stage: Stage) -> None:
    user, guild = stage.person(), await stage.place()
    sent = await stage.standin.interact.message_menu(
        "Find the infraction", "", user=user, guild=guild
    )
    found = stage.answered(await sent.response())
    assert stage.catalogue["en"]("nothing.title") in found.message.text


@both
async def test_penalties_are_paged_and_switched_to_another_game(
    stage: Stage, locale: Locale, library: Library
) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    table = (await stage.run("penalties", user, guild, game="fab")).message
    assert texts("penalties.ladder") in table.text
    first = table.embeds
    await stage.press(table, texts("answer.next"), user)
    assert table.embeds != first
    await stage.press(table, texts("answer.back"), user)
    assert table.embeds == first
    other = next(pack for pack in library.packs if pack.header.id == "ygo")
    await stage.press(table, other.header.game.in_locale(locale), user)
    assert other.header.name.in_locale(locale) in table.embeds[0]["title"]
    assert table.embeds[0]["description"].startswith(f"**{texts('penalties.ladder')}")
    await stage.press(table, texts("answer.flip"), user)
    assert other.header.name.in_locale("ja" if locale == "en" else "en") in table.text


@both
async def test_help_and_about_name_the_rulebooks(
    stage: Stage, locale: Locale, library: Library
) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    helped = await stage.run("help", user, guild)
    about = await stage.run("about", user, guild)
    assert helped.message.embeds[0]["title"] == texts("help.title")
    assert about.message.embeds[0]["title"] == texts("about.title")
    assert __version__ in about.message.text
    for asked in (helped, about):
        assert asked.ephemeral
        for pack in library.packs:
            assert pack.header.name.in_locale(locale) in asked.message.text


@both
async def test_nothing_found_says_what_was_searched_and_what_to_try(
    stage: Stage, locale: Locale
) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    asked = await stage.ask("zzzqqq **xyzzy** @everyone", user, guild)
    assert asked.ephemeral
    assert asked.message.embeds[0]["title"] == texts("nothing.title")
    assert texts("ask.try") in asked.message.text
    assert "\\*\\*xyzzy" in asked.message.text
    assert "@everyone" not in asked.message.text
    picked = await stage.press(asked.message, asked.message.controls[0]["label"], user)
    assert not (await picked.follow_up()).ephemeral


@both
async def test_buttons_that_nothing_stands_behind_get_a_friendly_word(
    stage: Stage, locale: Locale
) -> None:
    texts, user, guild = stage.catalogue[locale], stage.person(CLIENT[locale]), await stage.place()
    answer = (await stage.ask(CERTAIN, user, guild)).message
    for custom_id, key in (
        (f"0~flip~fab:3.3~{locale}~0~0~{user.id}~o", "click.stale"),
        ("quite something else", "click.stale"),
        (f"1~flip~fab:99.9~{locale}~0~0~{user.id}~o", "click.gone"),
        (f"1~game~mtg~{locale}~0~0~{user.id}~o", "click.gone"),
    ):
        clicked = await stage.press_id(answer, custom_id, user)
        assert clicked.ephemeral
        assert texts(key) in clicked.message.text
    assert answer.versions == []


async def test_buttons_work_long_after_the_answer(stage: Stage) -> None:
    user, guild = stage.person(), await stage.place()
    answer = (await stage.ask(CERTAIN, user, guild)).message
    private = (await stage.ask(CERTAIN, user, guild, private=True)).message
    listed = (await stage.ask("slow play", user, guild)).message
    stage.standin.advance(TOKEN_LIFE + 60)
    await stage.press(answer, "日本語", user)
    assert "スロープレイ" in answer.embeds[0]["title"]
    shown = await stage.press(private, "Show to everyone", user)
    assert not (await shown.follow_up()).ephemeral
    picked = await stage.press(listed, listed.controls[0]["label"], user)
    assert not (await picked.follow_up()).ephemeral


async def test_names_and_descriptions_are_registered_in_japanese_too(stage: Stage) -> None:
    (request,) = stage.standin.records.of("PUT", COMMANDS)
    assert {command["name"] for command in request.body} >= {"infraction", "settings"}
    for command in request.body:
        key = "message" if command["type"] == 3 else command["name"]
        japanese = stage.catalogue["ja"](f"command.{key}.name")
        assert command["name_localizations"] == {"ja": japanese}


async def test_sync_registers_the_commands_whatever_they_were(
    catalogue: Catalogue, cache: Path, new_rules: Callable[[], Path], tmp_path: Path
) -> None:
    settings = {"GUNBAI_DATA": str(new_rules()), "GUNBAI_LOCALE": "en"} | WORDS
    async with StandIn() as standin:
        for _ in range(2):
            before = len(standin.records.of("PUT", COMMANDS))
            command = Bot(standin, tmp_path, cache, "sync", **settings)
            await command.launch()
            assert await command.ended(60) == 0, command.log
            assert command.printed == [catalogue["en"]("sync.done", count=7)]
            assert [line for line in command.lines if NO_ENCODER not in line] == []
            assert len(standin.records.of("PUT", COMMANDS)) == before + 1
        assert standin.records.events("connect") == []


async def test_the_health_page_says_ok_and_the_command_asks_it(
    stage: Stage, cache: Path, tmp_path: Path
) -> None:
    await stage.healthy()
    for port, status, printed in ((stage.bot.port, 0, ["ok"]), (free_port(), 1, [])):
        command = Bot(stage.standin, tmp_path, cache, "health", GUNBAI_PORT=str(port))
        await command.launch()
        assert await command.ended(60) == status, command.log
        assert command.printed == printed
        assert len(command.lines) == status
    assert await stage.bot.page(stage.bot.health) == (200, "ok\n")


async def test_measures_count_what_was_asked_and_hold_nothing_of_it(stage: Stage) -> None:
    user, guild = stage.person(), await stage.place()
    await stage.ask(CERTAIN, user, guild)
    await stage.ask("a secret of mine", user, guild)
    status, text = await stage.bot.page(stage.bot.metrics)
    assert status == 200
    assert 'gunbai_lookups_total{language="en",outcome="answer"}' in text
    assert 'gunbai_interaction_seconds_count{kind="infraction"}' in text
    assert "gunbai_errors_total 0.0" in text
    assert "secret" not in text
    assert user.id not in text
