"""The public log (docs/transparency-log.md): all seals and all entries, read from its files without a key."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from ..formats import shapes
from ..formats.json_text import Unreadable, hash_of
from ..progress import Progress
from .history import TILE_WIDTH
from .service import Service, tile_place

ENTRY_BYTES = 64
LABEL_BYTES = 32
LENGTH_PREFIX = ENTRY_BYTES.to_bytes(2, "big")
# The files of the log come a moment after the seal; of the newest 32 seals, one must have them.
FILES_PATIENCE_SECONDS = 60.0
POLL_SECONDS = 0.5
MAX_SEALS_WITHOUT_FILES = 32
SEAL_MEMBERS = (
    "index", "merkle_root", "tree_size", "previous_root", "previous_tree_size", "consistency_path", "receipt_count",
    "sealed_at", "tsa_timestamp", "additional_timestamps",
)  # fmt: skip
TIMESTAMP_MEMBERS = ("status", "timestamp_token", "tsa_url", "covers")


@dataclass(frozen=True)
class Seal:
    """A published seal."""

    index: int
    root: bytes
    tree_size: int
    previous_root: bytes | None
    previous_tree_size: int
    consistency_path: tuple[bytes, ...]
    receipt_count: int
    sealed_at: int
    timestamps: tuple[dict[str, Any], ...]
    seal_hash: bytes


@dataclass
class PublicLog:
    """The seals up to the newest whose files are there, and the entries under it."""

    seals: list[Seal] = field(default_factory=list)
    entries: bytes = b""
    served_vkey: str | None = None

    @property
    def size(self) -> int:
        return len(self.entries) // ENTRY_BYTES

    def entry(self, index: int) -> bytes:
        """The entry at this place: a label and a commitment."""
        return self.entries[index * ENTRY_BYTES : (index + 1) * ENTRY_BYTES]


def read_seals(service: Service, log: PublicLog, progress: Progress) -> None:
    """Reads all published seals. Throws Unreadable."""
    head = service.json("/v1/metachain")
    size = shapes.index(head, "size")
    if isinstance(head.get("log"), dict):
        log.served_vkey = shapes.text(head["log"], "vkey")
    for index in range(size):
        progress.show("reads the seals,", index, size)
        seal = service.json(f"/v1/metachain/roots/{index}")
        try:
            log.seals.append(parse_seal(seal))
        except Unreadable as error:
            raise Unreadable(f"seal {index}: {error}") from error


def parse_seal(seal: Any) -> Seal:
    """A seal with its hash, over exactly the members that the format names. Throws Unreadable."""
    if not isinstance(seal, dict):
        raise Unreadable("the seal is no object")
    stamps = [_timestamp(stamp) for stamp in [seal.get("tsa_timestamp"), *shapes.items(seal, "additional_timestamps")]]
    members = {name: seal.get(name) for name in SEAL_MEMBERS}
    hashed = {**members, "tsa_timestamp": stamps[0], "additional_timestamps": stamps[1:]}
    return Seal(
        index=shapes.index(seal, "index"),
        root=shapes.node(seal, "merkle_root"),
        tree_size=shapes.index(seal, "tree_size"),
        previous_root=None if seal.get("previous_root") is None else shapes.node(seal, "previous_root"),
        previous_tree_size=shapes.index(seal, "previous_tree_size"),
        consistency_path=tuple(shapes.path(seal, "consistency_path")),
        receipt_count=shapes.index(seal, "receipt_count"),
        sealed_at=shapes.time(seal, "sealed_at"),
        timestamps=tuple(stamps),
        seal_hash=hash_of(hashed),
    )


def _timestamp(stamp: Any) -> dict[str, Any]:
    """A tsa_timestamp with the members that are hashed."""
    if not isinstance(stamp, dict):
        raise Unreadable("a timestamp is no object")
    return {name: stamp.get(name) for name in TIMESTAMP_MEMBERS}


def last_bundle(tree_size: int) -> tuple[int, int]:
    """Number and width of the last bundle of a tree."""
    return (tree_size - 1) // TILE_WIDTH, (tree_size - 1) % TILE_WIDTH + 1


def newest_with_files(service: Service, log: PublicLog, progress: Progress) -> Seal:
    """The newest seal whose last bundle is published, for which it waits a moment. Throws Unreadable."""
    deadline = time.monotonic() + FILES_PATIENCE_SECONDS
    while True:
        waits = time.monotonic() < deadline
        for seal in reversed(log.seals[-1:] if waits else log.seals[-MAX_SEALS_WITHOUT_FILES:]):
            if service.bytes(f"/v1/metachain/tile/entries/{tile_place(*last_bundle(seal.tree_size))}") is not None:
                return seal
        if not waits:
            raise Unreadable(f"none of the newest {MAX_SEALS_WITHOUT_FILES} seals has its entries published")
        progress.show("waits for the files of seal", log.seals[-1].index)
        time.sleep(POLL_SECONDS)


def read_entries(service: Service, log: PublicLog, tree_size: int, progress: Progress) -> None:
    """Reads all entry bundles of a tree. Throws Unreadable."""
    bundles: list[bytes] = []
    for start in range(0, tree_size, TILE_WIDTH):
        progress.show("reads the entries of the log,", start, tree_size)
        bundle = read_bundle(service, start // TILE_WIDTH, min(TILE_WIDTH, tree_size - start))
        if bundle is None:
            raise Unreadable(f"its entries from {start} on are not published")
        bundles.append(bundle)
    log.entries = b"".join(bundles)


def read_bundle(service: Service, number: int, width: int) -> bytes | None:
    """The entries of a bundle without their lengths; None where it is not published. Throws Unreadable."""
    place, step = tile_place(number, width), len(LENGTH_PREFIX) + ENTRY_BYTES
    bundle = service.bytes(f"/v1/metachain/tile/entries/{place}")
    if bundle is None:
        return None
    if len(bundle) != width * step:
        raise Unreadable(f"the entry bundle {place} has not {width} entries")
    parts = [bundle[at : at + step] for at in range(0, len(bundle), step)]
    if any(part[: len(LENGTH_PREFIX)] != LENGTH_PREFIX for part in parts):
        raise Unreadable(f"an entry of the bundle {place} has not 64 bytes")
    return b"".join(part[len(LENGTH_PREFIX) :] for part in parts)
