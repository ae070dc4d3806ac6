// A platform's report of a call, in the bridge's own terms. It is readable content: it lives as long as the
// message is being answered, and goes into no log, error or request.
import * as z from "zod";
import type { Platform } from "../../contract/bridge-settings.ts";

/** A platform's id of a call or of an agent. */
export const platformIdSchema = z
  .string()
  .min(1)
  .refine((id) => id.isWellFormed());

/** A part of what was spoken, and the moment at which it had been spoken. */
export interface SpokenPiece {
  readonly text: string;
  readonly endedAt: Date;
}

/** The words that an agent said without anybody else speaking in between. */
export interface AgentTurn {
  readonly pieces: readonly SpokenPiece[];
  /** The platform's id of the agent. */
  readonly agent: string;
  /** True where the platform says that the turn was cut off, but not where: nobody knows what was heard of it. */
  readonly isCutOff: boolean;
  /** The time that the turn took; null where the platform does not say. */
  readonly seconds: number | null;
}

export interface CallReport {
  readonly platform: Platform;
  readonly callId: string;
  /** True where the platform said this while the call was under way. */
  readonly isLive: boolean;
  /** True where another of the platform's messages is attested: this one only tells how many texts were missed. */
  readonly isOnlyCounted: boolean;
  /** The name of the part of the call that `turns` cover, the same in a repeated message; empty for the whole call. */
  readonly part: string;
  readonly turns: readonly AgentTurn[];
}

/** A message that can't be read, though the platform signed it: it says where, never what. */
export interface Unreadable {
  readonly unreadable: readonly string[];
}

/** Null for a message that says nothing of what was spoken. */
export type MessageReading = CallReport | Unreadable | null;

/** A reader of messages needs these besides the message. */
export interface ReadingContext {
  readonly now: Date;
  readonly vapi: "report" | "live";
}

/** The moment, or the present one where the platform's is missing or lies ahead. */
export const notAfter = (milliseconds: number | null | undefined, now: Date): Date =>
  milliseconds != null && milliseconds > 0 && milliseconds < now.getTime() ? new Date(milliseconds) : now;

/** The places of zod's issues, such as `call.transcript_object.3.words`. */
export const unreadable = (issues: readonly { readonly path: readonly PropertyKey[] }[]): Unreadable => ({
  unreadable: issues.map(({ path }) => path.join(".")),
});
