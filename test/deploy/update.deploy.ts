// A deployment of new code while calls go on. The emulator is rougher than AWS: it ends a function that is replaced in
// the middle of its call, and answers that call with an error.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { newDeployedTenant, theDeployment } from "../support/target.ts";
import { Cdk } from "./cdk.ts";
import { Traffic } from "./traffic.ts";
import { checkWholeDeployment } from "./whole-deployment.ts";

const stack = theDeployment();
const CALLERS = 6;
/** Of each release. */
const CALLS = 30;
const PATIENCE = { timeout: 180_000, interval: 100 };

/** The next release of the code that attests: it does the same, and gives its name. */
const RELEASE = `
const { handler: previous } = module.exports;
module.exports = {
  handler: async (...args) => {
    const answer = await previous(...args);
    return { ...answer, headers: { ...answer.headers, "x-release": "next" } };
  },
};
`;

const receiptOf = ({ receipts }: ComplianceReceipt) =>
  receipts[0] ?? expect.unreachable("a receipt is missing");

test("new code that is deployed while calls go on loses, doubles and reorders no receipt", async () => {
  const { api } = await newDeployedTenant(stack);
  const traffic = new Traffic(api, CALLERS);
  const countOf = (release: string | null) =>
    traffic.answered.filter((answered) => answered.release === release).length;
  await expect.poll(() => countOf(null), PATIENCE).toBeGreaterThan(CALLS);
  appendFileSync(join(stack.folder, "dist", "lambda", "attest", "index.js"), RELEASE);
  await new Cdk(stack, stack.name).deploy();
  await expect.poll(() => countOf("next"), PATIENCE).toBeGreaterThan(CALLS);
  await traffic.stop();

  const last = traffic.answered.at(-1)?.answer ?? expect.unreachable("nothing was answered");
  expect((await api.verifyPublished(await api.includedReport(last.event_id))).valid).toBe(true);
  const chains = await checkWholeDeployment(stack, api);
  const chain = chains.get(last.evidence_chain.chain_id);
  const answers = traffic.answered.map(({ answer }) => receiptOf(answer));
  const bySequence = answers.toSorted((a, b) => a.sequence - b.sequence);
  expect(bySequence.map(({ event_id }) => event_id)).toEqual(chain?.cores.map(({ event_id }) => event_id));
  for (let caller = 0; caller < CALLERS; caller++) {
    const own = traffic.answered.filter((answered) => answered.caller === caller);
    const sequences = own.map(({ answer }) => receiptOf(answer).sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  }
});
