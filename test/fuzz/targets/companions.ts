// Log policies and certificates, which a reader has next to evidence: the readers in Python take what ours take.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { formatNoteKey, noteKey } from "../../../evidence/core/log/note.ts";
import { parseCertificate } from "../../../evidence/core/timestamps/x509/certificate.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { parseLogPolicy } from "../../../evidence/reader/log-policy.ts";
import { hasPython, PYTHON_ENVIRONMENT } from "../../agreement/python.ts";
import { mutantsOf, sampleOf } from "../mutations.ts";
import { type RunOptions, refusedOr, type Target } from "../target.ts";
import { KEY_TEXT, LOG, POLICY_TEXT } from "./signed-log.ts";
import { COMPANIONS } from "./vectors.ts";

const DRIVER = fileURLToPath(new URL("companions.py", import.meta.url));
const KEY_BYTES = 32;

/** Keys with the right id, whatever they are the keys of: of several types and lengths, and of no point of the curve. */
const anyKey = fc
  .tuple(
    fc.constantFrom("log.example", "witness.example/a", "ü.example"),
    fc.constantFrom(1, 1, 4, 4, 0, 0xff),
    fc.oneof(
      fc.constant(LOG.key.publicKey),
      fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES }),
      fc.uint8Array({ maxLength: KEY_BYTES + 2 }),
    ),
  )
  .map(([name, type, publicKey]) => formatNoteKey(noteKey(name, type, publicKey)));

const name = fc.constantFrom("a", "b", "c", "none", "#a", "");
const anyLine = fc.oneof(
  fc.tuple(fc.constant("log"), anyKey, fc.constantFrom("", "https://log.example", "# more")),
  fc.tuple(fc.constant("witness"), name, anyKey, fc.constantFrom("", "https://witness.example")),
  fc
    .tuple(
      name,
      fc.constantFrom("all", "any", "1", "2", "01", "0", "9999", "10000"),
      fc.array(name, { maxLength: 3 }),
    )
    .map(([own, threshold, members]) => ["group", own, threshold, ...members]),
  fc.tuple(fc.constant("quorum"), name),
  fc.constantFrom(["# a comment"], [""], ["\t"], ["unknown"]),
);
const words = fc.constantFrom(" ", "\t", "  ", "\u00a0", "\u000b");
const anyPolicy = fc
  .tuple(
    fc.array(anyLine, { minLength: 1, maxLength: 6 }),
    fc.noBias(words),
    fc.constantFrom("\n", "\n", "\n", "\r\n"),
  )
  .map(([lines, space, end]) => lines.map((line) => line.join(space === "\u00a0" ? " " : space)).join(end))
  .chain((text) => fc.constantFrom(text, `${text}\nquorum none\n`, `${text}\nlog ${KEY_TEXT}\nquorum none\n`))
  .map((text) => new TextEncoder().encode(text));

const anyCompanion = fc.oneof(
  anyPolicy.map((bytes) => ({ reader: "policy", bytes })),
  anyKey.map((text) => ({ reader: "policy", bytes: new TextEncoder().encode(text) })),
  mutantsOf([sampleOf("policy", POLICY_TEXT), sampleOf("key", KEY_TEXT)]).map(({ bytes }) => ({
    reader: "policy",
    bytes,
  })),
  mutantsOf(COMPANIONS.filter((sample) => sample.name.endsWith(".pem"))).map(({ bytes }) => ({
    reader: "certificates",
    bytes,
  })),
);

type Companion = typeof anyCompanion extends fc.Arbitrary<infer T> ? T : never;

function isTaken({ reader, bytes }: Companion): boolean {
  const text = new TextDecoder().decode(bytes);
  const read = () =>
    reader === "policy"
      ? parseLogPolicy(text)
      : parseCertificatesPem(text).map((der) => parseCertificate(der));
  return refusedOr(read, "malformed") !== null;
}

export const companionsTarget: Target = {
  name: "companions",
  runs: 1_000,
  run: async ({ seed, runs }: RunOptions) => {
    if (!hasPython) throw new Error("there is no python3 to ask");
    compare(fc.sample(anyCompanion, { seed, numRuns: runs }));
  },
};

function compare(companions: readonly Companion[]): void {
  const rows = companions.map(({ reader, bytes }) => ({
    reader,
    base64: Buffer.from(bytes).toString("base64"),
  }));
  const { status, stdout, stderr } = spawnSync("python3", ["-B", DRIVER], {
    input: JSON.stringify(rows),
    env: PYTHON_ENVIRONMENT,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the readers in Python failed: ${stderr}`);
  const theirs = JSON.parse(stdout) as boolean[];
  for (const [i, companion] of companions.entries()) {
    const ours = isTaken(companion);
    if (ours === theirs[i]) continue;
    const content = JSON.stringify(new TextDecoder().decode(companion.bytes));
    throw new Error(
      `${companion.reader} ${content}: ours ${ours ? "takes" : "refuses"} it, Python does not agree`,
    );
  }
}
