"""Prints the findings in sentences."""

from collections.abc import Iterator

from .checks import Check
from .links import count_of
from .remarks import remarks_in
from .printable import printable
from .session.findings import FileFinding, Findings
from .session.summary import ChainNumbers, MissingTurns, Range, Summary
from .verdict import DOES_NOT_HOLD, HOLDS, HOLDS_SO_FAR, UNREADABLE, verdict_of

IN_WORDS = {
    HOLDS: "holds",
    HOLDS_SO_FAR: "holds as far as it could be checked",
    DOES_NOT_HOLD: "does not hold",
    UNREADABLE: "could not be read",
}
KIND_IN_WORDS = {
    "bundle": "conversation",
    "seal": "published root",
    "fork": "proof that a log signed two histories",
}
STRAY_IN_WORDS = {
    "request": "The request {} belongs to none of these receipts: it is another call's, or was changed.",
    "certificates": "The certificates in {} are of other authorities than the timestamps here.",
    "seal": "No evidence here leads to the root in {}.",
    "log_policy": "The log policy of {} names another log than the one behind this evidence.",
    "policy_layer": "The list of wordings {} is not the one that any of these receipts names.",
    "history": "The history in {} is of other chains than the receipts here.",
}
STRAY_WORDING = "Your text is the wording of none of these receipts."
NOTHING_AGAINST = "That says nothing against the evidence."
NOT_BELIEVED = "{} is not used: it came in a folder, and whoever made that chose it. If you trust it, name the file."
# With more of them than this, the rest is counted and not listed.
MAX_LISTED = 20


def report(findings: Findings) -> None:
    for finding in findings.files:
        report_file(finding, findings)
    if findings.together and len(findings.files) > 1:
        print(f"All together: {IN_WORDS[verdict_of(findings.together)]}")
        report_checks(findings.together)
    elif verdict_of(findings.together) == DOES_NOT_HOLD:
        report_checks(findings.together)
    for sentence in sentences_on(findings):
        print(printable(sentence))


def report_file(finding: FileFinding, findings: Findings) -> None:
    kind = f" ({KIND_IN_WORDS.get(finding.kind, finding.kind)})" if finding.kind else ""
    reason = f": {finding.reason}" if finding.reason else ""
    print(printable(f"{finding.file}{kind}: {IN_WORDS[finding.verdict]}{reason}"))
    report_checks(finding.checks)
    if finding.fork is not None:
        print(printable(f"  {finding.fork.origin} signed two histories that contradict each other:"))
        for size, root in finding.fork.trees:
            print(printable(f"  a tree of size {size} with the root {root}"))
    if finding.evidence is not None and finding.verdict != DOES_NOT_HOLD:
        for remark in remarks_in(finding.evidence, findings.layers):
            print(printable(f"  {'remark':<12} {remark}"))


def report_checks(checks: list[Check]) -> None:
    for check in checks:
        word = {True: "holds", False: "FAILS", None: "not checked"}[check.ok]
        print(printable(f"  {word:<12} {check.name}" + (f": {check.detail}" if check.detail else "")))


def sentences_on(findings: Findings) -> Iterator[str]:
    yield from summary_sentences(findings.summary, len(findings.files) > 1)
    if findings.comparison is not None and findings.comparison.matching:
        places = [f"{file}, turn {turn}" for file, turn in findings.comparison.matching]
        yield f"Your text is the wording of {listed(places)}."
    yield from (sentence for _, _, sentence in stray_sentences(findings))
    yield from (NOT_BELIEVED.format(one.file) for one in findings.companions if one.use == "not_believed")


def stray_sentences(findings: Findings) -> Iterator[tuple[str, str | None, str]]:
    """Gives kind, file and sentence of each stray."""
    for kind, file, use in findings.companions:
        if use == "stray":
            yield kind, file, f"{STRAY_IN_WORDS[kind].format(file)} {NOTHING_AGAINST}"
    if findings.is_text_stray():
        yield "wording", None, f"{STRAY_WORDING} {NOTHING_AGAINST}"


def summary_sentences(summary: Summary, are_many: bool) -> Iterator[str]:
    if are_many and summary.receipts > 0:
        counts = f"{count_of(summary.receipts, 'receipt')} of {count_of(summary.conversations, 'conversation')}"
        yield f"{counts} on {count_of(len(summary.chains), 'chain')}, in {count_of(summary.files, 'file')}."
    for one in summary.missing_turns[:MAX_LISTED]:
        turns = listed([turns_in_words(turns) for turns in one.ranges])
        yield f"Not among these files: {turns} of {conversation_of(one)}."
    if len(summary.missing_turns) > MAX_LISTED:
        yield f"{count_of(len(summary.missing_turns) - MAX_LISTED, 'more conversation')} not all here."
    for chain in summary.chains[:MAX_LISTED] if are_many else []:
        yield chain_sentence(chain)
    if summary.remarked > 0 and summary.receipts > 1:
        kinds = listed([f"{kind} ({len(places)})" for kind, places in summary.remarks.items()])
        receipts = count_of(summary.receipts, "receipt")
        yield f"The wording policy had remarks on {summary.remarked} of {receipts}: {kinds}."


def chain_sentence(chain: ChainNumbers) -> str:
    head = f"Chain {chain.chain_id}: {count_of(chain.receipts, 'receipt')}"
    own = f"number {chain.first}" if chain.receipts == 1 else f"numbers {chain.first} to {chain.last}"
    if chain.receipts == 1 and chain.in_history is None:
        return f"{head}, {own}."
    gaps = listed([f"{first} to {last}" if first != last else str(first) for first, last in chain.missing])
    if chain.in_history is None:
        return f"{head}, {own}; between them, not here: {gaps or 'none'}."
    return f"{head}, {own}; not here: {gaps or 'none'}; the history has {count_of(chain.in_history, 'receipt')}."


def conversation_of(one: MissingTurns) -> str:
    return f"the conversation in {one.last.file}" if one.conversation is None else f"conversation {one.conversation}"


def turns_in_words(turns: Range) -> str:
    first, last = turns
    if last is None:
        return f"turns from {first} on"
    return f"turn {first}" if first == last else f"turns {first} to {last}"


def listed(items: list[str]) -> str:
    more = [f"{len(items) - MAX_LISTED} more"] if len(items) > MAX_LISTED else []
    return ", ".join([*items[:MAX_LISTED], *more])
