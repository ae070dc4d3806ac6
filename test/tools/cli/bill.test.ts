// `bill` as an operator, a tenant and an auditor use it: verify names the line that is false, sheet and csv show the rest.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { Bill } from "../../../evidence/core/formats/bill.ts";
import { billAt, finalBill, openBill, world } from "../../support/bill-inputs.ts";
import { historyFiles, MONTH, publishedFiles, TENANT } from "../../support/bill-world.ts";
import { fileWith, newFolder, readJson, receipts } from "./command-line.ts";

const KEY = "dr_live_test";

function folderOf(files: ReadonlyMap<string, Uint8Array>): string {
  const folder = newFolder();
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

const mirror = folderOf(publishedFiles(world));
const history = folderOf(historyFiles(world, world.seals));
const fileOf = (bill: Bill): string => fileWith(JSON.stringify(bill, null, 2), "bill.json");
const final = fileOf(finalBill);
const verify = (file: string, ...more: string[]) => receipts("bill", "verify", file, ...more);

const [first] = finalBill.lines;
if (first === undefined) throw new Error("the bill has no line");
/** Told as the next month's: the receipts at its ends are not of that. */
const ofAnotherMonth: Bill = { ...finalBill, month: "2026-11" };

describe("bill verify", () => {
  test("says that a bill holds, and what stays the operator's word", async () => {
    const { status, stdout } = await verify(final, "--metachain", mirror);
    expect(status).toBe(0);
    expect(stdout).toContain("The bill holds");
    expect(stdout).toContain("acme, 2026-10 (final): 8 receipts in 2 chains, €9.10");
    expect(stdout).toContain("The sizes: that a chain has as many receipts");
  });

  test("leaves nothing of sizes and chains to the operator's word with the history", async () => {
    const { status, stdout } = await verify(final, "--metachain", mirror, "--history", history, "--strict");
    expect(status).toBe(0);
    expect(stdout).not.toContain("The sizes");
    expect(stdout).not.toContain("no other chain of this customer");
  });

  test("names the line that does not hold", async () => {
    const { status, stdout } = await verify(fileOf(ofAnotherMonth), "--metachain", mirror);
    expect(status).toBe(1);
    const id = first.chain_id.slice(0, 8);
    expect(stdout).toContain("The bill does not hold");
    expect(stdout).toContain(
      `chain ${id}…, shard 0: receipt 2 is of 2026-10-01T00:00:00.000Z, before 2026-11, and is counted`,
    );
  });

  test("has status 3 with --strict where a check could not be made", async () => {
    const [loose, strict] = [await verify(final), await verify(final, "--strict")];
    expect([loose.status, strict.status]).toEqual([0, 3]);
    expect(loose.stdout).toContain("not compared with the published root 5");
  });

  test("takes another tenant's bill for false", async () => {
    const own = await verify(
      final,
      "--metachain",
      mirror,
      "--history",
      history,
      "--tenant",
      TENANT.fingerprint,
    );
    const other = await verify(final, "--metachain", mirror, "--tenant", `sha256:${"0".repeat(64)}`);
    expect([own.status, other.status]).toEqual([0, 1]);
    expect(other.stdout).toContain("the bill is another tenant's");
  });

  test("gives one JSON document with every check", async () => {
    const { stdout } = await verify(final, "--metachain", mirror, "--history", history, "--json");
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ verdict: "holds", month: MONTH, count: 8, reason: null });
    expect(found.checks).toContainEqual(expect.objectContaining({ name: "lines/1/chain_history", ok: true }));
    expect(found.stated.map(({ point }: { point: string }) => point)).not.toContain("sizes");
  });

  test("has status 2 where the file is no bill, or the public log is not there", async () => {
    const report = await verify(fileWith(`{"merkle_proof":{}}`));
    expect([report.status, report.stderr]).toEqual([2, expect.stringContaining("this is no bill")]);
    const broken = await verify(fileWith(JSON.stringify({ ...finalBill, count: "8" })));
    expect([broken.status, broken.stderr]).toEqual([2, expect.stringContaining("count: ")]);
    const missing = join(newFolder(), "bill.json");
    for (const args of [["verify"], ["csv"], ["sheet", "-o", `${missing}.html`]]) {
      const { status, stderr } = await receipts("bill", ...args, missing);
      expect([status, stderr]).toEqual([2, expect.stringContaining(`${missing}: there is no such file`)]);
    }
    expect((await verify(final, "--metachain", newFolder())).status).toBe(2);
    expect((await verify(final, "--history", newFolder())).status).toBe(2);
  });

  test.each([
    [["verify"], "bill verify takes one file"],
    [["verify", final, "--tenant", "acme"], "a fingerprint is sha256:"],
    [["sheet", final], "name the file to write"],
    [["print", final], "bill takes one of verify, sheet, csv, fetch"],
    [["fetch", "https://receipts.example", "--key", KEY, "-o", "x"], "name the month"],
    [["fetch", "http://receipts.example", "--key", KEY, "--month", MONTH, "-o", "x"], "an https URL"],
  ])("refuses %j", async (args, message) => {
    const { status, stderr } = await receipts("bill", ...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("bill sheet", () => {
  test.each([
    ["en", "The bill holds", "€9.10"],
    ["de", "Die Abrechnung stimmt", "9,10\u00a0€"],
  ])("writes a page in %s", async (lang, verdict, amount) => {
    const page = join(newFolder(), "bill.html");
    const args = ["--metachain", mirror, "--history", history, "--lang", lang, "-o", page];
    expect((await receipts("bill", "sheet", final, ...args)).status).toBe(0);
    const html = readFileSync(page, "utf8");
    for (const text of [verdict, amount, TENANT.fingerprint, first.chain_id, `<html lang="${lang}">`])
      expect(html).toContain(text);
  });

  test("is written of a bill that does not hold, and says so", async () => {
    const page = join(newFolder(), "bill.html");
    expect(
      (await receipts("bill", "sheet", fileOf(ofAnotherMonth), "--metachain", mirror, "-o", page)).status,
    ).toBe(1);
    expect(readFileSync(page, "utf8")).toContain("The bill does not hold");
  });

  test("takes no name for markup", async () => {
    const page = join(newFolder(), "bill.html");
    const named = { ...finalBill, tenant: { ...finalBill.tenant, id: "<script>alert(1)</script>" } };
    await receipts("bill", "sheet", fileOf(named), "-o", page);
    expect(readFileSync(page, "utf8")).not.toContain("<script>");
  });
});

describe("bill csv", () => {
  test("prints a row for each chain and the total", async () => {
    const { status, stdout } = await receipts("bill", "csv", final);
    const [second] = finalBill.lines.slice(1);
    expect(status).toBe(0);
    expect(stdout.trim().split("\n")).toEqual([
      "month,status,shard,chain_id,from,to,receipts,currency,amount_minor_units",
      `2026-10,final,0,${first.chain_id},2,7,5,,`,
      `2026-10,final,1,${second?.chain_id},1,4,3,,`,
      "2026-10,final,total,,,,8,EUR,910",
    ]);
  });

  test("prints nothing of a bill that does not hold", async () => {
    const { status, stdout } = await receipts("bill", "csv", fileOf({ ...finalBill, count: 9 }));
    expect([status, stdout]).toEqual([1, ""]);
  });
});

describe("bill fetch", () => {
  let answers: (fromShard: number, asked: number) => unknown = () => null;
  let asked = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    const isKnown =
      request.headers.authorization === `Bearer ${KEY}` && url.searchParams.get("month") === MONTH;
    const answer = isKnown ? answers(Number(url.searchParams.get("from_shard")), asked++) : null;
    response.statusCode = answer === null ? 404 : 200;
    response.end(JSON.stringify(answer));
  });
  const listening = new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => server.close());
  afterEach(() => {
    asked = 0;
  });

  async function fetched(): Promise<{
    readonly status: number | null;
    readonly file: string;
    readonly stderr: string;
  }> {
    await listening;
    const file = join(newFolder(), "bill.json");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ["--key", `@${fileWith(`${KEY}\n`)}`, "--month", MONTH, "-o", file];
    return { ...(await receipts("bill", "fetch", address, ...args)), file };
  }

  /** One chain a page. */
  const pageOf = (bill: Bill, shard: number, seconds: number): Bill => ({
    ...bill,
    made_at: bill.made_at.replace(/\d{2}\.000Z$/, `${10 + seconds}.000Z`),
    lines: bill.lines.slice(shard, shard + 1),
    next_shard: shard === 0 ? 1 : null,
  });

  test("joins the pages to one bill, which holds", async () => {
    answers = (shard, n) => pageOf(finalBill, shard, n);
    const { status, file } = await fetched();
    expect(status).toBe(0);
    expect(readJson<Bill>(file)).toMatchObject({ lines: finalBill.lines, next_shard: null, count: 8 });
    expect((await verify(file, "--metachain", mirror, "--history", history)).status).toBe(0);
  });

  test("begins again where the bill grew between two pages", async () => {
    const grown = billAt("2026-10-26T00:00:10.000Z");
    answers = (shard, n) => pageOf(n === 0 ? openBill : grown, shard, n);
    const { status, file } = await fetched();
    expect([status, asked]).toEqual([0, 4]);
    expect((await verify(file, "--metachain", mirror, "--history", history)).status).toBe(0);
  });

  test("keeps a receipt as it came: one with a member more does not hold later", async () => {
    const added = structuredClone(finalBill) as unknown as { lines: { first: { receipt: object } }[] };
    Object.assign(added.lines[0]?.first.receipt ?? {}, { note: "added" });
    answers = () => added;
    const { file } = await fetched();
    expect((await verify(file, "--metachain", mirror)).status).toBe(1);
  });

  test.each([
    ["has no such bill", () => null],
    ["answers with the bill of 2026-09", () => billAt("2026-12-01T00:00:00.000Z", { month: "2026-09" })],
    ["go in circles", () => ({ ...finalBill, next_shard: 0 })],
    [
      "grew while its pages were fetched",
      (shard: number, n: number) => pageOf(n % 2 === 0 ? openBill : finalBill, shard, n),
    ],
  ])("writes nothing where the service %s", async (message, answer) => {
    answers = answer;
    const { status, stderr } = await fetched();
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
