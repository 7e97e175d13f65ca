"""Pay: exact bounds, currency and period; other money is none (P013, P015-P018, P021, J02)."""

import pytest

from jobsteward.discover.model import Pay
from jobsteward.discover.understand.pay_text import read_pay

PAYS = {
    # P015
    "$120-150k": (120000, 150000, "USD", "year"),
    "120k-150 salary": (120000, 150000, "", "year"),
    "Salary: 120 \u2013 150k": (120000, 150000, "", "year"),
    "$1.2M base": (1200000, 1200000, "USD", "year"),
    "90-110K EUR": (90000, 110000, "EUR", "year"),
    # P017
    "Estimated annual pay range $132,000 - $185,000": (132000, 185000, "USD", "year"),
    # P018
    "60.000\u201380.000 € brutto/Jahr": (60000, 80000, "EUR", "year"),
    "ab 70k": (70000, None, "EUR", "year"),
    "50 €/h": (50, 50, "EUR", "hour"),
    # J02
    "$45/hour": (45, 45, "USD", "hour"),
    "$25.50/hr - $30.75/hr": (25.5, 30.75, "USD", "hour"),
    # separators, scales and words of many countries
    "CHF 120'000 - 140'000": (120000, 140000, "CHF", "year"),
    "₹12,00,000 - ₹18,00,000 per annum": (1200000, 1800000, "INR", "year"),
    "CTC: 15 - 20 LPA": (1500000, 2000000, "INR", "year"),
    "Salaire : 45 000 € à 55 000 € brut annuel": (45000, 55000, "EUR", "year"),
    "Entre 45k€ et 55k€": (45000, 55000, "EUR", "year"),
    "45-55 TEUR": (45000, 55000, "EUR", "year"),
    "25 000 \u2013 30 000 PLN / mies.": (25000, 30000, "PLN", "month"),
    "R$ 8.000 - R$ 10.000 por mês": (8000, 10000, "BRL", "month"),
    "MXN $30,000 - $40,000 mensuales": (30000, 40000, "MXN", "month"),
    "210 Kč za hodinu": (210, 210, "CZK", "hour"),
    "年収は600万円から900万円です": (6000000, 9000000, "JPY", "year"),
    "CA$165K \u2013 CA$195K annually": (165000, 195000, "CAD", "year"),
    "Salary range (CAD): $95,000 - $120,000": (95000, 120000, "CAD", "year"),
    "A$120,000 - A$140,000 + super": (120000, 140000, "AUD", "year"),
    "Day rate: £500 - £600": (500, 600, "GBP", "day"),
    "€5,000 - €6,000 per month": (5000, 6000, "EUR", "month"),
    # open ends
    "Salary: up to $150,000": (None, 150000, "USD", "year"),
    "Salary from £40,000": (40000, None, "GBP", "year"),
    "$100,000 and up": (100000, None, "USD", "year"),
    # a period that is not written and cannot be told by size is not guessed
    "pay range: $18.00-$22.00": (18, 22, "USD", "unknown"),
    # the pay among other money
    "We offer a $3,000 wellness stipend. Salary: $150,000 - $190,000.": (
        150000, 190000, "USD", "year",
    ),
    "Base pay $120k plus $10k sign-on bonus and $5k relocation": (120000, 120000, "USD", "year"),
    "$112K \u2013 $154K • $101K \u2013 $138K Equity": (112000, 154000, "USD", "year"),
    "Total cash compensation of $180,000 - $220,000 including bonus": (
        180000, 220000, "USD", "year",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", PAYS)
def test_pay_is_read_exactly(text: str) -> None:
    read = read_pay([], text)
    assert [(p.minimum, p.maximum, p.currency, p.period) for p in read] == [PAYS[text]]
    span = read[0].span
    assert text[span.start : span.end] == span.text


@pytest.mark.parametrize(
    "text",
    [
        "attraktives Gehalt", "Competitive salary", "401(k) match up to $5,000",
        "We match 401k up to 6%", "We raised $50M Series B from investors",
        "Our clients invest $500K - $2M", "reduce costs by $100,000 to $200,000 annually",
        "equity worth $100k - $200k", "0.5% to 1.5% equity", "$1,000 referral bonus",
        "monthly stipend of $500", "tuition assistance up to $5,250 per year",
        "Fertility HRA (up to $10,000 per year)", "quota of $1M - $2M",
        "Sign-on bonus of up to $20,000 available", "You own a $5M budget", "salary 2026 - 2027",
        "over 60 Crore users", "a team of 10,000 - 20,000 employees",
        "You'll manage contracts ranging from $50K to $500K+ across the portfolio.",
    ],
)  # fmt: skip
def test_other_money_is_no_pay(text: str) -> None:
    assert read_pay([], text) == ()


def test_structured_figures_win_over_text() -> None:
    """P017."""
    given = Pay(100.0, 200.0, "EUR", "day")
    read = read_pay([given], "Salary: $150,000 - $190,000")
    assert [(p.minimum, p.currency, p.span.field) for p in read] == [(100.0, "EUR", "pay.0")]
    assert read_pay([], "Salary: $150,000")[0].span.field == "description"


def test_swapped_bounds_are_put_in_order_and_told() -> None:
    """P013."""
    (structured,) = read_pay([Pay(120000.0, 90000.0, "USD", "year")])
    (text,) = read_pay([], "Salary: $120,000 - $90,000")
    for pay in (structured, text):
        assert (pay.minimum, pay.maximum, pay.swapped) == (90000, 120000, True)


def test_base_pay_comes_before_on_target_earnings() -> None:
    read = read_pay([], "Total OTE of $220,000-$300,000. Base Salary: $120,000.")
    assert [(p.minimum, p.on_target) for p in read] == [(120000, False), (220000, True)]


def test_every_zone_of_a_posting_is_kept() -> None:
    read = read_pay([], "Zone 1: $150,000 - $180,000; Zone 2: $130,000 - $160,000")
    assert [p.minimum for p in read] == [150000, 130000]


def test_a_country_settles_a_shared_sign() -> None:
    text = "Salary: $90,000 - $110,000"
    assert read_pay([], text, countries=["CA"])[0].currency == "CAD"
    assert read_pay([], text, countries=["CA", "US"])[0].currency == "USD"
    assert read_pay([], "Lön: 40 000 - 45 000 kr", countries=["NO"])[0].currency == "NOK"


def test_a_title_states_pay_too() -> None:
    (pay,) = read_pay([], None, "Junior Engineer ($250k - $300k salary)")
    assert (pay.minimum, pay.span.field) == (250000, "title")
