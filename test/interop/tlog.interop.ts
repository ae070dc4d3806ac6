// The log that the real sealer wrote and signed, and what a reader exports of it, judged by programs that none of us wrote.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { concatBytes, formatBase64 } from "../../evidence/core/bytes.ts";
import { type ChainHead, chainHeadEntry } from "../../evidence/core/formats/metachain.ts";
import { parseCheckpoint } from "../../evidence/core/log/checkpoint.ts";
import { parseNote, parseNoteKey } from "../../evidence/core/log/note.ts";
import {
  edgeTiles,
  entriesPath,
  parseEntries,
  tilePath,
  tilesBetween,
} from "../../evidence/core/log/tiles.ts";
import { Exit } from "../../tools/cli/command.ts";
import { receipts } from "../tools/cli/command-line.ts";
import { hasPython } from "./python-packages.ts";
import { DAMAGES } from "./tlog/damages.ts";
import { startWitness, type Witness } from "./tlog/litewitness.ts";
import {
  buildGoJudges,
  hasGo,
  installPythonJudges,
  PROGRAMS,
  PYTHON,
  PYTHON_JUDGE,
  verdictOf,
} from "./tlog/programs.ts";
import { makeSignedLog, type SignedLog } from "./tlog/signed-log.ts";
import { describeWith, hasOpenssl, makeFolder, opensslVerdict } from "./tools.ts";

const SIZES_APART = [1, 2, 255, 256, 257, 65_535, 65_536, 65_537, 2 ** 31 + 3, 2 ** 40 + 257] as const;
const WITNESS = "witness.example/lite";
/** For a log that holds: fsck takes a fraction of a second of it, and a slow machine may need much. */
const FSCK_PATIENCE_MS = 120_000;
/** For one that is broken, on which fsck may come to no end. */
const BROKEN_PATIENCE_MS = 10_000;
const SPKI_OF_ED25519 = Buffer.from("302a300506032b6570032100", "hex");

