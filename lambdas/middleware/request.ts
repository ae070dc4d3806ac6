// Reads what API Gateway sends: untrusted until it has passed through here.
import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { type JsonValue, parseJson } from "../../core/canonical-json.ts";
import { DisclosureError } from "../../core/errors.ts";
import type { Caller, Scope } from "../../service/tenants/tenants.ts";
import type { FieldError } from "../problem.ts";

/** A parameter's value may be quoted (RFC 9110 section 8.3.1). */
const JSON_TYPE = /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?$/i;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
/** Longer names of unknown fields are cut in the answer. */
const MAX_NAME_LENGTH = 100;

/** What the authorizer put into the request context; API Gateway passes on texts only. */
const callerSchema = z.object({
  tenantId: z.string().min(1),
  keyId: z.string().min(1),
  plan: z.string(),
  scopes: z.string().transform((text) => text.split(" ")),
  chainIds: z
    .string()
    .min(1)
    .transform((text) => text.split(" ")),
  // An authorizer of an older version says nothing of it.
  inlineStampsPerMinute: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .nullable()
    .default(null),
});

/** The caller's side of `readCaller`: the authorizer context as API Gateway takes it. */
export const formatCaller = (caller: Caller) => ({
  tenantId: caller.tenantId,
  keyId: caller.keyId,
  plan: caller.plan,
  scopes: caller.scopes.join(" "),
  chainIds: caller.chainIds.join(" "),
  ...(caller.inlineStampsPerMinute !== null && {
    inlineStampsPerMinute: String(caller.inlineStampsPerMinute),
  }),
});

/** Who calls. Throws `forbidden` where the key lacks `scope`. */
export function readCaller(event: APIGatewayProxyEvent, scope: Scope): Caller {
  const caller = callerSchema.parse(event.requestContext.authorizer);
  if (caller.scopes.includes(scope)) return caller;
  throw new DisclosureError("forbidden", `the API key lacks the scope "${scope}"`);
}

/** A header by its lower-case name; names arrive as the caller wrote them. */
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

/** The JSON body. Throws `unsupported_media_type`, `payload_too_large`, `not_json`. */
export function readBody(event: APIGatewayProxyEvent, maxBytes: number): JsonValue {
  if (!JSON_TYPE.test(readHeader(event, "content-type") ?? "")) {
    throw new DisclosureError("unsupported_media_type", "the Content-Type must be application/json");
  }
  const bytes = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  if (bytes.length > maxBytes) {
    throw new DisclosureError("payload_too_large", `the body is larger than ${maxBytes} bytes`);
  }
  return parseJson(bytes);
}

/** Reads a value by its schema. Throws `invalid_request` with every wrong field. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap((issue) => fieldErrorsOf(issue, value));
  throw new DisclosureError("invalid_request", "the request is not as it must be; see errors", { errors });
}

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

/** Well-formed, even if the cut falls into the middle of a character: encodeURIComponent throws on half a one. */
const cutName = (name: string): string => name.slice(0, MAX_NAME_LENGTH).toWellFormed();
