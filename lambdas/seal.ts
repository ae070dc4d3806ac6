// The scheduled sealer. A failed run loses nothing: the next one finishes its work.
import { SEAL_RUN_SECONDS } from "../contract/limits.ts";
import { SECOND_MS } from "../contract/time.ts";
import type { Seal } from "../evidence/core/formats/metachain.ts";
import { policyLayers } from "../evidence/policy/index.ts";
import { FaultEvents } from "../service/events/fault-events.ts";
import { describeSealPublished } from "../service/events/seal-events.ts";
import { describeError, logger } from "../service/logger.ts";
import { openMacs, openSealTokenVerifier, openTable, openTokens } from "../service/opening/connections.ts";
import { openEvents } from "../service/opening/events.ts";
import { openLayers } from "../service/opening/layers.ts";
import { openLog } from "../service/opening/log-key.ts";
import { openRoots } from "../service/opening/roots.ts";
import { openWitnesses } from "../service/opening/witnesses.ts";
import { PolicyPublication } from "../service/policy/policy-publication.ts";
import { ChainWatch } from "../service/sealing/chain-watch.ts";
import { KnownHeads } from "../service/sealing/known-heads.ts";
import { PublishedEntries } from "../service/sealing/published-entries.ts";
import { meterSealer } from "../service/sealing/seal-metering.ts";
import { runSealer, type SealRun } from "../service/sealing/sealer.ts";
import { SealRecords } from "../service/seals/seal-records.ts";
import { logAuthorityFailure } from "./middleware/authority-log.ts";
import { logEventFailure } from "./middleware/event-log.ts";
import { meter as count, measured } from "./middleware/metrics.ts";
import { logWitnessFailure } from "./middleware/witness-log.ts";

const table = openTable();
const send = openEvents(count, logEventFailure);
const faults = new FaultEvents(count, send);
const { meter } = faults;
const roots = openRoots();
const heads = new KnownHeads();
const macs = openMacs(table);
const publishedEntries = new PublishedEntries(table, roots);
const services = {
  table,
  seals: new SealRecords(table),
  roots,
  policy: new PolicyPublication({
    table,
    files: roots.files,
    layers: openLayers(policyLayers),
    clock: table.clock,
    meter,
    onFailure: (what: string, error: unknown) =>
      logger.error("a part of the wording policy was not published", {
        part: what,
        failure: describeError(error),
      }),
  }),
  gather: openTokens(table, logAuthorityFailure),
  verifySealToken: openSealTokenVerifier(),
  log: openLog(),
  witnesses: openWitnesses({ clock: table.clock, meter, onFailure: logWitnessFailure }),
  heads,
  publishedEntries,
  watch: new ChainWatch({
    table,
    heads,
    publishedEntries,
    macs,
    onDamagedTenant: (error: unknown) =>
      logger.error("the chains of a tenant can't be looked at", { failure: describeError(error) }),
  }),
  macs,
  clock: table.clock,
  meter,
  announce: (seal: Seal) => send("SealPublished", describeSealPublished(seal)),
  onDisbelief: (item: string, facts: object) =>
    logger.warn("an item of the table was not believed", { item, ...facts }),
  onCheckpointFailure: (error: unknown) =>
    logger.error("no checkpoint was published", { failure: describeError(error) }),
};

/** Lambda says how much time a call has left. The local stack says nothing, and its next call goes on. */
interface CallContext {
  readonly getRemainingTimeInMillis: () => number;
}

export const handler = measured(
  async (_event?: unknown, context?: CallContext): Promise<SealRun["outcome"]> => {
    const hasTime = (): boolean => (context?.getRemainingTimeInMillis() ?? 0) >= SEAL_RUN_SECONDS * SECOND_MS;
    try {
      const { outcome, chains, isCutOff, published } = await meterSealer(services, () =>
        runSealer(services, hasTime),
      );
      logger.info("sealed", { outcome, chains, isCutOff, seals: published.map(describeSeal) });
      return outcome;
    } catch (error) {
      logger.error("the sealer failed", { failure: describeError(error) });
      throw error;
    } finally {
      await faults.settled();
    }
  },
);

const describeSeal = ({ index, receipt_count, tsa_timestamp, additional_timestamps }: Seal) => ({
  index,
  receipt_count,
  tsa_urls: [tsa_timestamp, ...additional_timestamps].flatMap(({ tsa_url }) => tsa_url ?? []),
});