describeWith(hasGo, "go", "judges of the log", () => {
  const folder = makeFolder();
  let witness: Witness;
  let log: SignedLog;

  beforeAll(async () => {
    await buildGoJudges();
    witness = await startWitness(folder, WITNESS);
    log = await makeSignedLog(folder, witness);
  });
  afterAll(async () => {
    witness?.close();
    await log?.stack.stop();
  });

  const judge = (...args: readonly string[]): string => verdictOf(PROGRAMS.judge, args);
  const fileOf = (name: string, content: string | Uint8Array): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };

  /** The record that torchwood and go-cose judge: the entry of a report, from the head that the report names. */
  function entryOf({ merkle_proof }: SignedLog["reports"][number]): Uint8Array {
    const leaf = merkle_proof.cross_tenant_proof?.leaf;
    if (leaf === undefined) throw new Error("the report is not sealed");
    return chainHeadEntry(leaf satisfies ChainHead);
  }

  async function exported(
    kind: "--tlog-proof" | "--cose",
    at: number,
    ...options: readonly string[]
  ): Promise<string> {
    const report = fileOf(`report-${at}.json`, JSON.stringify(log.reports[at]));
    const file = join(folder, `exported-${at}.${kind.slice(2)}`);
    rmSync(file, { force: true });
    const { status, stderr } = await receipts(
      "convert",
      report,
      kind,
      file,
      "--tsa-ca",
      anchors(),
      ...options,
    );
    expect([status, stderr]).toEqual([Exit.holds, expect.any(String)]);
    return file;
  }

  test("x/mod and torchwood name the same tiles between any two sizes, under the same paths", () => {
    const pairs = SIZES_APART.flatMap((size) => [1, 2, 300].map((by) => [size, size + by] as const));
    const lines = pairs.map(([from, to]) => {
      const tiles = tilesBetween(from, to);
      const bundles = tiles.filter(({ level }) => level === 0).map(entriesPath);
      return [from, to, ...tiles.map(tilePath), ...bundles].join(" ");
    });
    const input = `${lines.join("\n")}\n`;
    const verdict = execFileSync(PROGRAMS.judge, ["newtiles"], { input, encoding: "utf8" });
    expect(verdict).toContain(`${pairs.length} pairs`);
  });

  test("torchwood, x/mod, tessera's client and merkle hold every checkpoint and every entry, of files and by HTTP", () => {
    for (const where of [log.folder, log.url]) {
      const verdict = judge("log", log.policyFile, where, ...cosigned());
      expect(verdict).toContain(`${cosigned().length} older checkpoints: all held`);
    }
  });

  /** The checkpoints that the witness has signed: those of before it knew the log have no quorum. */
  const cosigned = (): string[] =>
    log.checkpointFiles.filter((file) => readFileSync(file, "utf8").includes(WITNESS));

  /** A policy of a reader who asks for no witness. */
  const logAlone = (): string => fileOf("no-quorum.policy", `log ${log.vkey}\nquorum none\n`);
  /** That of the report at this place: the first one's seal came before the witness knew the log. */
  const policyAt = (at: number): string => (at === 0 ? logAlone() : log.policyFile);

  test("the first checkpoint, which no witness knew, holds without a quorum alone", () => {
    const [first = ""] = log.checkpointFiles.filter((file) => file.endsWith("/0"));
    expect(judge("log", logAlone(), log.folder, first)).toContain("all held");
    expect(judge("log", log.policyFile, log.folder, first)).toContain("refused");
  });

  test("tessera's fsck holds the files", () => {
    expect(fsck(log.folder, FSCK_PATIENCE_MS)).toContain("Successfully fsck'd log");
  });

  function fsck(where: string, timeout: number): string {
    const key = fileOf("log.vkey", log.vkey);
    const options = ["-ui=false", "-logtostderr", "-public_key", key];
    try {
      // It may come to no end on a log that is broken, and ends with 0 on others: its last words count. The shell becomes
      // the program, so that the time limit ends it too.
      const args = [
        "-c",
        'exec "$@" 2>&1',
        "fsck",
        PROGRAMS.fsck,
        "-storage_url",
        `${pathToFileURL(where)}/`,
        ...options,
      ];
      return execFileSync("sh", args, { timeout, encoding: "utf8" });
    } catch {
      return "refused";
    }
  }

  test("tessera writes the same bytes of tiles, bundles and checkpoint from the same entries and key", () => {
    const { text } = parseNote(readFileSync(join(log.folder, "checkpoint"), "utf8"));
    const { size } = parseCheckpoint(text);
    const [entries, theirs] = [join(folder, "entries"), join(folder, "tessera")];
    mkdirSync(entries, { recursive: true });
    for (const [i, entry] of entriesOf(size).entries()) {
      writeFileSync(join(entries, String(i).padStart(6, "0")), entry);
    }
    const options = ["-storage_dir", theirs, "-entries", join(entries, "*")];
    execFileSync(PROGRAMS.oneshot, [...options, "-private_key", fileOf("log.key", log.noteKey())], {
      stdio: "pipe",
    });
    for (const tile of edgeTiles(size)) expectSame(theirs, tilePath(tile));
    for (const tile of tilesBetween(0, size)) {
      expectSame(theirs, tilePath(tile));
      if (tile.level === 0) expectSame(theirs, entriesPath(tile));
    }
    const [note, their] = [log.folder, theirs].map((where) =>
      parseNote(readFileSync(join(where, "checkpoint"), "utf8")),
    );
    expect(note?.text).toBe(their?.text);
    expect(note?.signatures[0]).toEqual(their?.signatures[0]);
  });

  const expectSame = (theirs: string, path: string): void =>
    expect(readFileSync(join(log.folder, path)).equals(readFileSync(join(theirs, path))), path).toBe(true);

  const entriesOf = (size: number): Uint8Array[] =>
    tilesBetween(0, size)
      .filter(({ level }) => level === 0)
      .flatMap((tile) => parseEntries(readFileSync(join(log.folder, entriesPath(tile))), tile.width));

  test.for(DAMAGES)("%s is refused by torchwood or tessera's fsck", ([, damage]) => {
    const copy = join(folder, "damaged");
    rmSync(copy, { recursive: true, force: true });
    cpSync(log.folder, copy, { recursive: true });
    damage(copy, parseCheckpoint(parseNote(readFileSync(join(log.folder, "checkpoint"), "utf8")).text).size);
    const verdicts = [judge("log", log.policyFile, copy), fsck(copy, BROKEN_PATIENCE_MS)];
    expect(verdicts[0]).toContain("refused");
    expect(verdicts[1]).not.toContain("Successfully fsck'd log");
  });

  test("torchwood and formats hold a receipt's exported proof, and openssl the token in it", async () => {
    for (const at of log.reports.keys()) {
      const proof = await exported("--tlog-proof", at);
      expect(judge("receipt", policyAt(at), proof)).toContain("held");
      const record = fileOf("entry.bin", entryOf(reportAt(at)));
      expect(judge("proof", policyAt(at), record, proof)).toContain("held");
      const token = join(folder, "token.der");
      const root = judge("stamp", policyAt(at), proof, anchors(), token).trim();
      if (!hasOpenssl) continue;
      const args = ["-digest", root, "-in", token, "-token_in", "-CAfile", anchors()];
      expect(opensslVerdict(folder, ...args)).toBe("accepted");
    }
  });

  test("torchwood holds the first receipt under the newest checkpoint, for a reader who wants the witness", async () => {
    const proof = await exported("--tlog-proof", 0, "--metachain", log.stack.url, "--newest");
    expect(judge("receipt", log.policyFile, proof)).toContain("held");
  });

  const reportAt = (at: number): SignedLog["reports"][number] => {
    const report = log.reports[at];
    if (report === undefined) throw new Error(`no report ${at}`);
    return report;
  };

  const anchors = (): string => join(log.stack.dataDir, "timestamp-authority-ca.pem");

  test.for([
    ["another entry", "entry"],
    ["another index", "index"],
    ["a node less", "node"],
    ["another receipt", "extra"],
    ["no cosignature", "witness"],
  ] as const)("torchwood refuses a proof with %s", async ([, what]) => {
    const proof = readFileSync(await exported("--tlog-proof", 1), "utf8");
    const record = fileOf(
      "entry.bin",
      entryOf(reportAt(1)).map((byte) => (what === "entry" ? byte ^ 1 : byte)),
    );
    const file = fileOf("changed.tlog-proof", CHANGES[what](proof));
    const verdict =
      what === "extra"
        ? judge("receipt", log.policyFile, file)
        : judge("proof", log.policyFile, record, file);
    expect(verdict).toContain("refused");
  });

  const CHANGES = {
    entry: (proof: string) => proof,
    index: (proof: string) => proof.replace(/^index (\d+)$/m, (_, index) => `index ${Number(index) + 1}`),
    node: (proof: string) => proof.replace(/^(index \d+\n)\S+\n/m, "$1"),
    extra: (proof: string) =>
      proof.replace(/^extra (\S+)$/m, (_, base64) => {
        const text = Buffer.from(base64, "base64")
          .toString()
          .replace('"verdict":"ALLOW"', '"verdict":"BLOCK"');
        return `extra ${Buffer.from(text).toString("base64")}`;
      }),
    witness: (proof: string) => proof.replace(/^\u2014 witness\.example.*\n/m, ""),
  } as const;

  test("go-cose holds a receipt's COSE form, and refuses it for another entry", async () => {
    for (const at of log.reports.keys()) {
      // A tree of one entry has no path, and RFC 9942 no receipt for it.
      if (reportAt(at).merkle_proof.cross_tenant_proof?.tree_size === 1) continue;
      const receipt = await exported("--cose", at);
      const entry = entryOf(reportAt(at));
      expect(judge("cose", publicKeyPem(), fileOf("entry.bin", entry), receipt)).toContain("held");
      expect(judge("cose", publicKeyPem(), fileOf("other.bin", new Uint8Array(64)), receipt)).toContain(
        "refused",
      );
    }
  });

  function publicKeyPem(): string {
    const base64 = formatBase64(concatBytes(SPKI_OF_ED25519, parseNoteKey(log.vkey).publicKey));
    return fileOf("log.pem", `-----BEGIN PUBLIC KEY-----\n${base64}\n-----END PUBLIC KEY-----\n`);
  }

  describeWith(hasPython, "python3 with venv", "in Python", () => {
    beforeAll(installPythonJudges);

    test("tlog-scales holds the log, the log's signature and the witness's", () => {
      const verdict = verdictOf(PYTHON, [PYTHON_JUDGE, "log", log.folder, log.vkey, witness.vkey]);
      expect(verdict).toContain("entries: held");
    });

    test("scitt-cose, pycose and cwt hold a receipt's COSE form", async () => {
      const receipt = await exported("--cose", 2);
      const args = [PYTHON_JUDGE, "cose", publicKeyPem(), fileOf("entry.bin", entryOf(reportAt(2))), receipt];
      expect(verdictOf(PYTHON, args)).toMatch(/scitt-cose: .*held[\s\S]*pycose: held[\s\S]*cwt: held/);
    });
  });

  test("seals go on and checkpoints come while the witness hangs, and it cosigns the newest when it is back", async () => {
    const { size } = await log.client.metachain();
    witness.freeze();
    const before = parseCheckpoint(parseNote(await log.checkpoint(1)).text);
    const report = await log.client.includedReport(await log.attest());
    expect(report.merkle_proof.cross_tenant_proof?.seal_index).toBe(size);
    expect(await log.checkpoint(before.size + 1)).not.toContain(WITNESS);
    witness.thaw();
    expect(await log.checkpoint(before.size + 1, (note) => note.includes(WITNESS))).toContain(WITNESS);
  });
});
