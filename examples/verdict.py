#!/usr/bin/env python3
# The digest and the verdict of receipts, from static files alone: python3 examples/verdict.py BASE FILE...
# BASE is the URL of a service or a mirror (file:///... for a mirror's folder); a FILE has `receipts`. The first one that
# differs ends it with status 1. docs/python.md has a whole verifier.
import hashlib, json, sys, urllib.request
for receipt in (one for file in sys.argv[2:] or sys.exit("usage: verdict.py BASE FILE...") for one in json.load(open(file, encoding="utf-8"))["receipts"]):
    how, day, name = receipt["disclosure"], receipt["issued_at"][:10], receipt["policy"]["digest"][7:]
    layer = json.loads(data := urllib.request.urlopen(f"{sys.argv[1]}/v1/policy/layers/{name}").read())
    text = next((one for one in layer["wordings"] if one["digest"] == how["subject_hash"]), None)
    known = any(one["id"] == how["disclosure_method"] and how["modality"] in one["modalities"] and not one.get("reported") for one in layer["disclosure_methods"])
    fits = known and text and how["modality"] == text["modality"] and how["disclosure_method"] in text["methods"] and text["approved_on"] <= day
    verdict = "BLOCK" if text and day > (text["retired_on"] or day) else "ALLOW" if fits and layer["status"] == "active" else "MODIFY"
    if (hashlib.sha256(data).hexdigest(), verdict) != (name, receipt["verdict"]): sys.exit(f"DIFFERS  {receipt['event_id']}")
    print("agrees ", receipt["event_id"], verdict, name, sep="  ")
