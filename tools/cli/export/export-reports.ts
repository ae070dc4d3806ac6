// Fetches the reports of a range of time, and the roots and wording layers that they lead to. A report that is there and
// leads to a published root is not fetched again, so it has the timestamps that it came with: one that is fetched later
// may have a renewal, too.
import { rootPath } from "../../../contract/metachain-paths.ts";
import { layerPath } from "../../../contract/policy-paths.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import {
  type ComplianceReceipt,
  complianceReceiptSchema,
} from "../../../evidence/core/formats/compliance-receipt.ts";
import type { ListedReceipt } from "../../../evidence/core/formats/receipt-list.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { inOrder } from "../../../evidence/reader/in-order.ts";
import { parseAs } from "../../../evidence/reader/metachain.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import type { PublicLog } from "../history/walk-log.ts";
import type { PolicySource } from "../metachain/policy-source.ts";
import type { Terminal } from "../output/terminal.ts";
import { ExpectedRoots } from "./expected-roots.ts";
import { type ExportFolder, reportPath } from "./export-folder.ts";
import type { ReportClient, TimeRange } from "./report-client.ts";

/** Requests under way at a time: few, for the plan's rate is the tenant's own, and its calls go first. */
const WIDTH = 4;

export interface ExportServices {
  readonly client: ReportClient;
  readonly log: PublicLog & Pick<PolicySource, "layer">;
  readonly folder: ExportFolder;
  readonly terminal: Terminal;
}

export interface ExportedReports {
  readonly reports: number;
  /** The numbers of their places, by chain. */
  readonly numbers: ReadonlyMap<string, readonly number[]>;
  /** When their list was asked for. */
  readonly listedAt: Date;
  /** Those that this run fetched. */
  readonly fetched: number;
  /** Those that no published root covers yet. */
  readonly pending: number;
  /** Those that were removed after they were listed. */
  readonly removed: number;
  readonly roots: number;
  readonly layers: number;
  /** Layers that are not published yet. */
  readonly missingLayers: number;
}

type ReportPlace = Pick<ListedReceipt, "event_id" | "issued_at">;

interface FoundReport {
  readonly report: ComplianceReceipt;
  readonly isNew: boolean;
}

/** Throws `proof_invalid` for an answer that is not what was asked for, `publication_unavailable`. */
export async function exportReports(services: ExportServices, range: TimeRange): Promise<ExportedReports> {
  const { client, terminal } = services;
  const listedAt = new Date();
  const places: ReportPlace[] = [];
  for await (const rows of client.list(range))
    places.push(...rows.map(({ event_id, issued_at }) => ({ event_id, issued_at })));
  const progress = terminal.progress(places.length, "reports");
  const [roots, layers] = [new ExpectedRoots(), new Set<string>()];
  const numbers = new Map<string, number[]>();
  const total = { reports: 0, fetched: 0, pending: 0, removed: 0 };
  for await (const found of inOrder(places, WIDTH, (place) => findReport(services, place))) {
    progress.step();
    total.reports += found === null ? 0 : 1;
    total.removed += found === null ? 1 : 0;
    total.fetched += found?.isNew === true ? 1 : 0;
    if (found === null) continue;
    total.pending += isIncluded(found.report) ? 0 : 1;
    addNumbers(numbers, found.report);
    roots.add(found.report);
    for (const { policy } of found.report.receipts) layers.add(policy.digest);
  }
  await keepRoots(services, roots);
  const missingLayers = await keepLayers(services, [...layers]);
  for (const own of numbers.values()) own.sort((a, b) => a - b);
  return {
    ...total,
    numbers,
    listedAt,
    roots: roots.indices.length,
    layers: layers.size - missingLayers,
    missingLayers,
  };
}

function addNumbers(numbers: Map<string, number[]>, { receipts }: ComplianceReceipt): void {
  for (const { chain_id, sequence } of receipts) {
    const own = numbers.get(chain_id) ?? [];
    own.push(sequence);
    numbers.set(chain_id, own);
  }
}

/** Null for a receipt that is gone since it was listed. */
async function findReport(
  { client, folder }: ExportServices,
  place: ReportPlace,
): Promise<FoundReport | null> {
  const path = reportPath(place);
  const held = await folder.read(path);
  const before = held === null ? null : await naming(path, async () => readReport(held, place));
  if (before !== null && isIncluded(before)) return { report: before, isNew: false };
  const bytes = await client.report(place.event_id);
  if (bytes === null) return null;
  const report = await naming(path, async () => readReport(bytes, place));
  await folder.write(path, bytes);
  return { report, isNew: true };
}

/** Throws `proof_invalid` for a report of another event. */
export function readReport(
  bytes: Uint8Array,
  { event_id }: Pick<ReportPlace, "event_id">,
): ComplianceReceipt {
  const report = parseAs(complianceReceiptSchema, bytes, "a report");
  if (report.event_id === event_id) return report;
  throw new DisclosureError("proof_invalid", `the report is about another event, ${report.event_id}`);
}

const isIncluded = ({ merkle_proof }: ComplianceReceipt): boolean => merkle_proof.status === "included";

async function keepRoots({ log, folder, terminal }: ExportServices, roots: ExpectedRoots): Promise<void> {
  const progress = terminal.progress(roots.indices.length, "roots");
  const keep = async (index: number): Promise<void> => {
    const check = (bytes: Uint8Array) => roots.check(index, bytes);
    const bytes = await folder.keep(rootPath(index), check, () => log.root(index));
    if (bytes === null)
      throw new DisclosureError("proof_invalid", `a report leads to root ${index}, which is not published`);
  };
  for await (const _ of inOrder(roots.indices, WIDTH, keep)) progress.step();
}

/** Returns how many of them are not published: the next seal publishes the layers of its receipts. */
async function keepLayers({ log, folder }: ExportServices, digests: readonly string[]): Promise<number> {
  let missing = 0;
  const keep = (digest: string) =>
    folder.keep(
      layerPath(digest),
      (bytes) => checkLayer(digest, bytes),
      () => log.layer(digest),
    );
  for await (const bytes of inOrder(digests, WIDTH, keep)) missing += bytes === null ? 1 : 0;
  return missing;
}

function checkLayer(digest: string, bytes: Uint8Array): void {
  if (formatDigest(hashBytes(bytes)) === digest) return;
  throw new DisclosureError("malformed", "these are other bytes than those of the layer's name");
}
