"""Quantities: what they are worth, and which are none.  [O-022..O-031]"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.api.quantity import QuantityError, parse_quantity

MOST = 2**63 - 1

WORTH = {
    ("0", "0m", "-0", "0.0"): (0, 0),
    ("1",): (1, 1000),
    ("100m", "0.1"): (1, 100),
    ("1.5", "1500m"): (2, 1500),
    ("0.0005", "0.1m", "1n", "999u"): (1, 1),
    ("1500u",): (1, 2),
    ("1.0000000001",): (2, 1001),
    ("9223372036854775807",): (MOST, -1000),
    ("9E",): (9 * 10**18, 0),
    ("10000000000000000",): (10**16, -8446744073709551616),
    ("18446744073709551616m",): (18446744073709552, 0),
    ("1.5Gi",): (1610612736, 1610612736000),
    ("0.5Ki",): (512, 512000),
    ("0.1Ki",): (103, 102400),
    ("0.0001Ki",): (1, 103),
    ("1e3", "1E3", "1k"): (1000, 1000000),
    ("3e-10",): (1, 1),
    ("8Ei", "16Ei", "9223372036854775807Ki"): (MOST, -1000),
    ("7Ei",): (7 * 2**60, -(2**63)),
    ("10E", "100E", "1e19", "1e30"): (0, 0),
    ("9223372036854775807m",): (9223372036854776, MOST),
    ("9223372036854775808",): (-(2**63), 0),
    ("-1.5",): (-2, -1500),
    ("-1.1Ki",): (-1125, -1126400),
    ("+5", "5.", "0005"): (5, 5000),
    (".", "+", "M", "-n"): (0, 0),
}


@pytest.mark.parametrize(("text", "worth"), [(text, worth) for texts, worth in WORTH.items() for text in texts])
def test_value_and_milli_value_round_up_and_overflow_as_the_parser_does(text: str, worth: tuple[int, int]) -> None:
    """O-022, O-024, O-025, O-026, O-027, O-030, O-031"""
    quantity = parse_quantity(text)
    assert (quantity.value, quantity.milli_value) == worth


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, "quantities must match the regular expression") for text in ("", "1 ", "1.2.3", "1e2.5", "0x10")),
        *((text, "unable to parse quantity's suffix") for text in ("1K", "1mm", "1Mi1", "1m1", "1e")),
        *((text, "unable to parse numeric part of quantity") for text in ("Pi", "e-12")),
    ],
)
def test_what_is_no_quantity_is_refused_in_the_words_of_the_api(text: str, message: str) -> None:
    """O-022, O-023"""
    with pytest.raises(QuantityError, match=message):
        parse_quantity(text)


def test_quantities_compare_as_numbers_but_are_equal_only_when_written_alike() -> None:
    """O-028, O-029"""
    whole, thousandths = parse_quantity("1"), parse_quantity("1000m")
    assert whole.number == thousandths.number < parse_quantity("1.000000001").number
    assert whole == parse_quantity("1") != thousandths


@given(st.integers(0, 10**15), st.sampled_from(["n", "u", "m", "", "k"]))
def test_a_small_amount_is_its_ceiling(amount: int, suffix: str) -> None:
    """O-026"""
    billionths = amount * {"n": 1, "u": 10**3, "m": 10**6, "": 10**9, "k": 10**12}[suffix]
    assert parse_quantity(f"{amount}{suffix}").value == -(-billionths // 10**9)
