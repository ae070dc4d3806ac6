// A bill as its reader verifies it: against the published seals and the tenant's fingerprint.
import { expect } from "vitest";
import { type Bill, billSchema } from "../../evidence/core/formats/bill.ts";
import { verifyBill } from "../../evidence/core/verify/verify-bill.ts";
import type { TestProcess } from "./test-process.ts";

/** Fails where a check fails, and where a published root was not compared. */
export async function checkBill({ roots }: Pick<TestProcess, "roots">, untrusted: Bill): Promise<void> {
  const bill = billSchema.parse(structuredClone(untrusted));
  const heads = bill.lines.flatMap(({ opening, closing }) => [opening, closing]);
  const indices = [bill.as_of, ...heads]
    .filter((head) => head !== null)
    .flatMap(({ seal_index }) => [seal_index, seal_index + 1]);
  const published = new Map(
    await Promise.all(indices.map(async (index) => [index, await roots.seal(index)] as const)),
  );
  const { checks } = await verifyBill(bill, { published, fingerprint: bill.tenant.fingerprint });
  expect(checks.filter(({ ok }) => ok === false)).toEqual([]);
  const compared = checks.filter(({ name }) => name === "as_of" || name === "published_heads");
  expect(compared.map(({ ok }) => ok)).toEqual([true, ...bill.lines.map(() => true)]);
}
