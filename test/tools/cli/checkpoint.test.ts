// `verify` with a reader's policy: the log's signature over the root, and the cosignatures of witnesses.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Seal } from "../../../evidence/core/formats/metachain.ts";
import { logSigner, policyText, signedCheckpoint, witnessSigner } from "../../support/note-signers.ts";
import {
  ANCHORS,
  changedReport,
  fileWith,
  metachainFolder,
  newFolder,
  REPORT,
  readJson,
  receipts,
  vector,
} from "./command-line.ts";

interface Report {
  readonly merkle_proof: {
    readonly merkle_root: string;
    readonly cross_tenant_proof: { readonly tree_size: number; readonly seal_index: number };
  };
}

const { merkle_root: root, cross_tenant_proof: cross } = readJson<Report>(REPORT).merkle_proof;
const TREE = { root, size: cross.tree_size };
const LOG = logSigner("receipts.example.com/v1/metachain");
const WITNESSES = ["a", "b"].map((name) => witnessSigner(`witness.example/${name}`));
const NOTE = signedCheckpoint(LOG, TREE, WITNESSES, "2026-11-22T10:00:00Z");
const policyFile = (quorum: number): string => fileWith(policyText(LOG, WITNESSES, quorum), "policy");
const verify = (...args: readonly string[]) => receipts("verify", "--tsa-ca", ANCHORS, ...args);

describe("verify --policy", () => {
  test("names the log that signed the root, and each witness with its time", async () => {
    const report = changedReport({ log_checkpoint: NOTE });
    const { status, stdout } = await verify(
      report,
      "--policy",
      policyFile(2),
      "--metachain",
      metachainFolder(),
      "--strict",
    );
    expect([status, stdout]).toEqual([0, expect.stringContaining("This receipt holds.")]);
    expect(stdout).toContain(
      `The log ${LOG.name} signed this root with its ${TREE.size} entries. Witnesses confirm by their signatures that they had seen no other version of this log by then: w0 on 22 November 2026 at 10:00:00 UTC, w1 on 22 November 2026 at 10:00:00 UTC.`,
    );
    expect(stdout).not.toContain("--log-key KEY");
  });

  test("reports the same as JSON", async () => {
    const { stdout } = await verify(
      changedReport({ log_checkpoint: NOTE }),
      "--policy",
      policyFile(1),
      "--json",
    );
    const { files } = JSON.parse(stdout);
    expect(files[0].checkpoints).toEqual([
      {
        origin: LOG.name,
        tree_size: TREE.size,
        later: false,
        cosignatures: [
          { witness: "w0", time: "2026-11-22T10:00:00.000Z" },
          { witness: "w1", time: "2026-11-22T10:00:00.000Z" },
        ],
        quorum: true,
        liars: 0,
      },
    ]);
  });

  test("says how many witnesses must lie for a second log with the quorum, and where none must", async () => {
    const report = changedReport({ log_checkpoint: NOTE });
    const sentenceWith = async (quorum: number): Promise<string> =>
      (await verify(report, "--policy", policyFile(quorum))).stdout;
    expect(await sentenceWith(1)).toContain("does not exclude a second log");
    expect(await sentenceWith(2)).toContain("at least 2 witnesses must have lied");
  });

  test("says that too few witnesses cosigned, and leaves the verdict open", async () => {
    const report = changedReport({ log_checkpoint: signedCheckpoint(LOG, TREE, WITNESSES.slice(0, 1)) });
    const strict = ["--policy", policyFile(2), "--metachain", metachainFolder(), "--strict"];
    const { status, stdout } = await verify(report, ...strict);
    expect(status).toBe(3);
    expect(stdout).toContain("fewer witnesses cosigned that than your policy asks for");
  });

  test("refuses a policy that can't be read, or that comes with a key", async () => {
    expect(await verify(REPORT, "--policy", fileWith("log nonsense\n"))).toMatchObject({ status: 2 });
    const noKey = await verify(REPORT, "--log-key", "receipts.example");
    expect([noKey.status, noKey.stderr]).toEqual([
      2,
      expect.stringContaining("--log-key: a note's key is its name"),
    ]);
    expect(await verify(REPORT, "--policy", policyFile(0), "--log-key", LOG.vkey)).toMatchObject({
      status: 2,
    });
  });
});

