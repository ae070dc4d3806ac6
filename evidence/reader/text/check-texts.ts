// The words of the checks, in each language: the name of each, and what it means that it held, failed or was not made.
import type { CheckName } from "../../core/verify/check-names.ts";

export interface CheckText {
  readonly name: string;
  readonly holds: string;
  readonly broken: string;
  readonly open: string;
}

export type CheckTexts = Readonly<Record<CheckName, CheckText>>;
