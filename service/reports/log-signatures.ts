// The log's signatures over a published root, which a report carries: the checkpoint of its seal, and the COSE signature.
// Both come a moment after their seal and never change. A report never fails, and hardly waits, for want of them.
import { BoundedMap } from "../../evidence/core/bounded-map.ts";
import { formatBase64 } from "../../evidence/core/bytes.ts";
import { logCheckpointSchema, logSignedRootSchema } from "../../evidence/core/formats/metachain.ts";
import { sealCheckpoint, sealSignedRoot } from "../../evidence/core/log/log-paths.ts";
import type { PublishedRoots } from "../seals/published-roots.ts";

/** The seals of some hours: reports are mostly asked for soon after their seal. */
const REMEMBERED_SEALS = 500;
/** The longest that a report waits for both. */
const WAIT_MS = 700;

/** The members of a report; null where the seal has none, or none could be read. */
export interface LogSignatures {
  readonly log_checkpoint: string | null;
  readonly log_signed_root: string | null;
}

/** Never throws. */
export type ReadLogSignatures = (sealIndex: number) => Promise<LogSignatures>;

export interface LogSignatureServices {
  readonly roots: Pick<PublishedRoots, "logFile">;
  /** Called where they could not be read: the report goes on without them. */
  readonly onFault: (error: unknown) => void;
}

const NONE: LogSignatures = { log_checkpoint: null, log_signed_root: null };

/** A process remembers those that it found; a seal that lacks one is asked for again, since it may come yet. */
export function readLogSignatures({ roots, onFault }: LogSignatureServices): ReadLogSignatures {
  const known = new BoundedMap<number, LogSignatures>(REMEMBERED_SEALS);
  const read = async (sealIndex: number): Promise<LogSignatures> => {
    const [checkpoint, signedRoot] = await Promise.all([
      roots.logFile(sealCheckpoint(sealIndex)),
      roots.logFile(sealSignedRoot(sealIndex)),
    ]);
    const found = {
      log_checkpoint: checkpoint && logCheckpointSchema.parse(new TextDecoder().decode(checkpoint)),
      log_signed_root: signedRoot && logSignedRootSchema.parse(formatBase64(signedRoot)),
    };
    if (!Object.values(found).includes(null)) known.set(sealIndex, found);
    return found;
  };
  return async (sealIndex) => {
    const remembered = known.get(sealIndex);
    if (remembered !== undefined) return remembered;
    // A signature that comes too late is remembered for the next report.
    const reading = read(sealIndex).catch((error: unknown) => {
      onFault(error);
      return NONE;
    });
    return within(WAIT_MS, reading);
  };
}

async function within(milliseconds: number, reading: Promise<LogSignatures>): Promise<LogSignatures> {
  const end = Promise.withResolvers<LogSignatures>();
  const timer = setTimeout(end.resolve, milliseconds, NONE);
  const read = await Promise.race([reading, end.promise]);
  clearTimeout(timer);
  return read;
}
