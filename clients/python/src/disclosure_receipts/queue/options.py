"""The options of the queue: where it is, and for which client. All raise `invalid_options`."""

import inspect
import os
from pathlib import Path
from typing import Any

from ..options import invalid_option


def require_client(client: Any) -> None:
    attest = getattr(client, "attest", None)
    if not callable(attest) or inspect.iscoroutinefunction(attest):
        raise invalid_option("client", "must be a Client; an AsyncClient has one as its `client`")


def read_folder(folder: Any) -> Path:
    if not isinstance(folder, (str, os.PathLike)) or not os.fspath(folder):
        raise invalid_option("folder", "is missing")
    return Path(folder)


def read_flag(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise invalid_option(name, "must be True or False")
