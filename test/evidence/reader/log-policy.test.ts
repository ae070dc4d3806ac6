// What looks like a policy of logs and witnesses, or like a log's key, and what such a file gives.
import { describe, expect, test } from "vitest";
import { isLogPolicy, parseLogPolicy } from "../../../evidence/reader/log-policy.ts";
import { logSigner, policyText, witnessSigner } from "../../support/note-signers.ts";

const LOG = logSigner("log.example/one");
const WITNESS = witnessSigner("witness.example");
const POLICY = policyText(LOG, [WITNESS]);

describe("a text looks like a policy or a key", () => {
  test.each([
    ["a key", LOG.vkey],
    ["a key between blank lines", `\n ${LOG.vkey} \r\n`],
    ["a witness's key", WITNESS.vkey],
    ["a policy", POLICY],
    ["a policy behind comments and blank lines", `# ours\n\n \t# more\r\n\t${POLICY}`],
    ["a policy that begins with a witness", "witness w x"],
    ["a policy that begins with a group", "group\tg any w"],
    ["a policy that begins with its quorum", "quorum none"],
  ])("where it is %s", (_, text) => {
    expect(isLogPolicy(text)).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["a comment alone", "# log x"],
    ["JSON", '{"log": 1}'],
    ["PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n"],
    ["a word that only begins like one", "logs x"],
    ["a line that says more before", "a log x"],
    ["a log without anything", "log\n"],
    ["a key with a shorter id", "a+0123456+AAAA"],
    ["a key with capitals in its id", "a+0123456A+AAAA"],
    ["a key without a name", "+01234567+AAAA"],
    ["a key without base64", "a+01234567+"],
    ["a key and a word", `${LOG.vkey} x`],
    ["a word and a key", `x ${LOG.vkey}`],
    ["a key with three pads", "a+01234567+AA==="],
  ])("and not where it is %s", (_, text) => {
    expect(isLogPolicy(text)).toBe(false);
  });
});

describe("a file of it gives", () => {
  test("the log alone for its key, which asks for no witness", () => {
    const policy = parseLogPolicy(`\n${LOG.vkey} \n`);
    expect(policy).toMatchObject({
      logs: [{ key: { name: LOG.name }, url: null }],
      witnesses: [],
      quorum: null,
    });
  });

  test("the logs and the witnesses of a policy", () => {
    expect(parseLogPolicy(POLICY)).toMatchObject({
      logs: [{ key: { name: LOG.name } }],
      witnesses: [{ name: "w0", key: { name: WITNESS.name } }],
      quorum: "all",
    });
  });

  test.each([
    ["a witness's key", WITNESS.vkey, "this is not the Ed25519 key of a log"],
    ["a policy without a log", "quorum none\n", "the policy names no log, so no checkpoint could be checked"],
    ["a key that is none", "a+01234567+AAAA", ""],
    ["a policy without a quorum", `log ${LOG.vkey}\n`, "a policy has no quorum line"],
  ])("nothing for %s", (_, text, message) => {
    expect(() => parseLogPolicy(text)).toThrow(
      expect.objectContaining({ code: "malformed", message: expect.stringContaining(message) }),
    );
  });
});
