"""The state in a custom id: whole, short, and nothing else is taken for one."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.chat import controls
from bot.chat.controls import ROLES, VERSION, VIEWS, Control, StaleControlError
from bot.policy.pack import Library
from bot.policy.texts import LOCALES

OWNER = 99_999_999_999_999_999_999
"""Twenty digits: as many as a snowflake can have."""
CONTROL = Control("view", "fab:1.3/restore", "ja", "whole", 3, 123456789012345678, private=True)


def subjects(library: Library) -> list[str]:
    return sorted(library.ids | {pack.header.id for pack in library.packs} | {""})


def test_every_state_of_every_section_comes_back_from_its_short_id(library: Library) -> None:
    for subject, role, view, locale in product(subjects(library), ROLES, VIEWS, LOCALES):
        for private in (True, False):
            control = Control(role, subject, locale, view, 99, OWNER, private)
            assert len(control.custom_id) <= 100, control
            assert controls.read(control.custom_id) == control


def test_different_states_have_different_ids(library: Library) -> None:
    made = [
        Control(role, subject, locale, view, page, owner, private)
        for subject, role, view, locale, page, owner, private in product(
            subjects(library)[::9], ROLES, VIEWS, LOCALES, (0, 1, 11), (1, OWNER), (True, False)
        )
    ]
    assert len({control.custom_id for control in made}) == len(made)


@given(
    st.builds(
        Control,
        role=st.sampled_from(ROLES),
        subject=st.from_regex(
            r"[a-z]{1,8}:[0-9A-Za-z]{1,3}(\.[0-9a-z]{1,2}){0,3}(/[a-z-]{1,20})?", fullmatch=True
        ),
        locale=st.sampled_from(LOCALES),
        view=st.sampled_from(VIEWS),
        page=st.integers(min_value=0, max_value=10**6),
        owner=st.integers(min_value=0, max_value=2**64 - 1),
        private=st.booleans(),
    )
)
def test_any_section_id_comes_back(control: Control) -> None:
    assert controls.read(control.custom_id) == control


@pytest.mark.parametrize("version", ["0", "2", "10", "", "v1", " 1", "1 ", "１"])
def test_another_version_is_stale(version: str) -> None:
    fields = CONTROL.custom_id.split("~")
    assert fields[0] == VERSION
    with pytest.raises(StaleControlError):
        controls.read("~".join([version, *fields[1:]]))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (1, "delete"),
        (1, ""),
        (3, "fr"),
        (3, ""),
        (4, str(len(VIEWS))),
        (4, "-1"),
        (4, "x"),
        (4, ""),
        (5, "-1"),
        (5, "1.5"),
        (5, "²"),
        (5, "٣"),
        (5, ""),
        (6, "me"),
        (6, ""),
        (7, "x"),
        (7, ""),
    ],
)
def test_a_field_that_holds_something_else_is_stale(place: int, value: str) -> None:
    fields = CONTROL.custom_id.split("~")
    fields[place] = value
    with pytest.raises(StaleControlError):
        controls.read("~".join(fields))


def test_a_field_too_many_or_too_few_is_stale() -> None:
    for custom_id in (f"{CONTROL.custom_id}~p", CONTROL.custom_id.rpartition("~")[0], "", "~" * 7):
        with pytest.raises(StaleControlError):
            controls.read(custom_id)


@given(st.text(max_size=200) | st.from_regex(r"1(~[a-z0-9:.]*){7}", fullmatch=True))
@example("1~view~fab:3.1~en~" + "9" * 5000 + "~0~1~p")
@example("1~view~fab:3.1~en~0~" + "9" * 5000 + "~1~p")
def test_anything_else_is_stale(custom_id: str) -> None:
    try:
        control = controls.read(custom_id)
    except StaleControlError:
        return
    again = controls.read(control.custom_id)  # a number may have had zeros in front
    assert again == control
    assert replace(again, page=0, owner=0).subject == custom_id.split("~")[2]
