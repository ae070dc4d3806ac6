// An operator registers a customer's own greeting, and the customer's next disclosure gets ALLOW: the commands against a
// local stack, as `npm start` runs it.
import { beforeAll, expect, test } from "vitest";
import { complianceReceiptSchema } from "../../../evidence/core/formats/compliance-receipt.ts";
import { hashWording } from "../../../evidence/core/policy/policy-layer.ts";
import { ApiClient, disclosure } from "../../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../../support/local-stack.ts";
import { type Ended, fileWith, receipts } from "./command-line.ts";

const TEXT = "Guten Tag, hier spricht die KI der Musterbank, kein Mensch.";
const DIGEST = `sha256:${Buffer.from(hashWording(TEXT)).toString("hex")}`;
const ID = `own-${DIGEST.slice("sha256:".length).slice(0, 12)}`;
const TERMS = ["--jurisdiction=DE", "--modality=voice", "--methods=spoken_introduction", "--language=de"];
const BY = "--approved-by=legal department";

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
  await admin("tenant", "create", "acme");
});

const admin = (...args: string[]): Promise<Ended> => receipts("admin", ...args, `--local=${stack.dataDir}`);
/** An option that `args` gives is left out of TERMS: each is taken once. */
function add(...args: string[]): Promise<Ended> {
  const nameOf = (option: string) => option.split("=")[0];
  const terms = TERMS.filter((term) => !args.some((arg) => nameOf(arg) === nameOf(term)));
  return admin("wording", "add", "acme", ...terms, BY, ...args);
}

/** With a new key, so that no cache of the authorizer's knows the tenant as it was. */
async function attest(changes: Parameters<typeof disclosure>[0]): Promise<Response> {
  const { stdout } = await admin("key", "create", "acme");
  const client = new ApiClient({ url: stack.url, apiKey: stdout.trim() });
  return client.post("/v1/attestation", JSON.stringify(disclosure(changes)));
}
async function outcomeOf(response: Response) {
  const [receipt] = complianceReceiptSchema.parse(await response.json()).receipts;
  return { verdict: receipt?.verdict, ...receipt?.policy };
}

test("a company's own greeting gets ALLOW once it is registered, and BLOCK after its last day", async () => {
  const own = { subject_hash: DIGEST };
  expect(await outcomeOf(await attest(own))).toMatchObject({ verdict: "MODIFY", wording_id: null });

  const file = fileWith(`${TEXT}\n`, "greeting.txt");
  const added = await add(`--text-file=${file}`, "--approved-on=2026-01-01");
  expect([added.status, added.stdout]).toEqual([0, expect.stringContaining(DIGEST)]);
  expect(added.stderr).toMatch(/^It is in force within a minute\.$/m);
  expect(added.stderr).toMatch(new RegExp(`admin wording retire acme ${ID} --last-day DATE --local=`));
  expect(await outcomeOf(await attest(own))).toMatchObject({ verdict: "ALLOW", wording_id: ID });

  const again = await add("--text", TEXT);
  expect([again.status, again.stderr]).toEqual([0, expect.stringMatching(/registered already, just so/)]);

  const retired = await admin("wording", "retire", "acme", ID, "--last-day=2026-01-31");
  expect([retired.status, retired.stderr]).toEqual([0, expect.stringMatching(/After 2026-01-31 .* BLOCK/)]);
  expect(await outcomeOf(await attest(own))).toMatchObject({
    verdict: "BLOCK",
    findings: ["wording_retired"],
  });

  const list = await admin("wording", "list", "acme");
  expect(list.stdout).toMatch(
    new RegExp(`${ID} +DE +voice +spoken_introduction +de +ended 2026-01-31 +${DIGEST}`),
  );
  const { wordings } = JSON.parse((await admin("wording", "list", "acme", "--json")).stdout);
  expect(wordings).toMatchObject([{ jurisdiction: "DE", wording: { id: ID, retired_on: "2026-01-31" } }]);
  expect(JSON.stringify(wordings)).not.toContain("Musterbank");
});

test("a wording may begin later, and its command says so", async () => {
  const { status, stderr } = await add(`--digest=sha256:${"7".repeat(64)}`, "--approved-on=2090-01-01");
  expect([status, stderr]).toEqual([0, expect.stringMatching(/in force from 2090-01-01 \(UTC\) on/)]);
});

test.each([
  ["no digest and no text", [], /takes one of --digest, --text and --text-file/],
  ["two of them", ["--text=x", `--digest=${DIGEST}`], /takes one of/],
  [
    "a gap that is never filled",
    ["--text=Guten Tag {name}, hier spricht eine KI."],
    /\{name\}: only \{operator\}/,
  ],
  ["a stray brace", ["--text=Guten Tag {, hier spricht eine KI."], /a brace: only \{operator\}/],
  ["a planned jurisdiction", [`--digest=${DIGEST}`, "--jurisdiction=AT"], /layer of AT is only planned/],
  ["an unknown one", [`--digest=${DIGEST}`, "--jurisdiction=FR"], /publishes no wording policy for FR/],
  ["a day that is none", [`--digest=${DIGEST}`, "--until=2027-02-30"], /--until is a date/],
  [
    "an option of another command",
    [`--digest=${DIGEST}`, "--last-day=2027-01-31"],
    /--last-day is not for wording add/,
  ],
])("add refuses %s in words", async (_what, args, message) => {
  const { status, stderr } = await add(...args);
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test("a preview may use the Dutch layer, and its receipts say that it is in development", async () => {
  const dutch = { jurisdiction: "NL" };
  expect((await attest(dutch)).status).toBe(422);
  const { status, stdout } = await admin("tenant", "preview", "acme", "on");
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^ {2}preview +on$/m)]);
  expect((await outcomeOf(await attest(dutch))).findings).toContain("layer_in_development");
  for (const jurisdiction of ["AT", "BE"]) expect((await attest({ jurisdiction })).status).toBe(422);
  expect((await admin("tenant", "preview", "acme", "off")).stdout).toMatch(/^ {2}preview +off$/m);
  expect((await attest(dutch)).status).toBe(422);
});

test("the whole ledger holds with its layers", async () => {
  const { status, stdout } = await admin("verify");
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^ {2}layers +\d+$/m)]);
});
