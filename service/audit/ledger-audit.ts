// Verifies the whole ledger: the metachain, and the chains of all tenants or of some. Memory does not grow with it.
import { METACHAIN_ID } from "../../contract/table.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import type { Chain } from "../ledger/chain.ts";
import type { Macs } from "../ledger/macs.ts";
import { readFilesSize } from "../log/log-publication.ts";
import { readPublicSize } from "../log/published-checkpoints.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";
import { readNewestSpan } from "../seals/span.ts";
import { backoff } from "../table/backoff.ts";
import { mapInGroups } from "../table/in-groups.ts";
import type { Table } from "../table/table.ts";
import type { TenantRegistry } from "../tenants/tenant-registry.ts";
import { auditChain } from "./chain-audit.ts";
import { type ChainExtent, readSize } from "./chain-extent.ts";
import { auditLayers, VerdictAudit } from "./layer-audit.ts";
import { auditMetachain } from "./metachain-audit.ts";

const FILES = "files";
const LAYERS = "layers";
const WHERE = { entry: METACHAIN_ID, seal: "seals", file: FILES } as const;
/** Chains whose extents are read at the same time. */
const READ_CONCURRENCY = 16;
/** Faults that are kept; beyond, they are counted. */
const MAX_FAULTS = 100;

export interface LedgerFault {
  /** A chain's id, `metachain`, `seals`, `files` for those of the log, or `layers` for those of the wording policy. */
  readonly where: string;
  /** The leaf's index, the seal's, that of the first entry that a file covers, or the layer's place among all. */
  readonly index: number;
  readonly detail: string;
}

/** The counts of everything visited, and the faults that were found. */
export interface LedgerTally {
  chains: number;
  receipts: number;
  /** Those of them that are gone under retention; their leaves are checked all the same. */
  removed: number;
  /** Those whose conversation was erased. */
  erased: number;
  entries: number;
  seals: number;
  /** Bundles and tiles of the log. */
  files: number;
  /** Layers of the wording policy. */
  layers: number;
  macs: number;
  readonly faults: LedgerFault[];
  faultCount: number;
}

export interface LedgerAuditServices {
  readonly table: Table;
  readonly roots: PublishedRoots;
  /** Null where codes are not to be verified. */
  readonly macs: Macs | null;
}

/** The chains to audit; null means all. */
export interface AuditScope {
  readonly tenantId: string | null;
  readonly chainId: string | null;
}

export class LedgerAudit {
  readonly tally: LedgerTally = {
    chains: 0,
    receipts: 0,
    removed: 0,
    erased: 0,
    entries: 0,
    seals: 0,
    files: 0,
    layers: 0,
    macs: 0,
    faults: [],
    faultCount: 0,
  };
  readonly #services: LedgerAuditServices;
  readonly #verdicts: VerdictAudit;
  /** The chains of all tenants, whatever the scope. */
  #known: readonly Chain[] = [];
  #filesSize = 0;
  #metachainSize = 0;
  readonly #chains: (Chain & { readonly extent: ChainExtent })[] = [];
  /** Entries of the metachain less heads that were sealed, by chain: an entry that no chain has shows here. */
  readonly #unclaimed = new Map<string, number>();

  private constructor(services: LedgerAuditServices) {
    this.#services = services;
    this.#verdicts = new VerdictAudit(services.table);
  }

