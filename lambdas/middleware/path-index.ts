// An index in a path. What is none names nothing that is there.
import type { APIGatewayProxyEvent } from "aws-lambda";

const INDEX = /^(?:0|[1-9]\d{0,15})$/;

/** A number from 0, or null. */
export function readPathIndex({ pathParameters }: APIGatewayProxyEvent, name: string): number | null {
  const text = pathParameters?.[name] ?? "";
  return INDEX.test(text) ? Number(text) : null;
}
