// Inputs that a reader gives next to the evidence: requests, certificates, and the text of a wording. What does not belong to
// the evidence is reported, and is no fault of the evidence.
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { policyLayers } from "../../../evidence/policy/index.ts";
import {
  ANCHORS,
  changedReport,
  type Ended,
  fileWith,
  metachainFolder,
  newFolder,
  REPORT,
  REQUEST,
  receipts,
  vector,
} from "./command-line.ts";

interface Report {
  readonly verdict: string;
  readonly files: readonly { readonly file: string; readonly verdict: string }[];
  readonly stray: readonly object[];
  readonly wording: object | null;
  readonly trust_anchors: readonly { readonly subject: string; readonly fingerprint: string }[];
}

const METACHAIN = metachainFolder();
const WITH_ALL = ["--metachain", METACHAIN, "--tsa-ca", ANCHORS];
const OTHER_REQUEST = vector("requests/greeting.json");
const OTHER_ANCHORS = vector("authorities/other.pem");
const GREETING = vector("receipts/greeting.json");
const CONVERSATION = vector("bundles/conversation.json");
const text = policyLayers
  .flatMap(({ wordings }) => wordings)
  .find(({ id }) => id === "de-voice-introduction-1")?.text;
if (text === undefined) throw new Error("the vectors' wording is gone");

const reportOf = ({ stdout }: Ended): Report => JSON.parse(stdout) as Report;

describe.concurrent("a request", () => {
  test("of another call leaves the verdict as it is, and ends with 3", async () => {
    const { status, stdout } = await receipts("verify", REPORT, ...WITH_ALL, "--request", OTHER_REQUEST);
    expect(status).toBe(3);
    expect(stdout).toContain("This receipt holds.");
    expect(stdout).toContain(
      `${OTHER_REQUEST} (request): belongs to none of the receipts here. That says nothing against the evidence.`,
    );
    expect(stdout).not.toContain("none of this is proven");
  });

  test("names the conversation where it belongs to the receipt", async () => {
    const { status, stdout } = await receipts("verify", REPORT, ...WITH_ALL, "--request", REQUEST);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}Conversation: call-2026-000117\.\n {2}Notice 3 of this conversation/m);
    expect(stdout).not.toContain("--request FILE");
  });

  test("may be one of several, for several receipts", async () => {
    const given = ["--request", REQUEST, "--request", OTHER_REQUEST];
    const ended = await receipts("verify", REPORT, GREETING, ...WITH_ALL, ...given, "--json");
    expect([ended.status, reportOf(ended)]).toMatchObject([0, { verdict: "holds", stray: [] }]);
  });

  test("of an erased turn of a conversation belongs to it", async () => {
    const file = vector("damaged/bundle-request-erased.json");
    const ended = await receipts(
      "verify",
      file,
      ...WITH_ALL,
      "--request",
      REQUEST,
      "--request",
      OTHER_REQUEST,
    );
    expect(ended.status).toBe(0);
  });

  test("among the files or in a folder is taken as one", async () => {
    const folder = newFolder();
    copyFileSync(REPORT, join(folder, "report.json"));
    copyFileSync(REQUEST, join(folder, "request.json"));
    for (const files of [[folder], [REPORT, REQUEST]]) {
      const ended = await receipts("verify", ...files, ...WITH_ALL, "--json");
      expect([ended.status, reportOf(ended)]).toMatchObject([
        0,
        { files: [{ verdict: "holds" }], stray: [] },
      ]);
    }
  });

  test("does not hide that a receipt does not hold, or can't be read", async () => {
    const bad = changedReport({ event_id: "00000000-0004-8000-b1e8-b2e940ac0d29" });
    expect((await receipts("verify", bad, "--request", OTHER_REQUEST)).status).toBe(1);
    expect((await receipts("verify", REPORT, fileWith("{"), "--request", OTHER_REQUEST)).status).toBe(2);
  });
});

