"""The public log (docs/transparency-log.md): all seals and all entries, read from its files without a key."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.formats import is_seal
from disclosure_receipts.verify.hashes import ENTRY_BYTES
from disclosure_receipts.verify.json_input import JsonObject
from disclosure_receipts.verify.public_log import ENTRY_LENGTH, MAX_SEALS_BACK
from disclosure_receipts.verify.shapes import having, is_index
from disclosure_receipts.verify.tiles import TILE_WIDTH, tile_file, tiles_under

from ..progress import Progress
from .service import Service

# The files of the log come a moment after the seal; of the newest seals, one must have them.
FILES_PATIENCE_SECONDS = 60.0
POLL_SECONDS = 0.5
BUNDLES = "/v1/metachain/tile/entries"


@dataclass
class PublicLog:
    """The seals up to the newest whose files are there, and the entries under it."""

    seals: list[JsonObject] = field(default_factory=list)
    entries: bytes = b""
    served_vkey: str | None = None

    @property
    def size(self) -> int:
        return len(self.entries) // ENTRY_BYTES

    def entry(self, index: int) -> bytes:
        """The entry at this place: a label and a commitment."""
        return self.entries[index * ENTRY_BYTES : (index + 1) * ENTRY_BYTES]


def read_log(service: Service, log: PublicLog, progress: Progress) -> None:
    """Reads all published seals, and the entries under the newest whose files are there. Raises Unreadable."""
    head = service.json("/v1/metachain", None, having(size=is_index))
    if head.get("log") is not None:
        log.served_vkey = head["log"]["vkey"]
    for index in range(head["size"]):
        progress.show("reads the seals,", index, head["size"])
        log.seals.append(service.json(f"/v1/metachain/roots/{index}", None, is_seal))
    if not log.seals:
        return
    walked = newest_with_files(service, log, progress)
    del log.seals[log.seals.index(walked) + 1 :]
    bundles: list[bytes] = []
    for number, width in tiles_under(walked["tree_size"]):
        progress.show("reads the entries of the log, bundle", number)
        bundle = read_bundle(service, number, width)
        if bundle is None:
            raise Unreadable(f"its entry bundle {number} is not published")
        bundles.append(bundle)
    log.entries = b"".join(bundles)


def last_bundle(tree_size: int) -> tuple[int, int]:
    """Number and width of the last bundle of a tree."""
    return (tree_size - 1) // TILE_WIDTH, (tree_size - 1) % TILE_WIDTH + 1


def newest_with_files(service: Service, log: PublicLog, progress: Progress) -> JsonObject:
    """The newest seal whose last bundle is published, for which it waits a moment. Raises Unreadable."""
    deadline = time.monotonic() + FILES_PATIENCE_SECONDS
    while True:
        waits = time.monotonic() < deadline
        for seal in reversed(log.seals[-1:] if waits else log.seals[-MAX_SEALS_BACK:]):
            if service.bytes(tile_file(BUNDLES, *last_bundle(seal["tree_size"]))) is not None:
                return seal
        if not waits:
            raise Unreadable(f"none of the newest {MAX_SEALS_BACK} seals has its entries published")
        progress.show("waits for the files of seal", log.seals[-1]["index"])
        time.sleep(POLL_SECONDS)


def read_bundle(service: Service, number: int, width: int) -> bytes | None:
    """The entries of a bundle without their lengths; None where it is not published. Raises Unreadable."""
    data = service.bytes(tile_file(BUNDLES, number, width))
    if data is None:
        return None
    starts = range(0, len(data), len(ENTRY_LENGTH) + ENTRY_BYTES)
    entries = [data[start + len(ENTRY_LENGTH) : start + starts.step] for start in starts]
    if data != b"".join(ENTRY_LENGTH + entry for entry in entries) or len(data) != width * starts.step:
        raise Unreadable(f"the entry bundle {number} is no bundle of {width} entries")
    return b"".join(entries)
