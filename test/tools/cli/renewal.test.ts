// Old evidence: the certificates behind its own tokens ran out, or it never had any. The seals after it are public.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Seal, TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import { makeAuthority } from "../../support/dated-authority.ts";
import { SealedTree } from "../../support/renewals.ts";
import { sparseTree } from "../../support/trees.ts";
import { readEvidence, readReceipt } from "../../support/vector-files.ts";
import { fileWith, newFolder, receipts } from "./command-line.ts";

const EARLY = makeAuthority("Early", "2026-03-01T00:00:00Z");
const LATE = makeAuthority("Late", "2090-01-01T00:00:00Z");
const SEALS = 30;
const FIRST_LATE = 20;
const DAY = "2026-02-01";
const AT = `${DAY}T12:00:05Z`;
/** Seal 3 went out without a token. */
const TOKENLESS = 3;

const tree = new SealedTree(sparseTree([2, 6]));
const seals: Seal[] = Array.from({ length: SEALS }, (_, index) =>
  tree.seal(index + 3, DAY, (root) => {
    if (index === TOKENLESS) return [];
    return [(index < FIRST_LATE ? EARLY : LATE).stamp(root, AT)];
  }),
);
let mirror: string;
let anchors: string[];

const pemOf = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64")}\n-----END CERTIFICATE-----\n`;

/** The first `size` seals as a mirror has them, and the tokens that came later. */
function mirrorOf(size: number, later: Readonly<Record<string, TsaTimestamp>> = {}): string {
  const folder = newFolder();
  const write = (path: string, content: unknown): void => {
    const file = join(folder, "v1/metachain", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
  };
  for (const seal of seals.slice(0, size)) write(`roots/${seal.index}`, seal);
  for (const [path, timestamp] of Object.entries(later)) write(`timestamps/${path}`, timestamp);
  write("index.json", { size, latest: seals[size - 1], roots: "/v1/metachain/roots/{index}", log: null });
  return folder;
}

const verify = (seal: Seal | undefined, folder: string) =>
  receipts("verify", fileWith(JSON.stringify(seal)), "--metachain", folder, ...anchors, "-v");

beforeAll(() => {
  mirror = mirrorOf(SEALS);
  anchors = ["--tsa-ca", fileWith(pemOf(EARLY.anchor) + pemOf(LATE.anchor), "anchors.pem")];
});

test("a token whose certificate ran out is renewed by a later seal, and the report says which time is whose", async () => {
  const { status, stdout } = await verify(seals[1], mirror);
  expect(status).toBe(0);
  expect(stdout).toMatch(/\(published root\): This published root holds\.$/m);
  expect(stdout).toContain(
    `the root existed at ${AT}, says CN=Late,C=DE; the root existed at ${AT}, says CN=Early,C=DE, whose certificate ran out`,
  );
});

test("a seal without a token is dated by a later one", async () => {
  const { stdout } = await verify(seals[TOKENLESS], mirror);
  expect(stdout).toMatch(/✓ {2}timestamp +the root existed at \S+, says CN=Late/);
});

test("a seal without a token is dated by one that came later, where there is no later seal", async () => {
  const late = LATE.stamp(Buffer.from(seals[TOKENLESS]?.merkle_root.slice(2) ?? "", "hex"), AT);
  const folder = mirrorOf(TOKENLESS + 1, { [`${TOKENLESS}/0`]: late });
  expect((await verify(seals[TOKENLESS], folder)).stdout).toMatch(/✓ {2}timestamp +the root .* says CN=Late/);
});

test("without a later seal that stands, the timestamp stays open", async () => {
  const { status, stdout } = await verify(seals[1], mirrorOf(FIRST_LATE));
  expect(status).toBe(0);
  expect(stdout).toMatch(/– {2}timestamp +the root .* ran out at 2026-03-01T00:00:00Z: no newer timestamp/);
});

test("a log whose later seals do not extend the old one is found out on the way", async () => {
  const other = new SealedTree(sparseTree([3, 7]));
  const forked = seals.map((_, index) => other.seal(index + 3, DAY, (root) => [LATE.stamp(root, AT)]));
  const folder = mirrorOf(SEALS);
  for (const seal of forked.slice(5))
    writeFileSync(join(folder, `v1/metachain/roots/${seal.index}`), JSON.stringify(seal));
  const { status, stdout } = await verify(seals[1], folder);
  expect(status).toBe(1);
  expect(stdout).toMatch(/✗ {2}timestamp +the consistency path leads to another previous root/);
});

test("a proof and a bundle under a seal of old are renewed as the seal is", async () => {
  const [, seal] = seals;
  if (seal === undefined) throw new Error("there are thirty");
  const { merkle_proof } = readReceipt("receipts/hand-off.json");
  const { index: seal_index, tree_size, merkle_root } = seal;
  // Where the paths lead is not asked here: the token is over the root that the proof names.
  const cross_tenant_proof = { ...merkle_proof.cross_tenant_proof, seal_index, tree_size, root: merkle_root };
  const proof = { ...merkle_proof, merkle_root, cross_tenant_proof };
  const evidence = { merkle_proof: proof, tsa_timestamp: seal.tsa_timestamp };
  const bundle = { ...(readEvidence("bundles/conversation.json") as object), seals: [seal] };
  for (const file of [evidence, bundle].map((content) => fileWith(JSON.stringify(content)))) {
    const { stdout } = await receipts("verify", file, "--metachain", mirror, ...anchors, "-v");
    expect(stdout).toMatch(/✓ {2}\S*timestamp +the root .* says CN=Late.* says CN=Early.* ran out/);
  }
});
