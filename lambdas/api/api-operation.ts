// One call in the OpenAPI description, and the answers and problems that many calls share.
import type * as z from "zod";
import { PROBLEMS, type ProblemKind } from "../../contract/problem-kinds.ts";
import type * as parameters from "./parameters.ts";

export type Tag = "Attestation" | "Reports" | "Verification" | "Metachain" | "Wording policy" | "Service";

export interface Content {
  readonly type: string;
  /** Left out for what is no JSON. */
  readonly schema?: z.ZodType;
  readonly example?: unknown;
}

export interface ApiOperation {
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly parameters.Parameter[];
  readonly body?: Content;
  readonly answer: Content;
  /** Headers of the answer beyond Content-Type and Cache-Control, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly problems: readonly ProblemKind[];
}

export const json = (schema: z.ZodType, example: unknown): Content => ({
  type: "application/json",
  schema,
  example,
});
export const text = (type: string, example: string): Content => ({ type, example });

const { badRequest, invalidRequest, payloadTooLarge, unsupportedMediaType } = PROBLEMS;
const { unauthorized, forbidden, tooManyRequests, internal, unavailable } = PROBLEMS;
export const PUBLIC = [tooManyRequests, internal, unavailable];
export const KEYED = [unauthorized, forbidden, ...PUBLIC];
export const BODY = [badRequest, payloadTooLarge, unsupportedMediaType, invalidRequest];
