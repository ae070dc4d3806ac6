// `admin usage` where retention removed a tenant's receipts: the others are listed, and that tenant is named.
import { expect, test } from "vitest";
import { DisclosureError, type ErrorCode } from "../../../evidence/core/errors.ts";
import { monthNamed } from "../../../evidence/core/formats/month.ts";
import { listTenants, type UsageCall } from "../../../tools/cli/admin/usage.ts";
import { Terminal } from "../../../tools/cli/output/terminal.ts";
import { receipts } from "./command-line.ts";

/** A call about three tenants, of which `b` fails with this code. */
function newCall(code: ErrorCode) {
  let stderr = "";
  const documents: string[] = [];
  const tenants = ["a", "b", "c"].map((tenantId) => ({ tenantId, createdAt: "2026-01-01T00:00:00.000Z" }));
  const totals = async (id: string) => {
    if (id === "b") throw new DisclosureError(code, "receipts of 2026-02 may have been removed");
    return { tenant: { id } };
  };
  const err = { write: (text: string) => (stderr += text) };
  const call = {
    operator: { registry: { list: async () => tenants }, bills: { totals } },
    month: monthNamed("2026-02"),
    values: { json: true },
    terminal: new Terminal({ out: { write: () => true }, err, environment: {} } as never),
    write: async (document: string) => void documents.push(document),
  };
  return { call: call as unknown as UsageCall, documents, stderr: () => stderr };
}

test("a tenant whose receipts can't be counted is left out, named, and the exit status says so", async () => {
  const { call, documents, stderr } = newCall("receipt_removed");
  expect(await listTenants(call, undefined)).toBe(1);
  const month = "2026-02";
  expect(documents.map((text) => JSON.parse(text))).toEqual([
    { month, tenants: [{ tenant: { id: "a" } }, { tenant: { id: "c" } }] },
  ]);
  expect(stderr()).toContain("b is left out: receipts of 2026-02 may have been removed");
  expect((await receipts("admin", "usage", "--help")).stdout).toMatch(
    /^Exit status: .* 1 a tenant could not/m,
  );
});

test("any other fault ends the list", async () => {
  const { call, documents } = newCall("ledger_corrupt");
  await expect(listTenants(call, undefined)).rejects.toMatchObject({ code: "ledger_corrupt" });
  expect(documents).toEqual([]);
});
