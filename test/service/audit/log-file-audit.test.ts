// The files of the log against a forger with the bucket or the table: each is what the table's entries give.
import { afterAll, expect, test } from "vitest";
import { logFilePath } from "../../../contract/metachain-paths.ts";
import { METACHAIN_ID } from "../../../contract/table.ts";
import { readSize } from "../../../service/audit/chain-extent.ts";
import { auditMetachain } from "../../../service/audit/metachain-audit.ts";
import { readFilesSize } from "../../../service/log/log-publication.ts";
import { type Interceptor, undisturbed } from "../../support/faults.ts";
import { startLedgerStack } from "../../support/ledger-stack.ts";
import { growMetachain, headAt } from "../../support/metachain-entries.ts";
import { deleteItem, keysUnder, readItem, writeItem } from "../../support/tamper.ts";
import { ascending } from "../../support/trees.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const ENTRIES = 600;
/** Three bundles, three tiles over their entries, and one over the two that are full. */
const FILES = 7;
const chainIds = new Set(ascending(ENTRIES + 1, (index) => headAt(index).chain_id));

/** A log of which all files are published. */
async function newWorld() {
  const ledger = await stack.newLedger({ isSigned: false });
  const process = ledger.newProcess();
  await growMetachain(process, ENTRIES);
  await process.seal();
  const audit = async (intercept: Interceptor = undisturbed) => {
    const { table, roots } = ledger.newProcess(intercept);
    const found = { files: 0, faults: [] as string[] };
    await auditMetachain({
      table,
      roots,
      filesSize: await readFilesSize(table),
      size: await readSize(table, METACHAIN_ID),
      chainIds,
      onEntries: () => {},
      onHead: () => {},
      onSeal: () => {},
      onFile: () => void found.files++,
      onFault: (what, place, detail) => void found.faults.push(`${what} ${place}: ${detail}`),
    });
    return found;
  };
  return { ledger, process, audit };
}

const whole = await newWorld();

/** The bucket gives other bytes of one file, or none. */
const withFile =
  (path: string, change: (bytes: Uint8Array) => Uint8Array | null): Interceptor =>
  async (call, send) => {
    const answer = await send();
    const { Key } = call.input as { Key?: string };
    if (call.name !== "GetObject" || Key !== logFilePath(path)) return answer;
    const { Body } = answer as { Body: { transformToByteArray: () => Promise<Uint8Array> } };
    const bytes = change(await Body.transformToByteArray());
    if (bytes === null) throw Object.assign(new Error("gone"), { name: "NoSuchKey" });
    return { ...answer, Body: { transformToByteArray: async () => bytes } };
  };

const flipped = (bytes: Uint8Array): Uint8Array => bytes.with(40, (bytes[40] ?? 0) ^ 1) as Uint8Array;

test("files that are whole have no fault, and each is compared, also while entries wait for the next seal", async () => {
  const { process, audit } = await newWorld();
  expect(await audit()).toEqual({ files: FILES, faults: [] });
  await growMetachain(process, ENTRIES + 1);
  expect(await audit()).toEqual({ files: FILES, faults: [] });
});

test.each([
  ["tile/entries/001", 256],
  ["tile/entries/002.p/88", 512],
  ["tile/0/000", 0],
  ["tile/0/002.p/88", 512],
  ["tile/1/000.p/2", 0],
])("%s with other bytes, with fewer, or not published is a fault", async (path, first) => {
  const { audit } = whole;
  const other = `file ${first}: ${path} is not what the table's entries give`;
  expect((await audit(withFile(path, flipped))).faults).toEqual([other]);
  expect((await audit(withFile(path, (bytes) => bytes.slice(0, -1)))).faults).toEqual([other]);
  expect((await audit(withFile(path, () => null))).faults).toEqual([
    `file ${first}: ${path} is not published`,
  ]);
});

test("files that count as published beyond the table's entries are a fault", async () => {
  const { ledger, audit } = await newWorld();
  const progress = await readItem(ledger, ["sealer", "tiles"]);
  await writeItem(ledger, { ...progress, size: { N: String(ENTRIES + 256) } });
  expect((await audit()).faults).toContain(
    `file ${ENTRIES}: files of ${ENTRIES + 256} entries are published`,
  );
});

test("files before an entry that is gone are compared; what it and those behind it give is not known", async () => {
  const { ledger, audit } = await newWorld();
  const keys = await keysUnder(ledger, "chain#metachain");
  await deleteItem(ledger, keys[300] ?? ["", ""]);
  const { files, faults } = await audit(withFile("tile/0/000", flipped));
  expect(faults).toContain("entry 300: the leaf is missing");
  expect(faults.filter((fault) => fault.startsWith("file"))).toEqual([
    "file 0: tile/0/000 is not what the table's entries give",
  ]);
  expect(files).toBe(2);
});