describe.concurrent("certificates", () => {
  test("that vouched are named, with their fingerprint and where they came from", async () => {
    const { stdout } = await receipts("verify", REPORT, ...WITH_ALL);
    expect(stdout).toMatch(/^ {2}Existed by: 26 November 2026.* UTC, confirmed by .+\.$/m);
    expect(stdout).toMatch(
      /^ {2}What the timestamp rests on: .*CN=.+\. SHA-256 fingerprint: sha256:[0-9a-f]{64}\. From you: \S+service\.pem\.$/m,
    );
    const { trust_anchors } = reportOf(await receipts("verify", REPORT, ...WITH_ALL, "--json"));
    expect(trust_anchors).toMatchObject([{ file: ANCHORS, fingerprint: expect.stringMatching(/^sha256:/) }]);
  });

  test("can't vouch for a token in BER, which stays open: status 0, or 3 with --strict", async () => {
    const { tsa_timestamp } = JSON.parse(readFileSync(REPORT, "utf8"));
    const token = Buffer.from(tsa_timestamp.timestamp_token, "base64");
    const inBer = Buffer.concat([Buffer.of(0x30, 0x80), token.subarray(4), Buffer.alloc(2)]);
    const timestamp = { ...tsa_timestamp, timestamp_token: inBer.toString("base64") };
    const file = changedReport({ tsa_timestamp: timestamp });
    const given = ["verify", file, "--offline", "--tsa-ca", ANCHORS];
    const { status, stdout } = await receipts(...given);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("Timestamp: It has a form, an algorithm, an extension or a size"),
    ]);
    expect((await receipts(...given, "--strict")).status).toBe(3);
  });

  test("of another authority leave the timestamp open, and end with 3", async () => {
    const { status, stdout } = await receipts(
      "verify",
      REPORT,
      "--metachain",
      METACHAIN,
      "--tsa-ca",
      OTHER_ANCHORS,
    );
    expect(status).toBe(3);
    expect(stdout).toContain("This receipt holds as far as it can be checked now.");
    expect(stdout).toContain("Timestamp: The certificate you added is not the one behind this timestamp");
    expect(stdout).toContain(`${OTHER_ANCHORS} (certificate): not the one behind these timestamps.`);
    expect(stdout).not.toContain("none of this is proven");
  });

  test("of another authority do not excuse a token that is over another root", async () => {
    const forged = vector("damaged/seal-timestamp-of-another-root.json");
    expect((await receipts("verify", forged, "--tsa-ca", OTHER_ANCHORS)).status).toBe(1);
  });

  test("that come with this program are taken where none are given, or with others by name", async () => {
    const known = await receipts("verify", REPORT, "--metachain", METACHAIN);
    expect([known.status, known.stdout]).toEqual([
      0,
      expect.stringContaining("none of the timestamp authorities that this program knows"),
    ]);
    const both = ["--tsa-ca", "known", "--tsa-ca", ANCHORS];
    expect((await receipts("verify", REPORT, "--metachain", METACHAIN, ...both)).stdout).toContain(
      "This receipt holds.\n",
    );
    const none = await receipts("verify", REPORT, "--metachain", METACHAIN, "--tsa-ca", "none");
    expect(none.stdout).toContain("Timestamp: No certificate of a timestamp authority is at hand");
  });

  test("among the files are trusted as the reader named them, those in a folder are not", async () => {
    expect((await receipts("verify", REPORT, ANCHORS, "--metachain", METACHAIN)).stdout).toContain(
      "This receipt holds.\n",
    );
    const folder = newFolder();
    copyFileSync(REPORT, join(folder, "report.json"));
    copyFileSync(ANCHORS, join(folder, "anchors.json"));
    const { status, stdout } = await receipts("verify", folder, "--metachain", METACHAIN);
    expect(status).toBe(0);
    expect(stdout).toContain("This receipt holds as far as it can be checked now.");
    expect(stdout).toMatch(
      /anchors\.json \(certificate\): not used, since it came in a folder: whoever made the folder chose it/,
    );
  });
});

