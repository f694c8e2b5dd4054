"""Conditions: read from data, listed in tests, written in one line."""

import pytest
from pydantic import TypeAdapter, ValidationError

from bot.policy.condition import Condition, single_tests

ADAPTER: TypeAdapter[Condition] = TypeAdapter(Condition)

NESTED = {
    "all": [
        {"fact": "minutes", "op": ">", "value": 10},
        {"any": [{"judgement": "a"}, {"not": {"judgement": "b"}}]},
    ]
}


def test_a_condition_is_written_in_one_line() -> None:
    assert str(ADAPTER.validate_python(NESTED)) == "all(minutes > 10, any(a, not(b)))"


def test_every_single_test_of_a_condition_is_listed_in_order() -> None:
    listed = [str(test) for test in single_tests(ADAPTER.validate_python(NESTED))]
    assert listed == ["minutes > 10", "a", "b"]


def test_a_condition_survives_a_round_trip() -> None:
    condition = ADAPTER.validate_python(NESTED)
    again = ADAPTER.validate_python(ADAPTER.dump_python(condition, by_alias=True))
    assert again == condition


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"maybe": 1},
        {"all": [{"judgement": "a"}]},
        {"fact": "minutes", "op": "=>", "value": 1},
        {"judgement": "a", "fact": "b"},
        {"fact": "minutes", "op": ">", "value": 1, "scope": "week"},
        "a",
        None,
    ],
)
def test_what_is_no_condition_is_refused(wrong: object) -> None:
    with pytest.raises(ValidationError):
        ADAPTER.validate_python(wrong)
