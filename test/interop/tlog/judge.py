"""Judges of a log and of a COSE receipt by packages of others; the exit status is 0 only where everything held.

    judge.py log FOLDER VKEY...             tlog-scales: signatures, root, an inclusion proof of every 53rd entry
    judge.py cose PUBLIC-KEY-PEM ENTRY RECEIPT    scitt-cose, pycose and cwt
"""
import sys
from pathlib import Path


def judge_log(folder: str, *vkeys: str) -> None:
    from tlog_scales import backend, signing, tiles
    from tlog_scales.reader import TilesReader

    reader = TilesReader(backend.make_backend(str(Path(folder).resolve())))
    checkpoint = reader.get_checkpoint()
    for text in vkeys:
        key = signing.Vkey.from_string(text)
        checkpoint.verify(key)
        print(f"tlog-scales: signature by {key.name}: held")
    assert reader.calculate_root_hash() == checkpoint.root_hash
    for index in range(0, checkpoint.size, 53):
        leaf = tiles.leaf_hash(reader.get_entry(index))
        reader.get_inclusion_proof(index, checkpoint.size).check(leaf, checkpoint.root_hash)
    print(f"tlog-scales: {checkpoint.size} entries: held")


def judge_cose(pem_file: str, entry_file: str, receipt_file: str) -> None:
    import cbor2
    import cwt
    from cryptography.hazmat.primitives import serialization
    from pycose.keys import OKPKey
    from pycose.keys.curves import Ed25519
    from pycose.messages import Sign1Message
    from scitt_cose.receipt import verify_receipt

    pem, entry, receipt = (Path(name).read_bytes() for name in (pem_file, entry_file, receipt_file))
    result = verify_receipt(receipt, leaf_entry_hex=entry.hex(), log_public_key_pem=pem)
    assert result.ok, result.errors
    assert not verify_receipt(receipt, leaf_entry_hex=bytes(64).hex(), log_public_key_pem=pem).ok
    print(f"scitt-cose: entry {result.leaf_index} of {result.tree_size}, {result.issuer}, {result.subject}: held")
    root = bytes.fromhex(result.root)
    key = serialization.load_pem_public_key(pem)
    raw = key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)

    message = Sign1Message.decode(receipt)
    message.key = OKPKey(crv=Ed25519, x=raw)
    assert message.verify_signature(detached_payload=root)
    print("pycose: held")

    kid = cbor2.loads(cbor2.loads(receipt).value[0])[4]
    cwt_key = cwt.COSEKey.from_pem(pem.decode(), alg="EdDSA", kid=kid)
    assert cwt.COSE.new().decode(receipt, cwt_key, detached_payload=root) == root
    print("cwt: held")


{"log": judge_log, "cose": judge_cose}[sys.argv[1]](*sys.argv[2:])
