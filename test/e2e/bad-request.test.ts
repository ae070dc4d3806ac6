// Bodies that are not the request, field by field: each gets the problem that the design's section 2 names, and
// leaves nothing behind.
import { beforeAll, describe, expect, test } from "vitest";
import { disclosure, readProblem } from "../support/api-client.ts";
import { type Expected, Refusals } from "../support/refusals.ts";
import { isDeployed, startTarget } from "../support/target.ts";

const ATTESTATION = "/v1/attestation";
const VERIFY = "/v1/verify-inclusion";
const KIB = 1024;
const REQUEST_LIMIT = 8 * KIB;
const PROOF_LIMIT = 320 * KIB;
const DIGITS = "5".repeat(64);

const good = JSON.stringify(disclosure());
const NOT_JSON: Expected = { status: 400, name: "bad-request", pointers: ["#"] };
const wrong = (...pointers: string[]): Expected => ({ status: 422, name: "invalid-request", pointers });

let refusals: Refusals;

beforeAll(async () => {
  refusals = await Refusals.against((await startTarget({})).api);
});

describe("a body that is not one JSON value in UTF-8", () => {
  test.each<[string, string | Uint8Array]>([
    ["no body at all", ""],
    ["plain text", "Guten Tag, Sie sprechen mit einem KI-System."],
    ["half an object", good.slice(0, -1)],
    ["two objects", good + good],
    ["a trailing comma", good.replace("}", ",}")],
    ["single quotes", good.replaceAll('"', "'")],
    ["a byte order mark", `\ufeff${good}`],
    ["a doubled member", good.replace("{", '{"modality":"chat",')],
    ["a member doubled under an escape", good.replace("{", '{"mod\\u0061lity":"chat",')],
    ["a lone surrogate", good.replace("voice", "\\ud800")],
    ["a number beyond 2^53", good.replace('"1"', "9007199254740993")],
    ["deep nesting", "[".repeat(3_000) + "]".repeat(3_000)],
  ])("is a 400: %s", async (_what, body) => {
    await refusals.expectProblem(await refusals.api.post(ATTESTATION, body), NOT_JSON);
  });
});

// A REST API hands a body over as text: bytes that are not UTF-8 have become U+FFFD, which no field may hold.
test(`bytes that are not UTF-8 are a ${isDeployed ? 422 : 400}`, async () => {
  const body = Buffer.from(good.replace("call", "c\xe4ll"), "latin1");
  const expected = isDeployed ? wrong("#/interaction_id") : NOT_JSON;
  await refusals.expectProblem(await refusals.api.post(ATTESTATION, body), expected);
});

describe("JSON that is not the request", () => {
  test.each<[string, unknown, Expected]>([
    ["null", null, wrong("#")],
    ["a list", [disclosure()], wrong("#")],
    ["a text", "voice", wrong("#")],
    ["a number", 1, wrong("#")],
    [
      "an empty object",
      {},
      wrong(
        "#/interaction_id",
        "#/agent_identity",
        "#/article_50_clause",
        "#/disclosure_method",
        "#/jurisdiction",
        "#/modality",
        "#/subject_hash",
      ),
    ],
    ["an unknown field", { ...disclosure(), transcript: "Guten Tag" }, wrong("#/transcript")],
    ["two unknown fields", { ...disclosure(), a: 1, "b/c": 2 }, wrong("#/a", "#/b~1c")],
    [
      "an unknown field whose long name is cut amid a character",
      { ...disclosure(), [`${"n".repeat(99)}😀`]: 1 },
      wrong(`#/${"n".repeat(99)}%EF%BF%BD`),
    ],
    ["a field __proto__", JSON.parse(`${good.slice(0, -1)},"__proto__":{"x":1}}`), wrong("#/__proto__")],
    [
      "two wrong fields",
      { ...disclosure(), modality: "fax", jurisdiction: 7 },
      wrong("#/jurisdiction", "#/modality"),
    ],
  ])("is a 422: %s", async (_what, body, expected) => {
    await refusals.expectProblem(await refusals.api.post(ATTESTATION, JSON.stringify(body)), expected);
  });
});

