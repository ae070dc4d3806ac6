"""The histories of all chains (docs/history.md, "Checking", rules 1 and 2), and that they are the anchor's."""

from __future__ import annotations

from ..evidence.history import Chain, read_chains, read_heads, read_leaves
from ..evidence.run import RunFacts
from ..evidence.service import Service
from ..findings import Check, Findings
from ..formats.identities import chain_id_of, fingerprint_of
from ..formats.merkle import Tree
from ..progress import Progress


def check_histories(run: RunFacts, service: Service, findings: Findings, progress: Progress) -> list[Chain]:
    """Fetches and judges the chains of all tenants."""
    check, chains = findings.check("histories"), []
    for number, tenant in enumerate(run.tenants):
        with check.reading(f"the chains of tenant {tenant.name}"):
            own = read_chains(service, number, tenant.api_key)
            _check_identities(check, own, tenant.anchor, tenant.fingerprint, tenant.name)
            chains += own
            for chain in own:
                with check.reading(f"chain {chain.chain_id}"):
                    read_heads(service, chain, tenant.api_key)
                    read_leaves(service, chain, tenant, progress)
                    _check_heads(check, chain)
    return chains


def _check_identities(
    check: Check, chains: list[Chain], anchor: str | None, fingerprint: str | None, name: str
) -> None:
    shards = [chain.shard for chain in chains]
    check.expect(shards == sorted(set(shards)), f"the shards of tenant {name} are out of order or doubled")
    if anchor is None:
        return
    if fingerprint is not None:
        check.expect(fingerprint_of(anchor) == fingerprint, f"the fingerprint of tenant {name} is not its anchor's")
    for chain in chains:
        expected = chain_id_of(anchor, chain.shard)
        check.expect(
            chain.chain_id == expected, f"shard {chain.shard} of tenant {name} is {chain.chain_id}, expected {expected}"
        )


def _check_heads(check: Check, chain: Chain) -> None:
    """Heads count from 0 and grow, and each root is that of as many leaf hashes."""
    tree, before = Tree(), None
    for place, head in enumerate(chain.heads):
        at = f"chain {chain.chain_id} head {place}: "
        check.expect(head.head_index == place, f"{at}its head_index is {head.head_index}")
        if before is not None:
            check.expect(head.tree_size > before.tree_size, at + "its tree_size does not grow")
            check.expect(head.leaf_index > before.leaf_index, at + "its leaf_index does not grow")
            check.expect(head.seal_index >= before.seal_index, at + "its seal_index falls")
        for sequence in range(tree.size, min(head.tree_size, chain.size)):
            tree.append(chain.leaf(sequence))
        if tree.size == head.tree_size:
            root = chain.roots[head.tree_size] = tree.root()
            told = f"{at}its root is 0x{head.root.hex()}, the first {head.tree_size} leaf hashes have 0x{root.hex()}"
            check.expect(head.root == root, told)
        before = head
