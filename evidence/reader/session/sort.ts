// Sorts the files of a session: each is evidence, a companion of evidence, the proof of a fork, or can't be read.
import { hashInput } from "../../core/formats/attestation-request.ts";
import { chainIdSchema } from "../../core/formats/shapes.ts";
import { type Fork, forkSchema } from "../../core/log/fork.ts";
import {
  type CompanionFile,
  type Document,
  type Evidence,
  isEvidence,
  parseDocument,
  receiptsOf,
} from "../evidence.ts";
import { inOrder } from "../in-order.ts";
import { parseAs } from "../metachain.ts";
import { type Problem, problemOf, unreadable, unreadableReasonOf } from "../unreadable.ts";
import { type Companions, type GivenFile, NO_COMPANIONS } from "./given.ts";

/** Files that are read at a time. */
export const READ_WIDTH = 8;

export interface EvidenceFile {
  readonly file: string;
  /** The hashes of the requests behind its receipts, as it says. */
  readonly inputHashes: ReadonlySet<unknown>;
  /** The chains that it names, as it says. */
  readonly chainIds: ReadonlySet<string>;
  /** Throws as `parseDocument` does, and where the file was replaced since it was sorted. */
  readonly read: () => Promise<Evidence>;
}

export type SortedFile =
  | EvidenceFile
  | { readonly file: string; readonly companions: Companions }
  | { readonly file: string; readonly fork: Fork }
  | { readonly file: string; readonly problem: Problem };

/** In the order in which they were given. */
export async function sortFiles(files: readonly GivenFile[]): Promise<SortedFile[]> {
  const sorted: SortedFile[] = [];
  for await (const one of inOrder(files, READ_WIDTH, sortFile)) sorted.push(one);
  return sorted;
}

async function sortFile(given: GivenFile): Promise<SortedFile> {
  const { name: file } = given;
  try {
    const bytes = await given.read();
    const found = documentOrFork(bytes);
    if (found.kind === "fork") return { file, fork: found.fork };
    return isEvidence(found) ? evidenceFile(given, found) : { file, companions: companionsIn(given, found) };
  } catch (error) {
    return { file, problem: problemOf(error) };
  }
}

/** Throws as `parseDocument` does, and `malformed` for a fork that is damaged. */
function documentOrFork(bytes: Uint8Array): Document | { readonly kind: "fork"; readonly fork: Fork } {
  try {
    return parseDocument(bytes);
  } catch (error) {
    if (unreadableReasonOf(error) !== "fork") throw error;
    return { kind: "fork", fork: parseAs(forkSchema, bytes, "the fork") };
  }
}

const evidenceFile = ({ name: file, read }: GivenFile, evidence: Evidence): EvidenceFile => ({
  file,
  inputHashes: new Set(receiptsOf(evidence).map(({ input_hash }) => input_hash)),
  chainIds: chainsOf(evidence),
  read: async () => asEvidence(parseDocument(await read())),
});

/** What is no id of a chain is left out: no walk of the log could look for it. */
function chainsOf(evidence: Evidence): ReadonlySet<string> {
  const proof = evidence.kind === "bundle" || evidence.kind === "seal" ? null : evidence.receipt.merkle_proof;
  const named = [
    ...receiptsOf(evidence).map(({ chain_id }) => chain_id),
    proof?.cross_tenant_proof?.leaf.chain_id,
  ];
  return new Set(named.flatMap((id) => chainIdSchema.safeParse(id).data ?? []));
}

function asEvidence(found: Document): Evidence {
  if (isEvidence(found)) return found;
  throw unreadable("gone", "the file was replaced while it was read");
}

function companionsIn({ name: file, isNamed }: GivenFile, found: CompanionFile): Companions {
  switch (found.kind) {
    case "request":
      return {
        ...NO_COMPANIONS,
        requests: [{ file, request: found.request, inputHash: hashInput(found.request) }],
      };
    case "policy_layer":
      return {
        ...NO_COMPANIONS,
        layers: [{ file, isNamed, layer: found.layer, digest: found.rules.digest }],
      };
    case "log_policy":
      return { ...NO_COMPANIONS, policies: [{ file, isNamed, policy: found.policy }] };
    case "cose_receipt":
      return { ...NO_COMPANIONS, coseReceipts: [{ file, coseReceipt: found.coseReceipt }] };
    case "certificates":
      return { ...NO_COMPANIONS, certificates: [{ file, isNamed, der: found.anchors }] };
  }
}
