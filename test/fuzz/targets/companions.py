"""Says of each text on standard input, a list in JSON, whether the readers in clients/python/ take it: true or false."""
import base64
import json
import sys

from disclosure_receipts.verify.checks import Unreadable
from disclosure_receipts.verify.files import read_pem
from disclosure_receipts.verify.log_policy import read_policy

READERS = {
    "policy": lambda data: read_policy(data.decode("utf-8", "replace")),
    "certificates": lambda data: read_pem(data.decode("ascii", "replace")),
}


def is_taken(row):
    try:
        READERS[row["reader"]](base64.b64decode(row["base64"]))
        return True
    except Unreadable:
        return False


print(json.dumps([is_taken(row) for row in json.load(sys.stdin)]))
