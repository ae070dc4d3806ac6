// The tenants of a deployment and whose chain each chain is, as the console needs them with every answer.

import { formatEventId, parseEventId } from "../../evidence/core/formats/event-id.ts";
import { chainIdOf } from "../../evidence/core/formats/tenant-anchor.ts";
import type { Chain } from "../../service/ledger/chain.ts";
import { listChains } from "../../service/ledger/tenant-chains.ts";
import type { KnownTenant, TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import type { Caller } from "../../service/tenants/tenants.ts";
import { Remembered } from "./remembered.ts";

/** A new tenant shows after so long. */
const MAX_AGE_MS = 10_000;

export interface OwnedChain extends Chain {
  readonly tenantId: string;
}

export class Directory {
  readonly #tenants: Remembered<readonly KnownTenant[]>;

  constructor(registry: Pick<TenantRegistry, "listWithAnchors">, clock: () => Date) {
    this.#tenants = new Remembered(() => registry.listWithAnchors(), MAX_AGE_MS, clock);
  }

  tenants(): Promise<readonly KnownTenant[]> {
    return this.#tenants.get();
  }

  /** Undefined for a name that is no tenant's. */
  async tenant(tenantId: string): Promise<KnownTenant | undefined> {
    return (await this.tenants()).find((tenant) => tenant.tenantId === tenantId);
  }

  /** The chains of one tenant, or of all. */
  async chains(tenantId: string | null): Promise<OwnedChain[]> {
    const tenants = await this.tenants();
    return tenants
      .filter((tenant) => tenantId === null || tenant.tenantId === tenantId)
      .flatMap((tenant) => listChains(tenant).map((chain) => ({ ...chain, tenantId: tenant.tenantId })));
  }

  /** The tenant that an event is of, by the check value in its id; undefined where it is nobody's. */
  async ownerOf(eventId: string): Promise<KnownTenant | undefined> {
    const place = parseEventId(eventId);
    if (place === null) return undefined;
    const tenants = await this.tenants();
    return tenants.find(
      ({ tenantAnchor }) => formatEventId(chainIdOf(tenantAnchor, place.shard), place) === eventId,
    );
  }
}

/** The operator in the place of a tenant's caller, for the use cases that read what one tenant has. */
export const asCaller = (tenant: KnownTenant): Caller => ({
  tenantId: tenant.tenantId,
  tenantAnchor: tenant.tenantAnchor,
  chains: tenant.chains,
  plan: tenant.plan,
  inlineStampsPerMinute: tenant.inlineStampsPerMinute,
  isPreview: tenant.isPreview,
  keyId: "",
  keyExpiresAt: null,
  scopes: ["report"],
  ownWordings: null,
});