describe.concurrent("the text of a wording", () => {
  const compare = (...args: readonly string[]) => receipts("verify", ...args, ...WITH_ALL);

  test("is compared in Unicode NFC, from the command line or a file", async () => {
    for (const given of [text, text.normalize("NFD"), `@${fileWith(`${text}\n`)}`]) {
      const { status, stdout } = await compare(GREETING, "--wording", given);
      expect([status, stdout]).toEqual([
        0,
        expect.stringContaining("This is the text whose digest is recorded."),
      ]);
    }
  });

  test("that differs by one character is another, and ends with 3", async () => {
    const { status, stdout } = await compare(GREETING, "--wording", `${text} `);
    expect(status).toBe(3);
    expect(stdout).toContain("This is not the text whose digest is recorded.");
  });

  test("is found among the turns of a conversation", async () => {
    const { status, stdout } = await compare(CONVERSATION, "--wording", text);
    expect(status).toBe(0);
    expect(stdout).toContain("This is the text whose digest is recorded. (Turn 1)");
  });

  test("is not compared with a receipt that does not hold", async () => {
    const { status, stdout } = await compare(vector("damaged/receipt-core-verdict.json"), "--wording", text);
    expect(status).toBe(1);
    expect(stdout).toContain("The text was not compared: there is no receipt here that holds.");
  });
});

describe.concurrent("a folder with everything", () => {
  test("is verified as it is: evidence, requests, a mirror and certificates", async () => {
    const folder = newFolder();
    copyFileSync(REPORT, join(folder, "report.json"));
    copyFileSync(REQUEST, join(folder, "request.json"));
    copyFileSync(ANCHORS, join(folder, "authority.pem"));
    mkdirSync(join(folder, "v1/metachain/roots"), { recursive: true });
    for (const path of ["index.json", "roots/1", "roots/2"])
      copyFileSync(join(METACHAIN, "v1/metachain", path), join(folder, "v1/metachain", path));
    const anchors = join(folder, "authority.pem");
    const ended = await receipts("verify", folder, "--metachain", folder, "--tsa-ca", anchors, "--strict");
    expect([ended.status, ended.stderr]).toEqual([0, ""]);
    expect(readFileSync(anchors, "utf8")).toContain("BEGIN CERTIFICATE");
  });
});

test("a folder hides no evidence by a name that histories have", async () => {
  const folder = newFolder();
  mkdirSync(join(folder, "chains"));
  copyFileSync(GREETING, join(folder, "a.json"));
  copyFileSync(REPORT, join(folder, "history.json"));
  copyFileSync(vector("damaged/receipt-core-verdict.json"), join(folder, "chains", "0.json"));
  const ended = await receipts("verify", folder, "--json");
  expect(ended.status).toBe(1);
  expect(
    reportOf(ended)
      .files.map(({ file }) => file.slice(folder.length + 1))
      .sort(),
  ).toEqual(["a.json", "chains/0.json", "history.json"]);
});

describe.concurrent("--strict", () => {
  test.each([
    ["nothing but the file", [], 3],
    ["no metachain", ["--tsa-ca", ANCHORS], 3],
    ["no certificates", ["--metachain", METACHAIN], 3],
    ["everything that matters", WITH_ALL, 0],
  ])("ends with the status of what could be checked, given %s", async (_, args, status) => {
    expect((await receipts("verify", REPORT, ...args, "--strict")).status).toBe(status);
    expect((await receipts("verify", REPORT, ...args)).status).toBe(0);
  });
});

describe.concurrent("--lang de", () => {
  test("says in German what was recorded, and what was not checked", async () => {
    const { status, stdout } = await receipts("verify", REPORT, "--lang", "de");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}Hinweis 3 in diesem Gespräch\.\n {2}Eingetragen: 26\. November 2026/m);
    expect(stdout).toMatch(/^Nicht geprüft:$/m);
    expect(stdout).not.toMatch(/\b(the|checked|holds)\b/);
  });

  test("says the headline and the lines of many files in German", async () => {
    const bad = vector("damaged/receipt-core-verdict.json");
    const { stdout } = await receipts("verify", bad, REPORT, ...WITH_ALL, "--lang", "de");
    expect(stdout).toMatch(/^1 von 2 Dateien hält der technischen Prüfung nicht stand\.$/m);
    expect(stdout).toMatch(/^\S+ \(ergänzter Beleg\): hält stand$/m);
  });
});
