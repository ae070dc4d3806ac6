// The disclosure method that is attested of a statement: the one place where it is chosen.
import { REPORTED_METHOD } from "../contract/bridge-settings.ts";
import type { CallReport } from "./call-report.ts";
import type { SpokenStatement } from "./recognition.ts";

/** That of the registered text where the platform told while the call was under way. */
export const methodOf = ({ text }: SpokenStatement, { isLive }: Pick<CallReport, "isLive">): string =>
  isLive ? text.disclosure.disclosure_method : REPORTED_METHOD;
