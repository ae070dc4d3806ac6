// Calls to services of the emulator that the project itself needs no SDK client for.
import { CREDENTIALS, REGION } from "./deployment.ts";

/** The emulator reads account, region and service from the scope that a request is signed for, and checks no more. */
const signedFor = (service: string): string =>
  `AWS4-HMAC-SHA256 Credential=${CREDENTIALS.accessKeyId}/20260101/${REGION}/${service}/aws4_request, SignedHeaders=host, Signature=none`;

/** A service with a REST interface; the answer's text. Throws where it is an error. */
export async function callService(
  endpoint: string,
  service: string,
  path: string,
  init: RequestInit = {},
): Promise<string> {
  const headers = { ...init.headers, authorization: signedFor(service) };
  const response = await fetch(endpoint + path, { ...init, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} answered ${response.status}: ${text}`);
  return text;
}

/** CloudWatch Logs. */
export async function callLogs<T>(endpoint: string, operation: string, input: object): Promise<T> {
  const headers = {
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": `Logs_20140328.${operation}`,
  };
  const init = { method: "POST", headers, body: JSON.stringify(input) };
  return JSON.parse(await callService(endpoint, "logs", "/", init));
}

export interface Schedule {
  readonly Name: string;
  readonly Description: string;
  readonly State: string;
  readonly ScheduleExpression: string;
  readonly Target: { readonly Arn: string };
}

/** The schedules of a stack. */
export async function schedulesOf(endpoint: string, stack: string): Promise<Schedule[]> {
  const list: { Schedules: Schedule[] } = JSON.parse(await callService(endpoint, "scheduler", "/schedules"));
  const names = list.Schedules.map(({ Name }) => Name).filter((name) => name.startsWith(`${stack}-`));
  return Promise.all(
    names.map(async (name) => JSON.parse(await callService(endpoint, "scheduler", `/schedules/${name}`))),
  );
}

/** Invokes what the stack's schedules invoke, as they would, but now. */
export async function runSchedules(endpoint: string, stack: string): Promise<void> {
  for (const { Target } of await schedulesOf(endpoint, stack)) {
    const path = `/2015-03-31/functions/${Target.Arn}/invocations`;
    await callService(endpoint, "lambda", path, { method: "POST", body: "{}" });
  }
}
