"""The times of queued disclosures: RFC 3339 in UTC, by this machine's clock."""

from datetime import datetime, timezone

FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"


def instant_now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def age_of(instant: str) -> float:
    """In seconds. A text that is no time counts as older than any."""
    try:
        then = datetime.strptime(instant, FORMAT).replace(tzinfo=timezone.utc)
    except ValueError:
        return float("inf")
    return (datetime.now(timezone.utc) - then).total_seconds()
