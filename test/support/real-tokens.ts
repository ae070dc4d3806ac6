// Real tokens for processes of tests: authorities that are honest by a clock, and a verifier with their certificates.
import { verifyTimestamp } from "../../evidence/core/timestamps/proven-time.ts";
import type { VerifySealToken } from "../../service/timestamps/ports.ts";
import { gatherFrom } from "../../service/timestamps/timestamp-gathering.ts";
import { stampFrom } from "../../service/timestamps/timestamps.ts";
import { readTokenTime } from "../../service/timestamps/token-time.ts";
import { AUTHORITIES, type TestProcessOptions } from "./test-process.ts";
import { anchorsOf, TsaNetwork } from "./tsa-network.ts";

/** A certificate that is made now must run out before 2050: pkijs writes no later times. */
export const REAL_START = Date.parse("2028-05-01T12:00:00.000Z");

export const verifierOf =
  (trustAnchors: readonly Uint8Array[]): VerifySealToken =>
  async (root, timestamp, notBefore) =>
    void (await verifyTimestamp(root, timestamp, notBefore, { trustAnchors }));

export interface RealTokens {
  readonly trustAnchors: readonly Uint8Array[];
  /** What a process needs that asks these authorities, and whose own clock is `clock`. */
  readonly optionsBy: (clock: () => Date) => TestProcessOptions;
}

/** Two authorities whose clock is `time`. */
export function realTokens(time: () => Date): RealTokens {
  const network = new TsaNetwork(time);
  const identities = AUTHORITIES.map((url) => {
    const identity = network.newIdentity();
    network.set(url, network.honest(identity));
    return identity;
  });
  const trustAnchors = anchorsOf(...identities);
  const common = { authorities: AUTHORITIES, trustAnchors, fetch: network.fetch, onFailure: () => {} };
  const optionsBy = (clock: () => Date): TestProcessOptions => ({
    clock,
    stamp: stampFrom({ ...common, clock }),
    gather: gatherFrom({ ...common, clock }, AUTHORITIES.length),
    verifySealToken: verifierOf(trustAnchors),
    readTokenTime,
  });
  return { trustAnchors, optionsBy };
}
