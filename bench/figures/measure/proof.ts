// Reports of receipts in chains of a thousand to a million receipts: time, and reads of the table, for each.
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";
import { OWN_PLAN } from "../../../host/local/plans.ts";
import { readSettings } from "../../../host/local/settings.ts";
import { startStack } from "../../../host/local/stack.ts";
import { openMacs, openRenewals, openTable } from "../../../service/opening/connections.ts";
import { openRoots } from "../../../service/opening/roots.ts";
import { readLogSignatures } from "../../../service/reports/log-signatures.ts";
import { type ReportServices, readReport } from "../../../service/reports/reports.ts";
import type { Table } from "../../../service/table/table.ts";
import { type Caller, SCOPES } from "../../../service/tenants/tenants.ts";
import { quantileOf } from "../../measuring.ts";
import { indexIn, type Random, randomOf } from "../../throughput/random.ts";
import { eventIdOf, type KeptChain, openKeptWorld } from "../million.ts";
import { columnsOf, type Figure, figureOf, type Measure, ratioOf } from "../result.ts";

const REPORTS = { whole: 1_000, short: 50 };
/** Chains are taken in turns, so that whatever else the machine does is no chain's own. */
const TURNS = 10;
const [P50, P99] = [0.5, 0.99];
/** "Flat", in numbers: a path in the longest chain has twice as many nodes as in the shortest. */
const MOST_TIMES = 1.5;
const A_DAY = "86400";

interface Took {
  readonly chain: KeptChain;
  readonly assembled: number[];
  readonly overHttp: number[];
  reads: number;
  /** Members of all paths. */
  nodes: number;
}

export const measure: Measure = async ({ isQuick, seed, kept, progress }) => {
  const { folder, world } = await openKeptWorld(kept, isQuick, progress);
  const settings = { PORT: "0", CONSOLE: "false", LOG_LEVEL: "ERROR", SEAL_INTERVAL_SECONDS: A_DAY };
  const stack = await startStack(readSettings({ ...settings, DATA_DIR: folder }));
  const all = world.chains.map((chain): Took => ({ chain, assembled: [], overHttp: [], reads: 0, nodes: 0 }));
  try {
    const random = randomOf(seed);
    const services = openReports();
    const count = (isQuick ? REPORTS.short : REPORTS.whole) / TURNS;
    for (let turn = 0; turn <= TURNS; turn++) {
      // The first turn warms up.
      if (turn === 1) for (const took of all) reset(took);
      for (const took of all) await measureTurn(took, { services, url: stack.url, count, random });
      progress(`turn ${turn} of ${TURNS}`);
    }
  } finally {
    await stack.stop();
  }
  return { columns: COLUMNS, rows: all.map(cellsOf), figures: figuresOf(all) };
};

interface CountedServices {
  readonly reports: ReportServices;
  readonly reads: () => number;
}

/** As the handler opens them, with a table that counts its requests. */
function openReports(): CountedServices {
  const table = openTable();
  const reads = countReads(table);
  const fail = (error: unknown): never => {
    throw error;
  };
  const signatures = readLogSignatures({ roots: openRoots(), onFault: fail });
  const of = { table, macs: openMacs(table), findRenewal: openRenewals(table) };
  return { reports: { ...of, readLogSignatures: signatures }, reads };
}

/** All other reads of a table end in these three. */
function countReads(table: Table): () => number {
  let reads = 0;
  const { get, pages, batchGet } = table;
  table.get = (key) => {
    reads++;
    return get.call(table, key);
  };
  table.pages = (query) => {
    reads++;
    return pages.call(table, query);
  };
  table.batchGet = (keys) => {
    if (keys.length > 0) reads++;
    return batchGet.call(table, keys);
  };
  return () => reads;
}

function reset(took: Took): void {
  took.assembled.length = 0;
  took.overHttp.length = 0;
  took.reads = 0;
  took.nodes = 0;
}

interface ProofTurn {
  readonly services: CountedServices;
  readonly url: string;
  readonly count: number;
  readonly random: Random;
}

async function measureTurn(took: Took, { services, url, count, random }: ProofTurn): Promise<void> {
  const { chain } = took;
  const ids = Array.from({ length: count }, () => eventIdOf(chain, indexIn(random, chain.size)));
  const before = services.reads();
  for (const id of ids) {
    const start = performance.now();
    const report = await readReport(services.reports, callerOf(chain), id);
    took.assembled.push(performance.now() - start);
    const { event_inclusion_proof, cross_tenant_proof } = report.merkle_proof;
    took.nodes += event_inclusion_proof.path.length + (cross_tenant_proof?.path.length ?? 0);
  }
  took.reads += services.reads() - before;
  for (const id of ids) {
    const start = performance.now();
    const headers = { authorization: `Bearer ${chain.apiKey}` };
    const response = await fetch(`${url}${ATTESTATION_PATH}/${id}`, { headers });
    await response.text();
    if (!response.ok) throw new Error(`a report was answered ${response.status}`);
    took.overHttp.push(performance.now() - start);
  }
}

/** The chain's tenant, as the authorizer would know it. */
const callerOf = ({ tenantId, tenantAnchor }: KeptChain): Caller => ({
  tenantId,
  keyId: "0".repeat(20),
  scopes: SCOPES,
  plan: OWN_PLAN,
  tenantAnchor,
  chains: 1,
  keyExpiresAt: null,
  inlineStampsPerMinute: null,
  ownWordings: null,
  isPreview: false,
});

const COLUMNS = columnsOf(
  "receipts in the chain: count",
  "reports: count",
  "assembled, p50: ms",
  "p99: ms",
  "over HTTP, p50: ms",
  "p99: ms",
  "reads of the table: count",
  "nodes in its paths: count",
);

const cellsOf = ({ chain, assembled, overHttp, reads, nodes }: Took): number[] => [
  chain.size,
  assembled.length,
  quantileOf(assembled, P50),
  quantileOf(assembled, P99),
  quantileOf(overHttp, P50),
  quantileOf(overHttp, P99),
  reads / assembled.length,
  nodes / assembled.length,
];

function figuresOf(all: readonly Took[]): Figure[] {
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) throw new Error("there is no chain");
  const p50 = quantileOf(last.assembled, P50);
  const [most, least] = [last.chain.size, first.chain.size];
  return [
    figureOf(
      `assembling a report out of ${most} receipts against ${least}, p50`,
      ratioOf(p50, quantileOf(first.assembled, P50)),
      "times",
      { atMost: MOST_TIMES },
    ),
    figureOf("a report out of the longest chain, p50", p50, "ms"),
  ];
}