describe("verify --log-key", () => {
  test("finds the checkpoint in a mirror where the report has none", async () => {
    const mirror = metachainFolder();
    const without = await verify(REPORT, "--log-key", LOG.vkey, "--metachain", mirror);
    expect(without.stdout).toContain("The log published no signed checkpoint of this root.");
    mkdirSync(join(mirror, "v1/metachain/checkpoints"));
    writeFileSync(join(mirror, `v1/metachain/checkpoints/${cross.seal_index}`), NOTE);
    const { status, stdout } = await verify(REPORT, "--log-key", LOG.vkey, "--metachain", mirror, "--strict");
    expect([status, stdout]).toEqual([0, expect.stringContaining(`The log ${LOG.name} signed this root`)]);
  });

  test("fails where the log signed another root for the same size", async () => {
    const log_checkpoint = signedCheckpoint(LOG, { ...TREE, root: `0x${"5".repeat(64)}` });
    const { status, stdout } = await verify(changedReport({ log_checkpoint }), "--log-key", LOG.vkey);
    expect(status).toBe(1);
    expect(stdout).toContain(`the log signed another root for ${TREE.size} entries`);
  });

  test("of another log says nothing against the receipt", async () => {
    const key = logSigner("elsewhere.example/v1/metachain").vkey;
    const { status, stdout } = await verify(changedReport({ log_checkpoint: NOTE }), "--log-key", key);
    expect(status).toBe(3);
    expect(stdout).toContain(
      "it names another log than the one behind these receipts. That says nothing against the evidence.",
    );
  });
});

describe("a root that has no checkpoint of its own", () => {
  const NEWEST = readJson<Seal>(vector("seals/3.json"));
  const mirrorWith = (note: string): string => {
    const mirror = metachainFolder();
    writeFileSync(join(mirror, "v1/metachain/checkpoint"), note);
    return mirror;
  };
  const strictly = (mirror: string, report = REPORT, policy = policyFile(1)) =>
    verify(report, "--policy", policy, "--metachain", mirror, "--strict");

  test("is shown under the newest one, by the tiles of the log", async () => {
    const newest = { root: NEWEST.merkle_root, size: NEWEST.tree_size };
    const { status, stdout } = await strictly(mirrorWith(signedCheckpoint(LOG, newest, WITNESSES)));
    expect([status, stdout]).toEqual([0, expect.stringContaining("signed a later root with its 7 entries")]);
  });

  test("does not hold where the newest one is of a log that does not contain it", async () => {
    const forked = signedCheckpoint(LOG, { root: `0x${"5".repeat(64)}`, size: NEWEST.tree_size }, WITNESSES);
    expect((await strictly(mirrorWith(forked))).status).toBe(1);
  });

  test("stays open where the newest one is older, or its tiles are not there", async () => {
    const older = signedCheckpoint(LOG, { ...TREE, size: TREE.size - 1 }, WITNESSES);
    expect((await strictly(mirrorWith(older))).status).toBe(3);
    const ahead = signedCheckpoint(LOG, { ...TREE, size: 5_000 }, WITNESSES);
    expect((await strictly(mirrorWith(ahead))).status).toBe(3);
  });

  test("gets the cosignatures that came late from there, too", async () => {
    const report = changedReport({ log_checkpoint: signedCheckpoint(LOG, TREE, WITNESSES.slice(0, 1)) });
    expect((await strictly(mirrorWith(NOTE), report, policyFile(2))).status).toBe(0);
  });
});

test("a sheet lists the check, and what is open of it", async () => {
  const file = join(newFolder(), "sheet.html");
  const report = changedReport({ log_checkpoint: NOTE });
  const sheet = (...args: string[]) => receipts("sheet", report, "-o", file, "--tsa-ca", ANCHORS, ...args);
  expect((await sheet("--log-key", LOG.vkey)).status).toBe(0);
  expect(readFileSync(file, "utf8")).toContain(`${LOG.name} signed this root`);
  expect((await sheet("--log-key", logSigner("elsewhere.example").vkey)).status).toBe(3);
  expect(readFileSync(file, "utf8")).toContain(
    "It is of another log than those that your key or your policy names.",
  );
});

test("without a key, verify says what rests on comparing roots", async () => {
  const { stdout } = await verify(REPORT, "--metachain", metachainFolder());
  expect(stdout).toContain("--log-key KEY, --policy FILE");
});
