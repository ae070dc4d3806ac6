// The warning for an interaction_id that looks like a person's: a header beside an answer that is the same without it.
import { beforeAll, describe, expect, test } from "vitest";
import { complianceReceiptSchema } from "../../evidence/core/formats/compliance-receipt.ts";
import { ApiClient, disclosure, readJson } from "../support/api-client.ts";
import { startLocalStack } from "../support/local-stack.ts";

const NUMBER = "+491701234567";

let api: ApiClient;
beforeAll(async () => {
  api = new ApiClient(await startLocalStack());
});

const attest = (interaction_id: string, key: string) =>
  api.post("/v1/attestation", JSON.stringify(disclosure({ interaction_id })), {
    headers: { "idempotency-key": key },
  });

describe("an interaction_id that looks like a telephone number", () => {
  test("is accepted, with a warning that does not repeat it", async () => {
    const response = await attest(NUMBER, "number");
    const warning = response.headers.get("disclosure-warning");
    expect(warning).toMatch(/^interaction_id looks like a telephone number: [ -~]+\.$/);
    expect(warning).not.toContain("49170");
    const { receipts } = await readJson(response, complianceReceiptSchema);
    expect(receipts[0]).toMatchObject({ turn: 1, verdict: "ALLOW" });
  });

  test("gets the members of every other answer, and its bundle verifies", async () => {
    const [warned, plain] = await Promise.all(
      [NUMBER, "call-1"].map(async (id) => (await attest(id, `members-${id}`)).json()),
    );
    const shape = (value: unknown): unknown =>
      typeof value === "object" && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]))
        : typeof value;
    expect(JSON.stringify(shape(warned)).includes("arning")).toBe(false);
    expect(Object.keys(warned)).toEqual(Object.keys(plain));
    expect(Object.keys(warned.receipts[0])).toEqual(Object.keys(plain.receipts[0]));
    const report = await api.report(warned.event_id);
    expect(report.receipts).toEqual(warned.receipts);
  });
});

test("an id of no person gets no warning", async () => {
  for (const id of ["call-1", crypto.randomUUID(), "2026-11-22T19:21:46Z"])
    expect((await attest(id, `plain-${id}`)).headers.get("disclosure-warning")).toBeNull();
});
