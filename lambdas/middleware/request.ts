// Parses API Gateway's events, which are untrusted until then.
import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { IDEMPOTENCY_KEY, MAX_LISTED_ERRORS } from "../../contract/limits.ts";
import type { FieldError } from "../../contract/problem-details.ts";
import { type JsonValue, parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { PLAIN_ERRORS } from "../../evidence/core/formats/plain-errors.ts";
import { digestSchema } from "../../evidence/core/formats/shapes.ts";
import { isTenantAnchor } from "../../evidence/core/formats/tenant-anchor.ts";
import type { Caller, Scope } from "../../service/tenants/tenants.ts";

/** A parameter's value may be quoted (RFC 9110 section 8.3.1). */
const JSON_TYPE = /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?$/i;
/** Longer names of unknown fields are cut in the answer. */
const MAX_NAME_LENGTH = 100;

/** The authorizer's part of the request context; API Gateway passes on texts only. */
const callerSchema = z.object({
  tenantId: z.string().min(1),
  keyId: z.string().min(1),
  plan: z.string(),
  scopes: z.string().transform((text) => text.split(" ")),
  // Left out for a key that does not expire.
  keyExpiresAt: z.iso.datetime().nullable().default(null),
  tenantAnchor: z.string().refine(isTenantAnchor),
  chains: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .transform(Number),
  // Left out for a tenant that has no rate of its own.
  inlineStampsPerMinute: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .nullable()
    .default(null),
  // Left out for a tenant without wordings of its own.
  ownWordings: digestSchema.nullable().default(null),
  // Left out for a tenant that may not use layers in development.
  isPreview: z
    .literal("true")
    .transform(() => true)
    .default(false),
});

const tenantSchema = callerSchema.pick({ tenantId: true, plan: true });

/**
 * The authorizer's counterpart of `readCaller`: the context in the form that API Gateway accepts, and as small for 4,096
 * chains as for one. The anchor is the tenant's secret: it stays within the gateway and its functions, for the access log
 * names its fields (lib/front/api-stage.ts), the anchor is none of them, and no stage traces data.
 */
export const formatCaller = (caller: Caller) => ({
  tenantId: caller.tenantId,
  keyId: caller.keyId,
  plan: caller.plan,
  scopes: caller.scopes.join(" "),
  ...(caller.keyExpiresAt !== null && { keyExpiresAt: caller.keyExpiresAt }),
  tenantAnchor: caller.tenantAnchor,
  chains: String(caller.chains),
  ...(caller.inlineStampsPerMinute !== null && {
    inlineStampsPerMinute: String(caller.inlineStampsPerMinute),
  }),
  ...(caller.ownWordings !== null && { ownWordings: caller.ownWordings }),
  ...(caller.isPreview && { isPreview: "true" }),
});

/** The tenant and its plan, of a call with a key; null on public routes. */
export function readTenant({
  requestContext,
}: APIGatewayProxyEvent): Pick<Caller, "tenantId" | "plan"> | null {
  return tenantSchema.safeParse(requestContext.authorizer).data ?? null;
}

/** The authenticated caller, whatever its key may do. */
export const readKeyHolder = ({ requestContext }: APIGatewayProxyEvent): Caller =>
  callerSchema.parse(requestContext.authorizer);

/** The authenticated caller. Throws `forbidden` if the key lacks `scope`. */
export function readCaller(event: APIGatewayProxyEvent, scope: Scope): Caller {
  const caller = readKeyHolder(event);
  if (caller.scopes.includes(scope)) return caller;
  throw new DisclosureError("forbidden", `the API key lacks the scope "${scope}"`);
}

/** A header by its lower-case name; API Gateway keeps the case that the caller used. */
export function readHeader(event: APIGatewayProxyEvent, name: string): string | undefined {
  const header = Object.entries(event.headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return header?.[1];
}

/** The Idempotency-Key, or null. Throws `malformed`. */
export function readIdempotencyKey(event: APIGatewayProxyEvent): string | null {
  const key = readHeader(event, "idempotency-key");
  if (key === undefined) return null;
  if (IDEMPOTENCY_KEY.test(key)) return key;
  throw new DisclosureError("malformed", "Idempotency-Key must be 1 to 255 visible ASCII characters");
}

/** Requests are small: none is sent compressed, and what a small body unpacks to could be large. */
const PLAIN = "identity";
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Each value of a JSON text is the first, or comes behind one of these. */
const BEFORE_VALUES: ReadonlySet<number> = new Set(Buffer.from(",[{"));

/** The JSON body. Throws `unsupported_media_type`, `payload_too_large`, `not_json`. */
export function readBody(event: APIGatewayProxyEvent, maxBytes: number, maxValues = maxBytes): JsonValue {
  if (!JSON_TYPE.test(readHeader(event, "content-type") ?? "")) {
    throw new DisclosureError("unsupported_media_type", "the Content-Type must be application/json");
  }
  const encoding = readHeader(event, "content-encoding") ?? PLAIN;
  if (encoding.toLowerCase() !== PLAIN) {
    throw new DisclosureError(
      "unsupported_media_type",
      "the body must not be compressed: send no Content-Encoding",
    );
  }
  const bytes = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  if (bytes.length > maxBytes) {
    throw new DisclosureError("payload_too_large", `the body is larger than ${maxBytes} bytes`);
  }
  if (bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    throw new DisclosureError("not_json", "the body begins with a byte order mark: send UTF-8 without one");
  }
  requireFewValues(bytes, maxValues);
  return parseJson(bytes);
}

/** Counts before anything is parsed, and so those in texts as well. Throws `payload_too_large`. */
export function requireFewValues(json: Uint8Array, maxValues: number): void {
  let values = 1;
  for (const byte of json) {
    if (BEFORE_VALUES.has(byte)) values++;
    if (values > maxValues)
      throw new DisclosureError("payload_too_large", `the body has more than ${maxValues} values`);
  }
}

/** Parses a value by its schema. Throws `invalid_request` with every wrong field. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value, PLAIN_ERRORS);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => fieldErrorsOf(issue, value));
  throw new DisclosureError("invalid_request", `the request is not as it must be; ${listOf(errors)}`, {
    errors,
  });
}

const listOf = ({ length }: readonly FieldError[]): string =>
  length > MAX_LISTED_ERRORS ? `errors lists the first ${MAX_LISTED_ERRORS} of ${length}` : "see errors";

function fieldErrorsOf(issue: z.core.$ZodIssue, value: unknown): FieldError[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      pointer: formatPointer([...issue.path, key]),
      detail: "is not a field of this request",
    }));
  }
  const detail = valueAt(value, issue.path) === undefined ? "is required" : issue.message;
  return [{ pointer: formatPointer(issue.path), detail }];
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((inner, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part], value);

/** RFC 6901 section 6: a JSON pointer as a URI fragment. */
function formatPointer(path: readonly PropertyKey[]): string {
  const tokens = path.map((part) => cutName(String(part)).replaceAll("~", "~0").replaceAll("/", "~1"));
  return `#${tokens.map((token) => `/${encodeURIComponent(token)}`).join("")}`;
}

/** Well-formed even if the cut splits a surrogate pair: encodeURIComponent throws on half of one. */
const cutName = (name: string): string => name.slice(0, MAX_NAME_LENGTH).toWellFormed();
