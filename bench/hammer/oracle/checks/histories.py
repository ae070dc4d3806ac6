"""The histories of all chains (docs/history.md, "Checking", rules 1 and 2), and that they are the anchor's."""

from __future__ import annotations

from functools import partial

from disclosure_receipts.verify.chain_history import chains_of, check_heads
from disclosure_receipts.verify.checks import run as make
from disclosure_receipts.verify.hashes import digest, hash_json

from ..evidence.history import Chain, read_chains, read_history
from ..evidence.run import RunFacts, Tenant
from ..evidence.service import Service
from ..findings import Check, Findings
from ..progress import Progress


def check_histories(run: RunFacts, service: Service, findings: Findings, progress: Progress) -> list[Chain]:
    """Fetches and judges the chains of all tenants."""
    check, chains = findings.check("histories"), list[Chain]()
    for number, tenant in enumerate(run.tenants):
        with check.reading(f"the chains of tenant {tenant.name}"):
            own = read_chains(service, number, tenant.api_key)
            _check_identities(check, own, tenant)
            chains += own
            for chain in own:
                at = f"chain {chain.chain_id}"
                with check.reading(at):
                    read_history(service, chain, tenant, progress)
                    check.take(at, [make("heads", partial(check_heads, chain.history))])
    return chains


def _check_identities(check: Check, chains: list[Chain], tenant: Tenant) -> None:
    name, shards = tenant.name, [chain.shard for chain in chains]
    check.expect(shards == sorted(set(shards)), f"the shards of tenant {name} are out of order or doubled")
    if tenant.anchor is None:
        return
    fingerprint = digest(hash_json({"tenant_anchor": tenant.anchor}))
    told = f"the fingerprint of tenant {name} is not its anchor's"
    check.expect(tenant.fingerprint in (None, fingerprint), told)
    known = chains_of(tenant.anchor)
    for chain in chains:
        told = f"chain {chain.chain_id} is not shard {chain.shard} of tenant {name}"
        check.expect(known.get(chain.chain_id) == chain.shard, told)
