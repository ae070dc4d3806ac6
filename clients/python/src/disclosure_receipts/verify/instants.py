"""Instants as the documents and the tokens write them, in milliseconds since 1970."""

import calendar
import datetime
import re

from .checks import Refuted, present

# The calendar repeats itself after so many years, which have so many days.
CYCLE_YEARS = 400
CYCLE_MS = 146_097 * 24 * 60 * 60 * 1000


def read_time(value: bytes) -> int:
    """Reads GeneralizedTime in UTC (RFC 3161 section 2.4.2) as milliseconds since 1970, and cuts off what is finer."""
    match = present(re.fullmatch(rb"(\d{14})(?:\.(\d*[1-9]))?Z", value), "a time is not in UTC")
    try:
        time = datetime.datetime.strptime(match[1].decode(), "%Y%m%d%H%M%S")
    except ValueError as error:
        raise Refuted("a time is on no calendar") from error
    fraction = (match[2] or b"")[:3].ljust(3, b"0")
    return calendar.timegm(time.timetuple()) * 1000 + int(fraction)


def show_time(time: float) -> str:
    return (datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=time)).isoformat() + "Z"


def milliseconds(time: str) -> int:
    """Reads a time of the documents. Raises ValueError for one that is on no calendar."""
    # RFC 3339 has a year 0, and Python's calendar begins with the year 1.
    is_year_0 = time.startswith("0000")
    text = f"{CYCLE_YEARS:04}{time[4:]}" if is_year_0 else time
    moment = datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ")
    since_1970 = calendar.timegm(moment.timetuple()) * 1000 + moment.microsecond // 1000
    return since_1970 - CYCLE_MS if is_year_0 else since_1970
