// Every adapter's entry of the package gives this besides the adapter itself.
export { Disclosure } from "./core.ts";
export type { DisclosureOptions, Missed, Recorded } from "./disclosure-options.ts";
export { type MissedReason, Playback, type PlayedDetails } from "./playback.ts";
export type { RegisteredText, Statement, WordingChoice, Wordings } from "./statements.ts";
