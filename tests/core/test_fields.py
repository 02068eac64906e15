"""Reading JSON field by field: every wrong value is named in one line."""

from __future__ import annotations

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carromsim.core.errors import (
    BadJson,
    CarromsimError,
    InvalidType,
    InvalidValue,
    MissingField,
    OverlappingDiscs,
)
from carromsim.core.fields import Fields, check_number, parse_json


@pytest.mark.parametrize("value", [0, 1, -2.5, 10**300, np.float64(2.5), np.int64(3)])
def test_numbers_of_every_kind_are_numbers(value):
    assert check_number(value, "x") == float(value)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (math.nan, InvalidValue),
        (math.inf, InvalidValue),
        (-math.inf, InvalidValue),
        (np.float64("nan"), InvalidValue),
        (10**400, InvalidValue),
        (True, InvalidType),
        (np.bool_(True), InvalidType),
        ("1", InvalidType),
        (None, InvalidType),
        ([1], InvalidType),
        (np.array([1.0, 2.0]), InvalidType),
        (1j, InvalidType),
    ],
)
def test_what_is_no_finite_number_is_refused(value, error):
    with pytest.raises(error) as caught:
        check_number(value, "shot.speed")
    assert caught.value.field == "shot.speed"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("bounds", "good", "bad"),
    [
        ({"low": 0}, [0, 1], [-1e-9]),
        ({"above": 0}, [1e-9], [0, -1]),
        ({"high": 2}, [2], [2.1]),
        ({"below": 2}, [1.9], [2]),
    ],
)
def test_ranges(bounds, good, bad):
    for value in good:
        assert check_number(value, "x", **bounds) == value
    for value in bad:
        with pytest.raises(InvalidValue, match="must be"):
            check_number(value, "x", **bounds)


@pytest.mark.parametrize(
    ("method", "good", "bad"),
    [
        ("integer", [0, 3, 3.0, -2], [1.5, True, "3", None, [], math.nan, math.inf]),
        ("boolean", [True, False], [0, 1, "true", None]),
        ("string", ["", "abc"], [1, None, ["a"]]),
        ("number", [1, 2.5], ["2", True, math.nan, None]),
        ("sequence", [[], [1]], ["abc", {}, 3, None]),
        ("mapping", [{}, {"a": 1}], [[], "x", None]),
    ],
)
def test_getters_are_strict(method, good, bad):
    for value in good:
        assert getattr(Fields({"f": value}, "top"), method)("f") == value
    for value in bad:
        with pytest.raises((InvalidType, InvalidValue)) as caught:
            getattr(Fields({"f": value}, "top"), method)("f")
        assert caught.value.field == "top.f"
    with pytest.raises(MissingField) as missing:
        getattr(Fields({}, "top"), method)("f")
    assert missing.value.field == "top.f"


def test_nested_names_and_unknown_fields():
    fields = Fields({"discs": [{"x": 1}, {"x": "left"}]})
    first, second = fields.objects("discs")
    assert first.number("x") == 1
    with pytest.raises(InvalidType) as caught:
        second.number("x")
    assert caught.value.field == "discs[1].x"
    fields = Fields({"speed": 1, "sped": 2}, "shot")
    fields.number("speed")
    with pytest.raises(InvalidValue, match="known are: speed") as caught:
        fields.done()
    assert caught.value.field == "shot.sped"


@pytest.mark.parametrize("data", [None, [], "x", 3])
def test_only_objects_have_fields(data):
    with pytest.raises(InvalidType, match="must be an object"):
        Fields(data, "state")


@pytest.mark.parametrize("text", ["", "{", "[1,]", "{'a':1}", "nul", "[" * 50_000, "1 2"])
def test_what_is_not_json(text):
    with pytest.raises(BadJson) as caught:
        parse_json(text)
    assert caught.value.code == "bad_json"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["NaN", "[Infinity]", "-Infinity", "1e999", '{"x":-1e400}', "9" * 5000, '"\\udc00"']
)
def test_json_that_python_takes_and_nobody_can_use(text):
    with pytest.raises(InvalidValue) as caught:
        parse_json(text)
    assert caught.value.code == "bad_value"


def test_a_whole_surrogate_pair_is_a_character():
    assert parse_json('"\\ud83d\\ude00"') == "\U0001f600"


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**63), 2**63)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_json_comes_back_as_it_went(value):
    assert parse_json(json.dumps(value)) == value


@pytest.mark.parametrize("kind", [CarromsimError, InvalidValue, OverlappingDiscs, MissingField])
def test_errors_travel_between_processes(kind):
    error = pickle.loads(pickle.dumps(kind("must be more", field="shot.speed")))
    assert type(error) is kind
    assert (error.message, error.field) == ("must be more", "shot.speed")
    assert str(error) == "shot.speed: must be more"
