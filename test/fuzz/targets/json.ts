// JSON at the edge, and the bodies of HTTP requests: what is read has one meaning, and a refusal names its reason.
import type { APIGatewayProxyEvent } from "aws-lambda";
import fc from "fast-check";
import { MAX_ATTESTATION_BODY_BYTES } from "../../../contract/limits.ts";
import {
  canonicalBytes,
  canonicalize,
  MAX_JSON_DEPTH,
  parseJson,
} from "../../../evidence/core/canonical-json.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { attestationRequestSchema } from "../../../evidence/core/formats/attestation-request.ts";
import { readAs, readBody } from "../../../lambdas/middleware/request.ts";
import { jsonValue } from "../../support/json-value.ts";
import { anyBytes, type Mutant, mutantsOf, sampleOf } from "../mutations.ts";
import { refusedOr, target } from "../target.ts";
import { REQUESTS, TEXTS } from "./vectors.ts";

const sizeOf = ({ bytes }: Mutant): number => bytes.length;

/** JSON of chance in one of its spellings: doubled names and lone surrogates are a few edits away. */
const anyText = jsonValue.chain((value) => mutantsOf([sampleOf("chance", JSON.stringify(value))]));

export const jsonTarget = target({
  name: "json",
  runs: 4_000,
  inputs: fc.oneof(anyBytes(TEXTS), anyText),
  sizeOf,
  holds: ({ bytes }) => {
    const value = refusedOr(() => ({ read: parseJson(bytes) }), "not_json");
    if (value === null) return true;
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    // Names that were doubled would be lost on the way through JSON.parse, and the tokens be more than the values.
    const again = parseJson(canonicalBytes(value.read));
    return (
      canonicalize(again) === canonicalize(JSON.parse(text)) &&
      depthOf(value.read) <= MAX_JSON_DEPTH &&
      countColons(text) === countMembers(value.read)
    );
  },
});

/** Outside of strings, each colon stands in one member. */
const countColons = (text: string): number =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").replaceAll(/[^:]/g, "").length;

function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner) => sum + countMembers(inner), own);
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const CONTENT_TYPES = [
  ...["application/json", 'application/json; charset="utf-8"', "Application/JSON;charset=UTF-8"],
  ...["text/plain", "application/json; charset=utf-16", "application/jsonx", ""],
];

const anyEvent = fc.record({
  mutant: anyBytes(REQUESTS),
  name: fc.constantFrom("Content-Type", "content-type", "CONTENT-TYPE", "Content_Type"),
  type: fc.oneof(fc.constantFrom(...CONTENT_TYPES), fc.string()),
  encoding: fc.constantFrom(undefined, "identity", "gzip", "IDENTITY"),
  isBase64: fc.boolean(),
});

/** A body as API Gateway hands it over: as text, or its bytes as base64. */
const eventOf = ({
  mutant,
  name,
  type,
  encoding,
  isBase64,
}: typeof anyEvent extends fc.Arbitrary<infer T> ? T : never) =>
  ({
    headers: { [name]: type, ...(encoding !== undefined && { "Content-Encoding": encoding }) },
    body: Buffer.from(mutant.bytes).toString(isBase64 ? "base64" : "utf8"),
    isBase64Encoded: isBase64,
  }) as unknown as APIGatewayProxyEvent;

const POINTER = /^#(?:\/[\w.~%!'()*-]*)*$/;

export const bodyTarget = target({
  name: "body",
  runs: 2_000,
  inputs: anyEvent,
  sizeOf: ({ mutant }) => mutant.bytes.length,
  holds: (input) => {
    const read = () => readBody(eventOf(input), MAX_ATTESTATION_BODY_BYTES);
    const body = refusedOr(
      () => ({ value: read() }),
      "not_json",
      "payload_too_large",
      "unsupported_media_type",
    );
    if (body === null) return true;
    try {
      const request = readAs(attestationRequestSchema, body.value);
      return canonicalize(request) === canonicalize(body.value);
    } catch (error) {
      if (!isDisclosureError(error, "invalid_request")) throw error;
      const { errors } = error.evidence as { errors: readonly { pointer: string; detail: string }[] };
      return (
        errors.length > 0 && errors.every(({ pointer, detail }) => POINTER.test(pointer) && detail !== "")
      );
    }
  },
});
