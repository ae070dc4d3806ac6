"""The files that the reader names: each by itself, and of a folder every file of evidence in it."""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from ..checks import Unreadable
from ..files import read_bytes
from ..json_input import read_json

STANDARD_INPUT = "-"
# This program reads no .tlog-proof and no .cose, and a reader of a folder is to know it. Certificates and policies of a
# folder are told, and not believed.
ENDINGS = (".json", ".tlog-proof", ".cose", ".pem", ".policy")
# In a mirror. A layer has its digest as its name; the indices are no evidence.
LAYERS_FOLDER = "/v1/policy/layers"
INDICES = ("/v1/metachain/index.json", "/v1/policy/index.json")
HISTORY_INDEX = "history.json"
HISTORY_FILE = re.compile(r"(.*?)chains/[0-9a-f]{32}/(?:heads|tile)/.*", re.DOTALL)


class GivenFile(NamedTuple):
    """is_named: the reader named this file itself, and not a folder that it is in."""

    name: str
    is_named: bool


def list_files(named: list[str]) -> list[GivenFile]:
    """Raises Unreadable for standard input twice, and for a folder without a file of evidence."""
    if named.count(STANDARD_INPUT) > 1:
        raise Unreadable("standard input can be read only once")
    listed: list[GivenFile] = []
    for name in named:
        if os.path.isdir(name):
            listed += [GivenFile(file, False) for file in list_folder(name)]
        else:
            listed.append(GivenFile(name, True))
    return listed


def list_folder(folder: str) -> list[str]:
    files = [file for file in files_in(folder) if file.endswith(ENDINGS) or is_layer(file)]
    files = without_histories([file for file in files if not f"/{file}".endswith(INDICES)])
    if not files:
        raise Unreadable(f"there is no {', '.join(ENDINGS)} file in {folder}")
    return sorted(files, key=lambda file: file.encode("utf-16-be", "surrogatepass"))


def files_in(folder: str) -> Iterator[str]:
    """Links to folders are not followed, for they may lead in circles; links to files are."""
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    yield os.path.normpath(entry.path)


def is_layer(file: str) -> bool:
    return f"/{os.path.dirname(file)}".endswith(LAYERS_FOLDER)


def without_histories(files: list[str]) -> list[str]:
    """Leaves out the index of a history and its heads, and no other file that has such a name."""
    histories = {
        os.path.dirname(file) for file in files if os.path.basename(file) == HISTORY_INDEX and is_history_index(file)
    }
    return [file for file in files if history_of(file) not in histories]


def history_of(file: str) -> str | None:
    """Gives the folder of the history that a file of this path would be part of."""
    if os.path.basename(file) == HISTORY_INDEX:
        return os.path.dirname(file)
    part = HISTORY_FILE.fullmatch(file.replace(os.sep, "/"))
    return None if part is None else os.path.dirname(part[1] + "x")


def is_history_index(file: str) -> bool:
    try:
        value = read_json(read_bytes(file))
    except (Unreadable, OSError):
        return False
    return isinstance(value, dict) and isinstance(value.get("chains"), list) and "tenant_anchor" in value
