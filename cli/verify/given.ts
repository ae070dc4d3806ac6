// The files and options that a reader gave to `verify`: the evidence, and next to it requests, certificates, policy layers
// and the text of a wording, each by an option or among the files.
import type { JsonObject } from "../../core/canonical-json.ts";
import { isDisclosureError } from "../../core/errors.ts";
import type { CoseReceipt } from "../../core/log/cose-receipt.ts";
import type { Fork } from "../../core/log/fork.ts";
import type { TlogPolicy } from "../../core/log/tlog-policy.ts";
import {
  type CompanionFile,
  companionName,
  type Document,
  type Evidence,
  isEvidence,
  type PolicyLayerFile,
  parseDocument,
} from "../../reader/evidence.ts";
import { inOrder } from "../../reader/in-order.ts";
import { MAX_FILE_BYTES } from "../../reader/limits.ts";
import { UsageError } from "../command.ts";
import { listEvidenceFiles, type NamedFile } from "../files/evidence-files.ts";
import { readRequest } from "../files/json-file.ts";
import { readLogPolicy } from "../files/log-policy.ts";
import { readLayer } from "../files/policy-layer.ts";
import { isRereadable, type ReadBytes, readBytes } from "../files/read-file.ts";
import { anchorsFrom, readTrustAnchors, type TrustAnchor } from "../files/trust-anchors.ts";
import { readWording } from "../files/wording.ts";
import { type GivenFork, readForkFile } from "./fork-file.ts";

/** Files that are read at a time. */
export const WIDTH = 8;
/** `--wording @FILE` names a file with the text. */
const FILE_MARK = "@";

export interface EvidenceFile {
  readonly file: string;
  /** Throws as `parseDocument` and `readBytes` do. */
  readonly read: () => Promise<Evidence>;
}

export interface GivenCoseReceipt {
  readonly file: string;
  readonly coseReceipt: CoseReceipt;
}

/** A policy for the log's signatures; `file` is null for a key that an option gave. */
export interface GivenPolicy {
  readonly file: string | null;
  readonly policy: TlogPolicy;
}

/** A wording policy layer; `digest` is the one by which receipts name it. */
export interface GivenLayer {
  readonly file: string;
  readonly layer: JsonObject;
  readonly digest: string;
  /** True where the reader named its file, and not a folder of many layers that it happens to be in. */
  readonly isNamed: boolean;
}

export interface GivenRequest {
  readonly file: string;
  readonly request: JsonObject;
}

export interface Given {
  readonly evidence: readonly EvidenceFile[];
  readonly requests: readonly GivenRequest[];
  readonly coseReceipts: readonly GivenCoseReceipt[];
  /** Proofs that a log signed two histories. */
  readonly forks: readonly GivenFork[];
  readonly layers: readonly GivenLayer[];
  /** Null where the reader gave none. */
  readonly logPolicy: GivenPolicy | null;
  readonly anchors: readonly TrustAnchor[];
  /** The files of certificates that the reader gave; none where the known authorities are taken. */
  readonly anchorFiles: readonly string[];
  /** Files with certificates that came in a folder: whoever made the folder could have chosen them. */
  readonly unusedCertificates: readonly string[];
  /** The text to compare with the attested wording. */
  readonly text: string | null;
}

export interface GivenOptions {
  readonly "tsa-ca"?: readonly string[] | undefined;
  readonly request?: readonly string[] | undefined;
  readonly layer?: readonly string[] | undefined;
  readonly wording?: string | undefined;
  readonly policy?: string | undefined;
  readonly "log-key"?: string | undefined;
}

type Sorted = { readonly file: string; readonly isNamed: boolean } & (
  | { readonly read: () => Promise<Evidence> }
  | { readonly companion: CompanionFile }
  | { readonly fork: Fork }
);

/** Throws `UsageError` where there is no evidence, `malformed` for an option's file that can't be read. */
export async function readGiven(
  files: readonly string[],
  options: GivenOptions,
  read: ReadBytes = readBytes,
): Promise<Given> {
  const sorted: Sorted[] = [];
  const sortFile = (named: NamedFile) => sort(named, read);
  for await (const one of inOrder(await listEvidenceFiles(files), WIDTH, sortFile)) sorted.push(one);
  const evidence = sorted.filter((one) => "read" in one);
  const forks = sorted.filter((one) => "fork" in one);
  const [first] = sorted;
  if (evidence.length === 0 && first !== undefined && "companion" in first)
    throw new UsageError(
      `there is no evidence among the files: ${first.file} is ${companionName(first.companion)}`,
    );
  const requests = sorted.flatMap((one) =>
    "companion" in one && one.companion.kind === "request"
      ? { file: one.file, request: one.companion.request }
      : [],
  );
  return {
    evidence,
    requests: [...(await readRequests(options.request, read)), ...requests],
    coseReceipts: sorted.flatMap((one) =>
      "companion" in one && one.companion.kind === "cose_receipt"
        ? { file: one.file, coseReceipt: one.companion.coseReceipt }
        : [],
    ),
    forks,
    layers: [...(await readLayers(options.layer, read)), ...sorted.flatMap(layerIn)],
    logPolicy: onlyPolicy(await readPolicy(options, read), sorted),
    ...(await collectAnchors(sorted, options["tsa-ca"] ?? [], read)),
    text: options.wording === undefined ? null : await readText(options.wording),
  };
}