describe("a field", () => {
  test.each<[string, unknown]>([
    ["interaction_id", ""],
    ["interaction_id", "x".repeat(129)],
    ["interaction_id", "Anruf von Erika Mustermann"],
    ["interaction_id", "anruf-m\u00fcller"],
    ["interaction_id", "a\\b"],
    ["interaction_id", "a\n"],
    ["interaction_id", 17],
    ["interaction_id", null],
    ["modality", "fax"],
    ["modality", "Voice"],
    ["modality", ["voice"]],
    ["article_50_clause", "2"],
    ["article_50_clause", 1],
    ["article_50_clause", "50(1)"],
    ["disclosure_method", ""],
    ["disclosure_method", "spoken introduction"],
    ["disclosure_method", "Spoken"],
    ["disclosure_method", "x".repeat(65)],
    ["disclosure_method", true],
    ["agent_identity", ""],
    ["agent_identity", "x".repeat(129)],
    ["agent_identity", "Der freundliche Assistent"],
    ["agent_identity", {}],
    ["jurisdiction", "de"],
    ["jurisdiction", "XX"],
    ["jurisdiction", "DEU"],
    ["jurisdiction", ""],
    ["jurisdiction", 49],
    ["subject_hash", "Guten Tag, Sie sprechen mit einem KI-System."],
    ["subject_hash", DIGITS],
    ["subject_hash", `sha256:${"A".repeat(64)}`],
    ["subject_hash", `sha256:${DIGITS}5`],
    ["subject_hash", `sha256:${DIGITS.slice(1)}`],
    ["subject_hash", `sha512:${DIGITS}${DIGITS}`],
    ["disclosed_at", "2026-11-21"],
    ["disclosed_at", "2026-11-21T12:00:00+01:00"],
    ["disclosed_at", "2026-11-21T12:00:00.1Z"],
    ["disclosed_at", "2026-02-30T12:00:00Z"],
    ["disclosed_at", "2199-01-01T00:00:00Z"],
    ["disclosed_at", 1_763_722_800],
    ["disclosed_at", null],
  ])("%s must not be %j", async (name, value) => {
    const body = JSON.stringify({ ...disclosure(), [name]: value });
    await refusals.expectProblem(await refusals.api.post(ATTESTATION, body), wrong(`#/${name}`));
  });

  test.each(Object.keys(disclosure()))("%s is required", async (name) => {
    const { [name]: _left, ...rest } = { ...disclosure() } as Record<string, unknown>;
    const response = await refusals.api.post(ATTESTATION, JSON.stringify(rest));
    const { errors } = await readProblem(response.clone());
    expect(errors).toEqual([{ pointer: `#/${name}`, detail: "is required" }]);
    await refusals.expectProblem(response, wrong(`#/${name}`));
  });

  test("may be as long as it is documented to be", async () => {
    const longest = {
      interaction_id: "Az09._:@+=-/;".padEnd(128, "x"),
      agent_identity: "a/".repeat(64),
      disclosure_method: "x".repeat(64),
    };
    await refusals.attestGood(JSON.stringify(disclosure(longest)));
  });
});

describe("a jurisdiction without an active layer", () => {
  test.each([
    ["NL", "in_development"],
    ["BE", "planned"],
    ["AT", "planned"],
    ["FR", "not_covered"],
  ])("is refused with its status: %s is %s", async (jurisdiction, status) => {
    const response = await refusals.api.post(ATTESTATION, JSON.stringify(disclosure({ jurisdiction })));
    const { errors } = await readProblem(response.clone());
    expect(errors?.[0]?.detail).toContain(status);
    const pointers = ["#/jurisdiction"];
    await refusals.expectProblem(response, { status: 422, name: "jurisdiction-not-active", pointers });
  });
});

describe("the size of a body", () => {
  const padded = (json: string, size: number): string => json + " ".repeat(size - json.length);
  const tooLarge: Expected = { status: 413, name: "payload-too-large" };

  test("may be 8 KiB for an attestation, and no byte more", async () => {
    await refusals.attestGood(padded(good, REQUEST_LIMIT));
    await refusals.expectProblem(
      await refusals.api.post(ATTESTATION, padded(good, REQUEST_LIMIT + 1)),
      tooLarge,
    );
  });

  test("may be 320 KiB for a proof, and no byte more", async () => {
    const receipt = await (await refusals.api.post(ATTESTATION, good)).text();
    expect((await refusals.api.post(VERIFY, padded(receipt, PROOF_LIMIT))).status).toBe(200);
    refusals.nextSequence += 1;
    await refusals.expectProblem(await refusals.api.post(VERIFY, padded(receipt, PROOF_LIMIT + 1)), tooLarge);
  });

  test("is counted in bytes, not in characters", async () => {
    const body = JSON.stringify({ ...disclosure(), transcript: "ü".repeat(REQUEST_LIMIT / 2) });
    expect(body.length).toBeLessThan(REQUEST_LIMIT);
    await refusals.expectProblem(await refusals.api.post(ATTESTATION, body), tooLarge);
  });

  test("of many megabytes is refused too", async () => {
    await refusals.expectProblem(
      await refusals.api.post(ATTESTATION, padded(good, 12 * KIB * KIB)),
      tooLarge,
    );
  });
});
