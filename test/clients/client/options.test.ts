import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import {
  type ClientOptions,
  DisclosureClient,
  hashWordingText,
  interactionId,
  isClientError,
} from "../../../clients/client/index.ts";
import { attestationRequestSchema } from "../../../evidence/core/formats/attestation-request.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { disclosure } from "../../support/api-client.ts";
import { readBytes } from "../../support/vector-files.ts";
import { API_KEY, clientOf, failure, NOBODY, start } from "./clients.ts";
import { problem, respond, serve } from "./service.ts";

describe("the options", () => {
  const good: ClientOptions = { baseUrl: "https://receipts.example", apiKey: API_KEY };
  test.each([
    ["baseUrl", { baseUrl: "receipts.example" }],
    ["baseUrl", { baseUrl: "ftp://receipts.example" }],
    ["baseUrl", { baseUrl: "https://user:word@receipts.example" }],
    ["baseUrl", { baseUrl: "https://receipts.example/?key=1" }],
    ["baseUrl", { baseUrl: undefined as never }],
    ["baseUrl", { baseUrl: "https://receipts.example/v1" }],
    ["baseUrl", { baseUrl: "https://receipts.example/stage/v1/" }],
    ["apiKey", { apiKey: "" }],
    ["apiKey", { apiKey: `${API_KEY}\n` }],
    ["apiKey", { apiKey: undefined as never }],
    ["attempts", { attempts: 0 }],
    ["timeoutMs", { timeoutMs: 2 ** 31 }],
    ["deadlineMs", { deadlineMs: Number.NaN }],
    ["fetch", { fetch: "https://proxy" as never }],
    ["retries", { retries: 3 } as object],
    ["baseURL", { baseURL: "https://receipts.example" } as object],
    ["constructor", { constructor: 1 } as object],
    ["trustAnchors", { trustAnchors: "no certificate" }],
    ["trustAnchors", { trustAnchors: [] as never }],
    ["trustAnchors", { trustAnchors: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" }],
  ])("refuse a wrong %s at once, and say which it is", (name, change) => {
    expect(() => new DisclosureClient({ ...good, ...change })).toThrow(
      expect.objectContaining({ code: "invalid_options", message: expect.stringMatching(`^${name}: `) }),
    );
  });

  test.each([undefined, null, "https://receipts.example", 7])("refuse %j in their place", (options) => {
    expect(() => new DisclosureClient(options as never)).toThrow(
      expect.objectContaining({
        code: "invalid_options",
        message: expect.stringContaining("baseUrl, apiKey"),
      }),
    );
  });

  test("name the setting to mend where the address ends in /v1 or a name is misspelt", () => {
    expect(() => new DisclosureClient({ ...good, baseUrl: `${good.baseUrl}/v1` })).toThrow(
      "baseUrl: leave out the /v1 at its end",
    );
    expect(() => new DisclosureClient({ ...good, retries: 3 } as ClientOptions)).toThrow(
      "retries: there is no such option; there are baseUrl, apiKey, attempts",
    );
  });

  test("take an address with a path, and a list of certificates", async () => {
    const { url, calls } = await serve();
    const trustAnchors = new TextDecoder().decode(readBytes("authorities/service.pem"));
    const client = new DisclosureClient({ ...good, baseUrl: `${url}/stage//`, trustAnchors });
    await client.attest(disclosure());
    expect(calls[0]?.path).toBe("/stage/v1/attestation");
  });

  test("of a fetch of one's own are used", async () => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(String(url));
      return Response.json(problem(404, "There is nothing here"), { status: 404 });
    };
    await failure(new DisclosureClient({ ...good, fetch }).report("1/2"), "refused");
    expect(asked).toEqual(["https://receipts.example/v1/attestation/1%2F2"]);
  });
});

test("the API key is in no error and no print of the client", async () => {
  const texts: string[] = [];
  const { client } = await start(({ response }) =>
    respond(response, 401, problem(401, "No or unknown API key")),
  );
  for (const one of [client, clientOf(NOBODY, { attempts: 1 })]) {
    const error = await one.attest(disclosure()).catch((reason: unknown) => reason);
    texts.push(inspect(error, { depth: null, showHidden: true }), JSON.stringify(error));
  }
  try {
    clientOf(NOBODY, { apiKey: `${API_KEY}\r\nx` });
  } catch (error) {
    texts.push(inspect(error, { depth: null, showHidden: true }));
  }
  texts.push(inspect(client, { depth: null, showHidden: true, getters: true }), JSON.stringify(client));
  expect(texts).toHaveLength(7);
  expect(texts.filter((text) => text.includes("Xy7"))).toEqual([]);
});

test("an error that is printed shows no receipt", async () => {
  const { client } = await start(({ answer, response }) =>
    respond(response, 200, { ...(answer() as object), event_id: "00000000-0000-8000-8000-000000000000" }),
  );
  const error = await failure(client.attest(disclosure()), "receipt_invalid");
  expect(inspect(error, { depth: null })).not.toContain("previous_hash");
});

test("an error is known by its code across two copies of the package", () => {
  class ClientErrorOfAnotherCopy extends Error {
    override readonly name = "ClientError";
    readonly code = "refused";
  }
  const foreign = new ClientErrorOfAnotherCopy("no");
  expect([
    isClientError(foreign),
    isClientError(foreign, "refused"),
    isClientError(foreign, "undeliverable"),
  ]).toEqual([true, true, false]);
  for (const other of [new Error("no"), { name: "ClientError", code: "refused" }, null])
    expect(isClientError(other)).toBe(false);
});

describe("the digest of a wording", () => {
  test("is the one of the policy layer, for each wording that is approved", () => {
    const wordings = policyLayers.flatMap((layer) => layer.wordings);
    expect(wordings.length).toBeGreaterThan(0);
    expect(wordings.map(({ text }) => hashWordingText(text))).toEqual(wordings.map(({ digest }) => digest));
  });

  test("is a subject_hash, and the same for both spellings of a letter", () => {
    const digest = hashWordingText("Guten Tag, Sie hören ein KI-System.");
    expect(attestationRequestSchema.parse(disclosure({ subject_hash: digest })).subject_hash).toBe(digest);
    expect(hashWordingText("Guten Tag, Sie ho\u0308ren ein KI-System.")).toBe(digest);
    expect(hashWordingText("Guten Tag, Sie hören ein KI-System. ")).not.toBe(digest);
  });

  test.each(["\ud800", 7 as never])("of %j there is none", (text) => {
    expect(() => hashWordingText(text)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

describe("the id of a conversation", () => {
  test.each(["room/RM_abc", "a84b4c76e66710@pc33.example;leg=1"])("is the name itself: %s", (name) => {
    expect(interactionId(name)).toBe(name);
  });

  test("is a digest of any other name, the same for both spellings of a letter, and taken by the service", () => {
    const names = ["+49 170 1234567", "Büro", "<room>", "x".repeat(129), ".", "..", "erased:1"];
    const ids = names.map(interactionId);
    for (const id of ids)
      expect(attestationRequestSchema.safeParse(disclosure({ interaction_id: id })).success).toBe(true);
    expect(new Set(ids).size).toBe(names.length);
    expect(interactionId("Bu\u0308ro")).toBe(interactionId("Büro"));
  });

  test.each(["", "\ud800", 7 as never])("is none for %j", (name) => {
    expect(() => interactionId(name)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});