/** A file that can be read again is, when its turn comes: many large ones would not fit into memory. */
async function sort({ path: file, isNamed }: NamedFile, read: ReadBytes): Promise<Sorted> {
  const document = readDocument(file, read);
  // Its failure is reported with the results.
  document.catch(() => {});
  const found = await document.catch((error: unknown) => {
    if (!isDisclosureError(error)) throw error;
    return null;
  });
  if (found !== null && !isEvidence(found)) return { file, isNamed, companion: found };
  const fork = found === null ? await forkIn(file) : null;
  if (fork !== null) return { file, isNamed, fork };
  if (!(await isRereadable(file))) return { file, isNamed, read: async () => asEvidence(await document) };
  return { file, isNamed, read: async () => asEvidence(await readDocument(file, read)) };
}

/** A fork that is damaged is told as a file that can't be read. */
const forkIn = (file: string): Promise<Fork | null> =>
  readForkFile([file]).catch((error: unknown) => {
    if (!isDisclosureError(error)) throw error;
    return null;
  });

const readDocument = async (file: string, read: ReadBytes): Promise<Document> =>
  parseDocument(await read(file, MAX_FILE_BYTES));

function asEvidence(document: Document): Evidence {
  if (isEvidence(document)) return document;
  throw new UsageError("a file was replaced while it was read");
}

const readRequests = (files: readonly string[] = [], read: ReadBytes): Promise<GivenRequest[]> =>
  Promise.all(files.map(async (file) => ({ file, request: await readRequest(file, read) })));

/** A layer is believed by its hash, so one that came in a folder counts like any other. */
const layerIn = (one: Sorted): GivenLayer[] =>
  "companion" in one && one.companion.kind === "policy_layer" ? [givenLayer(one, one.companion)] : [];

const readLayers = (files: readonly string[] = [], read: ReadBytes): Promise<GivenLayer[]> =>
  Promise.all(files.map(async (file) => givenLayer({ file, isNamed: true }, await readLayer(file, read))));

const givenLayer = (
  { file, isNamed }: Pick<GivenLayer, "file" | "isNamed">,
  { layer, rules }: PolicyLayerFile,
): GivenLayer => ({
  file,
  isNamed,
  layer,
  digest: rules.digest,
});

async function readPolicy(options: GivenOptions, read: ReadBytes): Promise<GivenPolicy | null> {
  const policy = await readLogPolicy(options, read);
  return policy && { file: options.policy ?? null, policy };
}

/** A policy that came in a folder counts as little as a certificate: whoever made the folder could have chosen it. */
function onlyPolicy(fromOption: GivenPolicy | null, sorted: readonly Sorted[]): GivenPolicy | null {
  const named = sorted.flatMap((one): GivenPolicy[] =>
    one.isNamed && "companion" in one && one.companion.kind === "log_policy"
      ? [{ file: one.file, policy: one.companion.policy }]
      : [],
  );
  const all = fromOption === null ? named : [fromOption, ...named];
  const [policy = null, ...others] = all;
  if (others.length > 0) throw new UsageError("give one key of a log, or one policy, and no other");
  return policy;
}

/** Certificates among the files count like those of `--tsa-ca`, if the reader named their file. */
async function collectAnchors(
  sorted: readonly Sorted[],
  names: readonly string[],
  read: ReadBytes,
): Promise<Pick<Given, "anchors" | "anchorFiles" | "unusedCertificates">> {
  const found = sorted.flatMap((one) =>
    "companion" in one && one.companion.kind === "certificates" ? { ...one, ...one.companion } : [],
  );
  const named = found.filter(({ isNamed }) => isNamed);
  const fromFiles = named.flatMap(({ file, anchors }) => anchorsFrom(file, anchors));
  const fromOption = names.length === 0 && named.length > 0 ? [] : await readTrustAnchors(names, read);
  const anchors = [...fromOption, ...fromFiles];
  return {
    anchors,
    anchorFiles: [...new Set(anchors.flatMap(({ file }) => file ?? []))],
    unusedCertificates: found.filter(({ isNamed }) => !isNamed).map(({ file }) => file),
  };
}

const readText = async (wording: string): Promise<string> =>
  wording.startsWith(FILE_MARK) ? readWording(wording.slice(FILE_MARK.length)) : wording;
