"""The reader's policy: the logs and the witnesses that it believes."""

import re
from typing import NamedTuple

from .checks import Refuted, Unreadable, require
from .notes import LOG_KEY, WITNESS_KEY, NoteKey, read_note_key

MAX_POLICY_LENGTH = 100_000
# The name, the threshold and the members.
Group = tuple[str, int, list[str]]


class Policy(NamedTuple):
    """logs: their keys. witnesses: keys by name. groups: in order. quorum: a name, or None."""

    logs: list[NoteKey]
    witnesses: dict[str, NoteKey]
    groups: list[Group]
    quorum: str | None


# The logs, witnesses, groups and quorums that are read so far.
PolicyLists = tuple[list[NoteKey], dict[str, NoteKey], list[Group], list[str]]


def is_quorum(policy: Policy, cosigned: set[str]) -> bool:
    holding = set(cosigned)
    for name, threshold, members in policy.groups:
        if len(holding.intersection(members)) >= threshold:
            holding.add(name)
    return policy.quorum is None or policy.quorum in holding


def common_witnesses(policy: Policy) -> int:
    """How many witnesses must lie so that two logs which contradict each other both have the quorum: the smallest
    number that two sets which make it have in common, for k of n 2k - n, and none where 2k <= n.
    """
    common = {name: 1 for name in policy.witnesses}
    for name, threshold, members in policy.groups:
        shared = max(0, 2 * threshold - len(members))
        common[name] = sum(sorted(common[member] for member in members)[:shared])
    return 0 if policy.quorum is None else common[policy.quorum]


def read_policy(text: str) -> Policy:
    """Reads a tlog-policy, or a log's key alone. Raises Unreadable."""
    try:
        require(not text.startswith("\ufeff"), "it begins with a byte order mark")
        if re.fullmatch(r"[^\s#]+", text.strip()):
            key = read_note_key(text.strip())
            require(key.type == LOG_KEY, "this is not the key of a log")
            return Policy([key], {}, [], None)
        return read_policy_lines(text)
    except (Refuted, ValueError) as error:
        raise Unreadable(f"the policy can't be read: {error}") from error


def read_policy_lines(text: str) -> Policy:
    require(len(text) <= MAX_POLICY_LENGTH, "it is too long")
    lists: PolicyLists = ([], {}, [], [])
    logs, witnesses, groups, quorums = lists
    for line in text.split("\n"):
        words = [word for word in re.split("[ \t]+", line) if word]
        if not words or words[0].startswith("#"):
            continue
        require(not line.endswith("\r"), "a line ends with CR LF, and lines of a policy end with LF alone")
        require(not words[0].startswith("\ufeff"), "it begins with a byte order mark")
        names = {"none", *witnesses, *(name for name, _, _ in groups)}
        read = {"log": read_log, "witness": read_witness, "group": read_group, "quorum": read_quorum}.get(words[0])
        if read is None:
            raise Refuted(f"no line begins with {words[0]}")
        read(words[1:], names, lists)
    keys = [key.public_key for key in (*logs, *witnesses.values())]
    require(logs and len(quorums) == 1 and len(set(keys)) == len(keys), "no log, no quorum, or a key twice")
    return Policy(logs, witnesses, groups, None if quorums == ["none"] else quorums[0])


def read_log(words: list[str], _names: set[str], lists: PolicyLists) -> None:
    require(len(words) in (1, 2), "a log has a key and may have a URL")
    key = read_note_key(words[0])
    require(key.type != WITNESS_KEY, "the key of a log is that of a witness")
    lists[0].append(key)


def read_witness(words: list[str], names: set[str], lists: PolicyLists) -> None:
    require(len(words) in (2, 3) and words[0] not in names, "a witness has a name of its own and a key")
    key = read_note_key(words[1])
    require(key.type != LOG_KEY, "the key of a witness is that of a log")
    lists[1][words[0]] = key


def read_group(words: list[str], names: set[str], lists: PolicyLists) -> None:
    require(len(words) >= 3 and words[0] not in names, "a group has a name of its own, a number and members")
    name, number, *members = words
    known = names - {"none"}
    require(known.issuperset(members), "a group has an unknown member")
    # A witness that stands in two groups would count twice for one that holds both.
    grouped = [member for _, _, others in lists[2] for member in others]
    require(len({*grouped, *members}) == len(grouped) + len(members), "a witness or a group is a member twice")
    require(number in ("all", "any") or re.fullmatch("[1-9][0-9]{0,3}", number), "a group asks for no number")
    threshold = {"all": len(members), "any": 1}.get(number) or int(number)
    require(threshold <= len(members), "a group asks for more than all of its members")
    lists[2].append((name, threshold, members))


def read_quorum(words: list[str], names: set[str], lists: PolicyLists) -> None:
    require(len(words) == 1 and words[0] in names, "the quorum is no witness, no group, and not none")
    lists[3].append(words[0])
