// What `npm start` runs: the stack and the thread of its engine, built into dist/ of the sources.
import { expect, test } from "vitest";
import { DISCLOSURE } from "../../../bench/disclosure.ts";
import { startLocalProcess } from "../../../bench/figures/local-process.ts";
import { ATTESTATION_PATH } from "../../../contract/public-paths.ts";

test("the built stack takes an attestation", async () => {
  const local = await startLocalProcess();
  try {
    const { apiKey } = await local.newTenant("start", { chains: 1, isStamped: true });
    const answer = await fetch(local.url + ATTESTATION_PATH, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ ...DISCLOSURE, interaction_id: "call-1" }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({ receipts: [expect.objectContaining({ sequence: 0 })] }),
    ]);
  } finally {
    await local.stop();
  }
});
