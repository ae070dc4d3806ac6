"""The shapes of the documents: docs/receipt-format.md."""

from typing import Any

from .fields import DISCLOSURE, object_with
from .json_input import utf16_length
from .limits import MAX_BUNDLED_LAYERS, MAX_CHECKPOINT_LENGTH
from .shapes import (
    having,
    is_chain_id,
    is_date,
    is_digest,
    is_flag,
    is_index,
    is_modality,
    is_node,
    is_object,
    is_path,
    is_signed_root,
    is_size,
    is_status,
    is_text,
    is_time,
    is_token,
    is_uuid,
    list_of,
    literal,
    matching,
    may_have,
    optional,
)

NO_PREVIOUS_HASH = "sha256:" + "0" * 64
AUTHENTICATION = ("auth_mechanism", "key_id", "signature")
is_recorded_after = having(seal_index=is_index, seal_hash=is_digest)
is_receipt_core = having(
    event_id=is_uuid,
    chain_id=is_chain_id,
    sequence=is_index,
    turn=is_size,
    verdict=literal("ALLOW", "MODIFY", "BLOCK"),
    input_hash=is_digest,
    output_hash=is_digest,
    previous_hash=is_digest,
    previous_turn_hash=optional(is_digest),
    issued_at=is_time,
    recorded_after=optional(is_recorded_after),
    disclosure=object_with(DISCLOSURE),
    policy=having(
        jurisdiction=is_text,
        version=is_text,
        digest=is_digest,
        wording_id=optional(is_text),
        findings=list_of(is_text),
    ),
    receipt_format_version=literal("1.0"),
    verifiability=literal("verifiable"),
)
has_authentication = having(
    auth_mechanism=literal("hmac-sha256"),
    key_id=lambda value: is_text(value) and value != "",
    signature=matching(r"[A-Za-z0-9+/]{43}="),
)
lacks_authentication = having(**dict.fromkeys(AUTHENTICATION, lambda value: value is None))


def has_report_authentication(value: Any) -> bool:
    """A report or a bundle has no code of its own where the service's key could not be reached. No check needs it."""
    return has_authentication(value) or lacks_authentication(value)


def is_receipt(value: Any) -> bool:
    """With its authentication as a whole, or as the core alone, which other formats carry."""
    is_core_alone = is_object(value) and not any(name in value for name in AUTHENTICATION)
    return is_receipt_core(value) and (is_core_alone or has_authentication(value))


def is_log_checkpoint(value: Any) -> bool:
    return is_text(value) and utf16_length(value) <= MAX_CHECKPOINT_LENGTH


is_evidence_chain = having(chain_id=is_chain_id, head_hash=is_digest, sequence=is_index)
is_merkle_proof = having(
    status=is_status,
    merkle_root=is_node,
    event_inclusion_proof=having(
        leaf_hash=is_node, leaf_index=is_index, tree_size=is_size, path=is_path, root=is_node
    ),
    cross_tenant_proof=optional(
        having(
            seal_index=is_index,
            leaf=having(chain_id=is_chain_id, head_index=is_index, tree_size=is_size, root=is_node),
            leaf_index=is_index,
            tree_size=is_size,
            path=is_path,
            root=is_node,
        )
    ),
)
is_tsa_timestamp = having(
    status=is_status,
    timestamp_token=optional(is_token),
    tsa_url=optional(is_text),
    covers=literal("merkle_root"),
)
is_seal = having(
    index=is_index,
    merkle_root=is_node,
    tree_size=is_size,
    previous_root=optional(is_node),
    previous_tree_size=is_index,
    consistency_path=is_path,
    receipt_count=is_index,
    sealed_at=is_time,
    tsa_timestamp=is_tsa_timestamp,
    additional_timestamps=list_of(is_tsa_timestamp),
)
TIMESTAMP_MEMBERS = ("status", "timestamp_token", "tsa_url", "covers")
SEAL_MEMBERS = (
    *("index", "merkle_root", "tree_size", "previous_root", "previous_tree_size", "consistency_path"),
    *("receipt_count", "sealed_at"),
)
is_renewal = may_have(
    having(renews=is_index, consistency_path=is_path, seal=is_seal),
    between=list_of(having(merkle_root=is_node, tree_size=is_size, consistency_path=is_path)),
)
is_erasure = having(
    erased_at=is_time,
    erased_by=matching(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}"),
    ground=literal("request", "order", "mistake"),
)
is_bundle = may_have(
    having(
        interaction_id=matching(r"[A-Za-z0-9._:@+=/;-]{1,128}"),
        receipts=list_of(is_object),
        requests=list_of(lambda value: True),
        proofs=list_of(having(event_id=is_uuid, evidence_chain=is_evidence_chain, merkle_proof=is_merkle_proof)),
        seals=list_of(is_seal),
    ),
    later_timestamps=list_of(having(seal_index=is_index, tsa_timestamp=is_tsa_timestamp)),
    policy_layers=list_of(is_object, MAX_BUNDLED_LAYERS),
    chain_consistency=list_of(having(chain_id=is_chain_id, from_size=is_size, to_size=is_size, path=is_path)),
    erasures=list_of(optional(is_erasure)),
)
is_evidence = may_have(
    having(merkle_proof=is_merkle_proof),
    receipts=lambda value: list_of(is_object)(value) and len(value) == 1,
    evidence_chain=is_evidence_chain,
    tsa_timestamp=is_tsa_timestamp,
    recorded_after_seal=optional(is_seal),
    log_checkpoint=optional(is_log_checkpoint),
    log_signed_root=optional(is_signed_root),
    renewal=is_renewal,
    erasure=is_erasure,
)
is_layer = having(
    jurisdiction=is_text,
    status=literal("active", "in_development", "planned"),
    version=is_text,
    disclosure_methods=list_of(may_have(having(id=is_text, modalities=list_of(is_modality)), reported=is_flag)),
    wordings=list_of(
        having(
            id=is_text,
            modality=is_modality,
            methods=list_of(is_text),
            digest=is_text,
            approved_on=is_date,
            retired_on=optional(is_date),
        )
    ),
)
