// Newer timestamps for evidence whose own can't carry it: it has none, or their certificates ran out.

import type { Renewal } from "../core/formats/renewal.ts";
import { findRenewal } from "../core/verify/find-renewal.ts";
import type { Examination, ExaminedSeal, Turn } from "./examine.ts";
import { openSeals } from "./origin.ts";
import { type AnchorChoice, anyAnchors } from "./trust.ts";

/** What a phone may be asked to load: some 10 KB a root. */
const MAX_STEPS = 300;

/** Empty where there is nothing to renew, no network, or nothing to be found. `now` is RFC 3339. */
export async function findRenewals(
  examination: Examination,
  choice: AnchorChoice,
  now: string,
): Promise<Renewal[]> {
  const indices = openRoots(examination);
  const reader = indices.length > 0 && isSecureContext ? await openSeals() : null;
  if (reader === null) return [];
  const quest = { trustAnchors: anyAnchors(choice), now, maxSteps: MAX_STEPS };
  const found: Renewal[] = [];
  for (const index of indices) {
    const renewal = await findRenewal(index, reader, quest);
    if (renewal !== null) found.push(renewal);
  }
  return found;
}

/** The published roots whose timestamp is open, by index. */
function openRoots({ turns, seals }: Examination): number[] {
  const ofTurns = turns
    .filter(isOpen)
    .map(({ evidence }) => evidence.merkle_proof.cross_tenant_proof?.seal_index);
  const ofSeals = seals.filter(isOpen).map(({ seal }) => seal.index);
  return [...new Set([...ofTurns, ...ofSeals])].filter((index) => index !== undefined);
}

/** A token that led to no certificate here is open too, but for want of a certificate: no newer one mends that. */
const isOpen = ({ checks, stamp }: Turn | ExaminedSeal): boolean =>
  checks.some(({ name, ok }) => name === "timestamp" && ok === null) &&
  (stamp === null || stamp.authority !== null);