  /** Throws `not_found` for a tenant or a chain that there is not. */
  static async begin(
    services: LedgerAuditServices,
    registry: TenantRegistry,
    scope: AuditScope,
  ): Promise<LedgerAudit> {
    const { table } = services;
    const audit = new LedgerAudit(services);
    // Files are published of entries that are there; each entry was written after its tenant, and with its span.
    // A checkpoint is signed once the files of its tree are there, whatever the table notes of them.
    audit.#filesSize = Math.max(
      await audit.#readOrFault(FILES, readFilesSize(table)),
      await readPublicSize(services.roots.files),
    );
    audit.#metachainSize = await readSize(table, METACHAIN_ID);
    // While a transaction is being applied, reads may see only some of its items.
    await backoff(1);
    audit.#known = await registry.allChains();
    const chains = await chainsIn(audit.#known, registry, scope);
    const read = async (chain: Chain) => ({ ...chain, extent: await audit.#readExtent(chain.chainId) });
    audit.#chains.push(...(await mapInGroups(chains, READ_CONCURRENCY, read)));
    return audit;
  }

  /** Reads in the order of `readExtent`, for the same reason. */
  async #readExtent(chainId: string): Promise<ChainExtent> {
    const { table } = this.#services;
    const reading = readNewestSpan(table, chainId).then((span) => span?.treeSize ?? 0);
    const sealedSize = await this.#readOrFault(chainId, reading);
    return { sealedSize, size: await this.#readOrFault(chainId, readSize(table, chainId)) };
  }

  /** An extent that can't be read is a fault and does not end the audit. */
  async #readOrFault(chainId: string, size: Promise<number>): Promise<number> {
    try {
      return await size;
    } catch (error) {
      if (!isDisclosureError(error, "ledger_corrupt")) throw error;
      this.#fault(chainId, 0, error.message);
      return 0;
    }
  }

  /** The number of leaves to visit. */
  get leaves(): number {
    return this.#chains.reduce((sum, { extent }) => sum + extent.size, this.#metachainSize);
  }

  /** `onLeaves` is called with the leaves visited since the last call. Throws only where the table can't be read. */
  async run(onLeaves: (count: number) => void): Promise<LedgerTally> {
    await this.#auditMetachain(onLeaves);
    await this.#auditLayers();
    for (const { extent, ...chain } of this.#chains) await this.#auditChain(chain, extent, onLeaves);
    return this.tally;
  }

  #auditMetachain(onLeaves: (count: number) => void): Promise<void> {
    const { tally } = this;
    return auditMetachain({
      ...this.#services,
      size: this.#metachainSize,
      filesSize: this.#filesSize,
      chainIds: new Set(this.#known.map(({ chainId }) => chainId)),
      onEntries: (count) => {
        tally.entries += count;
        onLeaves(count);
      },
      onHead: ({ chain_id }) => this.#claim(chain_id, 1),
      onSeal: () => {
        tally.seals++;
      },
      onFile: () => {
        tally.files++;
      },
      onFault: (what, index, detail) => this.#fault(WHERE[what], index, detail),
    });
  }

  #auditLayers(): Promise<void> {
    const { table, roots } = this.#services;
    return auditLayers({
      table,
      files: roots.files,
      onLayer: () => {
        this.tally.layers++;
      },
      onFault: (index, detail) => this.#fault(LAYERS, index, detail),
    });
  }

  async #auditChain(chain: Chain, extent: ChainExtent, onLeaves: (count: number) => void): Promise<void> {
    const { tally } = this;
    tally.chains++;
    const { table, macs } = this.#services;
    const fault = (index: number, detail: string) => this.#fault(chain.chainId, index, detail);
    await auditChain({
      table,
      macs,
      chain,
      extent,
      verdicts: this.#verdicts,
      onLeaves: (count) => {
        tally.receipts += count;
        onLeaves(count);
      },
      onHead: (leafIndex) => {
        if (leafIndex < this.#metachainSize) this.#claim(chain.chainId, -1);
      },
      onMacs: (checked) => {
        tally.macs += checked;
      },
      onRemoved: () => {
        tally.removed++;
      },
      onErased: () => {
        tally.erased++;
      },
      onFault: fault,
    });
    if ((this.#unclaimed.get(chain.chainId) ?? 0) !== 0)
      fault(extent.sealedSize, "the entries of the metachain are not what was sealed of this chain");
  }

  #claim(chainId: string, by: number): void {
    this.#unclaimed.set(chainId, (this.#unclaimed.get(chainId) ?? 0) + by);
  }

  #fault(where: string, index: number, detail: string): void {
    this.tally.faultCount++;
    if (this.tally.faults.length < MAX_FAULTS) this.tally.faults.push({ where, index, detail });
  }
}

async function chainsIn(
  known: readonly Chain[],
  registry: TenantRegistry,
  { tenantId, chainId }: AuditScope,
): Promise<Chain[]> {
  const among = tenantId === null ? known : await registry.chains(tenantId);
  const chains = among.filter((chain) => chainId === null || chain.chainId === chainId);
  if (chains.length > 0 || chainId === null) return chains;
  throw new DisclosureError("not_found", `there is no chain ${chainId}`);
}
