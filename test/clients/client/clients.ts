// Clients of one test.
import { inspect } from "node:util";
import { expect } from "vitest";
import {
  ClientError,
  type ClientErrorCode,
  type ClientOptions,
  DisclosureClient,
} from "../../../clients/client/index.ts";
import { serve, type Trick } from "./service.ts";

export const API_KEY = "dr_live_test_Xy7secretXy7";
/** A port that no service has: only a privileged program could. */
export const NOBODY = { url: "http://127.0.0.1:2" };

export const clientOf = ({ url }: { url: string }, options: Partial<ClientOptions> = {}): DisclosureClient =>
  new DisclosureClient({ baseUrl: url, apiKey: API_KEY, ...options });

export async function start(trick?: Trick, options?: Partial<ClientOptions>) {
  const served = await serve(trick);
  return { served, client: clientOf(served, options) };
}

/** The error of a promise that must reject with this code. */
export async function failure(promise: Promise<unknown>, code: ClientErrorCode): Promise<ClientError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ClientError)) throw new Error(`no ClientError: ${inspect(error)}`);
  expect(error).toMatchObject({ name: "ClientError", code });
  return error;
}
