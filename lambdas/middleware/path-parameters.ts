// Parameters in a path. A REST API of API Gateway passes them on as they were sent, percent-encoded: a client that
// follows RFC 3986 sends "call:1" as "call%3A1". A malformed parameter is a 404.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { DisclosureError } from "../../evidence/core/errors.ts";

const INDEX = /^(?:0|[1-9]\d{0,15})$/;

/** The decoded text. Throws `not_found` if it can't be decoded. */
export function readPathText({ pathParameters }: APIGatewayProxyEvent, name: string): string {
  try {
    return decodeURIComponent(pathParameters?.[name] ?? "");
  } catch (error) {
    throw new DisclosureError("not_found", "there is nothing under this path", {}, error);
  }
}

/** A number from 0, or null. */
export function readPathIndex(event: APIGatewayProxyEvent, name: string): number | null {
  const text = readPathText(event, name);
  return INDEX.test(text) ? Number(text) : null;
}
