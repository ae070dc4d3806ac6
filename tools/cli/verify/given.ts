// The files and options that a reader gave to `verify` or `sheet`, as the inputs of a session. Files that an option names
// are read before all others: a mistyped name is told before ten thousand files are read.

import { DisclosureError } from "../../../evidence/core/errors.ts";
import { hashInput } from "../../../evidence/core/formats/attestation-request.ts";
import { parseDocument } from "../../../evidence/reader/evidence.ts";
import { MAX_FILE_BYTES } from "../../../evidence/reader/limits.ts";
import { naming } from "../../../evidence/reader/naming.ts";
import type { Anchors, Companions, GivenFile, GivenSeal } from "../../../evidence/reader/session/given.ts";
import { listEvidenceFiles, type NamedFile } from "../files/evidence-files.ts";
import { readRequest } from "../files/json-file.ts";
import { LOG_POLICY_OPTIONS, readLogPolicy } from "../files/log-policy.ts";
import { LAYER_OPTION, readLayer } from "../files/policy-layer.ts";
import { isRereadable, type ReadBytes, readBytes } from "../files/read-file.ts";
import { readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";

/** The options that name what a reader has next to evidence. */
export const COMPANION_OPTIONS = {
  ...TSA_CA_OPTION,
  ...LOG_POLICY_OPTIONS,
  ...LAYER_OPTION,
  request: { type: "string", multiple: true },
  seal: { type: "string", multiple: true },
} as const;

export interface GivenOptions {
  readonly "tsa-ca"?: readonly string[] | undefined;
  readonly request?: readonly string[] | undefined;
  readonly layer?: readonly string[] | undefined;
  readonly seal?: readonly string[] | undefined;
  readonly policy?: string | undefined;
  readonly "log-key"?: string | undefined;
}

export interface Given {
  readonly files: readonly GivenFile[];
  readonly companions: Companions;
  readonly anchors: readonly Anchors[];
  readonly areAnchorsDefault: boolean;
}

/** Throws `malformed` for an option's file that can't be read, `UsageError` for files that are not there to be listed. */
export async function readGiven(
  files: readonly string[],
  options: GivenOptions,
  read: ReadBytes = readBytes,
): Promise<Given> {
  const anchors = await readTrustAnchors(options["tsa-ca"], read);
  const companions = { ...(await readCompanions(options, read)), certificates: anchors.flatMap(namedIn) };
  const listed = await listEvidenceFiles(files);
  return {
    files: listed.map((file) => givenFile(file, read)),
    companions,
    anchors: anchors.filter(({ source }) => source.kind === "known"),
    areAnchorsDefault: (options["tsa-ca"] ?? []).length === 0,
  };
}

/** Certificates that an option names count like those among the files. */
const namedIn = ({ source, der }: Anchors): Companions["certificates"] =>
  source.kind === "reader" ? [{ file: source.file, isNamed: true, der }] : [];

async function readCompanions(options: GivenOptions, read: ReadBytes): Promise<Companions> {
  const policy = await readLogPolicy(options, read);
  return {
    requests: await each(options.request, async (file) => {
      const request = await readRequest(file, read);
      return { file, request, inputHash: hashInput(request) };
    }),
    layers: await each(options.layer, async (file) => {
      const { layer, rules } = await readLayer(file, read);
      return { file, isNamed: true, layer, digest: rules.digest };
    }),
    seals: await each(options.seal, (file) => readSeal(file, read)),
    policies: policy === null ? [] : [{ file: options.policy ?? "--log-key", isNamed: true, policy }],
    certificates: [],
    coseReceipts: [],
  };
}

const each = <T>(files: readonly string[] = [], readOne: (file: string) => Promise<T>): Promise<T[]> =>
  Promise.all(files.map(readOne));

/** Throws `malformed`, naming the option, if the file is not a published root. */
const readSeal = (file: string, read: ReadBytes): Promise<GivenSeal> =>
  naming(`--seal ${file}`, async () => {
    const document = parseDocument(await read(file, MAX_FILE_BYTES));
    if (document.kind === "seal") return { file, seal: document.seal };
    throw new DisclosureError("malformed", "expected a published root");
  });

/** A file that can be read again is, when its turn comes. */
function givenFile({ path, isNamed }: NamedFile, read: ReadBytes): GivenFile {
  let once: Promise<Uint8Array> | null = null;
  return {
    name: path,
    isNamed,
    read: async () => {
      if (once !== null) return once;
      if (await isRereadable(path)) return read(path, MAX_FILE_BYTES);
      once = read(path, MAX_FILE_BYTES);
      return once;
    },
  };
}
