"""Times as people write them, by the visitor's clock."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from pages.components.shared.text import said_time

NOW = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("stamp", "said"),
    [
        ("2026-11-03T05:37:12+00:00", "today 05:37"),
        ("2026-11-02T23:59:00+00:00", "yesterday 23:59"),
        ("2026-11-01T08:05:00+00:00", "1 Nov 2026 08:05"),
        ("2025-11-03T05:37:00", "3 Nov 2025 05:37"),
    ],
)
def test_a_time_is_said_as_people_say_it(stamp, said):
    assert said_time(stamp, NOW) == said


def test_the_day_and_the_hour_are_those_of_the_visitor():
    tokyo = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    assert said_time("2026-11-02T20:00:00+00:00", tokyo) == "today 05:00"


def test_what_is_no_time_is_shown_as_it_is():
    assert said_time("long ago", NOW) == "long ago"
