// The check `checkpoint`, with the vectors' evidence and a log that is signed here.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { type VerifierInputs, verifyEvidence } from "../../../evidence/reader/index.ts";
import { parseLogPolicy } from "../../../evidence/reader/log-policy.ts";
import {
  logSigner,
  noteOf,
  policyText,
  signedCheckpoint,
  witnessSigner,
} from "../../support/note-signers.ts";

const read = (name: string): Buffer =>
  readFileSync(new URL(`../../vectors/evidence/${name}`, import.meta.url));
const REPORT = JSON.parse(read("receipts/hand-off.json").toString("utf8"));
const { merkle_root: root, cross_tenant_proof: cross } = REPORT.merkle_proof;
const TREE = { size: cross.tree_size as number, root: root as string };

const LOG = logSigner("receipts.example.com/v1/metachain");
const WITNESSES = ["a", "b", "c"].map((name) => witnessSigner(`witness.example/${name}`));
const GOOD = signedCheckpoint(LOG, TREE, WITNESSES.slice(0, 2));
const POLICY = policyText(LOG, WITNESSES, 2);

const ANOTHER_ROOT = `0x${"5".repeat(64)}`;
const now = "2026-11-27T00:00:00Z";
const trustAnchors = parseCertificatesPem(read("authorities/service.pem").toString("utf8"));

/** The check of this name, of a report that carries this note. */
async function checkOf(
  log_checkpoint: string | null | undefined,
  logPolicy = POLICY,
  more: Partial<VerifierInputs> = {},
) {
  const report = { ...REPORT, ...(log_checkpoint !== undefined && { log_checkpoint }) };
  const { checks, outcome, strays } = await verifyEvidence(JSON.stringify(report), {
    now,
    trustAnchors,
    logPolicy,
    ...more,
  });
  const check = checks.find(({ name }) => name === "checkpoint");
  return { ok: check?.ok, detail: check?.detail, outcome, strays };
}

describe("a report's checkpoint", () => {
  test("holds where the log of the reader's policy signed the root and its size, and its quorum cosigned", async () => {
    const { ok, detail } = await checkOf(GOOD);
    expect(ok).toBe(true);
    expect(detail).toBe(
      `${LOG.name} signed this root with its size of ${TREE.size}; cosigned by w0 at 2026-11-22T10:00:00.000Z, w1 at 2026-11-22T10:00:00.000Z`,
    );
  });

  test("holds under the log's key alone, which asks for no witness", async () => {
    expect(await checkOf(signedCheckpoint(LOG, TREE), LOG.vkey)).toMatchObject({ ok: true });
  });

  test("is not checked by a reader without a policy", async () => {
    const { checks } = await verifyEvidence(JSON.stringify({ ...REPORT, log_checkpoint: "nonsense" }), {
      now,
    });
    expect(checks.map(({ name }) => name)).not.toContain("checkpoint");
  });

  test.each<[string, string]>([
    ["another root", signedCheckpoint(LOG, { ...TREE, root: ANOTHER_ROOT }, WITNESSES)],
    ["another size", signedCheckpoint(LOG, { ...TREE, size: TREE.size + 1 }, WITNESSES)],
    [
      "a signature by another key under the log's name",
      signedCheckpoint(logSigner(LOG.name, "stolen"), TREE),
    ],
    [
      "a cosignature of another text",
      GOOD.replace(
        /(.*)\n$/,
        `${signedCheckpoint(LOG, { ...TREE, size: 1 }, WITNESSES.slice(2))
          .split("\n")
          .at(-2)}\n`,
      ),
    ],
    ["no signature at all", noteOf(GOOD.slice(0, GOOD.indexOf("\n\n") + 1))],
    ["no checkpoint", "nonsense"],
  ])("fails with %s", async (_, note) => {
    expect(await checkOf(note)).toMatchObject({ ok: false, outcome: "does_not_hold", strays: [] });
  });

  test("stays open without the quorum of the reader's policy", async () => {
    const { ok, outcome, detail } = await checkOf(signedCheckpoint(LOG, TREE, WITNESSES.slice(0, 1)));
    expect([ok, outcome]).toEqual([null, "holds_so_far"]);
    expect(detail).toContain("not the quorum");
  });

  test("stays open where it is another log's, and says that the policy does not belong to it", async () => {
    const stranger = logSigner("elsewhere.example/v1/metachain");
    expect(await checkOf(signedCheckpoint(stranger, TREE))).toMatchObject({
      ok: null,
      strays: [{ kind: "log_policy", file: "logPolicy" }],
    });
  });

  test.each([[null], [undefined]])("stays open where there is none (%s)", async (note) => {
    expect(await checkOf(note)).toMatchObject({ ok: null, outcome: "holds_so_far", strays: [] });
  });
});

describe("a log that the reader may ask", () => {
  const sourceOf = (files: Readonly<Record<string, string>>, asked: string[] = []) => ({
    name: "a log",
    head: async () => Buffer.from("{}"),
    root: async (index: number) => read(`seals/${index}.json`),
    timestamp: async () => null,
    logFile: async (path: string) => {
      asked.push(path);
      return files[path] === undefined ? null : Buffer.from(files[path]);
    },
  });

  test("gives the checkpoint that a report lacks", async () => {
    const source = sourceOf({ [`checkpoints/${cross.seal_index}`]: GOOD });
    expect(await checkOf(null, POLICY, { source })).toMatchObject({ ok: true });
  });

  test("is not asked for one that the report has", async () => {
    const asked: string[] = [];
    await checkOf(GOOD, POLICY, { source: sourceOf({}, asked) });
    expect(asked).toEqual([]);
  });

  test("is asked for those of a conversation, each once, and for that of a root", async () => {
    const asked: string[] = [];
    const bundle = read("bundles/conversation.json");
    const { checks } = await verifyEvidence(bundle, { now, logPolicy: POLICY, source: sourceOf({}, asked) });
    expect(checks.filter(({ name }) => name.endsWith("/checkpoint")).map(({ ok }) => ok)).toContain(null);
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked).size).toBe(asked.length);
    const seal = await verifyEvidence(read(`seals/${cross.seal_index}.json`), {
      now,
      logPolicy: POLICY,
      source: sourceOf({ [`checkpoints/${cross.seal_index}`]: GOOD }),
    });
    expect(seal.checks.find(({ name }) => name === "checkpoint")?.ok).toBe(true);
  });
});

describe("a reader's policy", () => {
  test.each([
    ["a witness's key", WITNESSES[0]?.vkey ?? ""],
    ["a policy without a log", "quorum none\n"],
    ["a text that is neither", "hello"],
  ])("is not %s", (_, text) => {
    expect(() => parseLogPolicy(text)).toThrowError(expect.objectContaining({ code: "malformed" }));
  });
});
