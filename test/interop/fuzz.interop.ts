import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDisclosureError } from "../../core/errors.ts";
import { type VerifiedTimestamp, verifyTimestampToken } from "../../core/timestamps/timestamp-token.ts";
import { type DerValue, parseDer } from "../../core/timestamps/x509/der.ts";
import { type TimestampVector, tokenVectors } from "../support/timestamp-vectors.ts";
import { tlv } from "../vectors/timestamps/der-writer.ts";

const RUNS = Number(process.env.FUZZ_RUNS ?? 10_000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
/** A hundred times what the slowest token takes, of this thread's processor time. */
const MAX_CPU_MICROSECONDS = 1_000_000;
/** A busy machine or a collection of garbage is slow once; a token that makes the parser slow is slow each time. */
const MAX_READINGS = 5;
const RUN_MS = 600_000;

const readable = tokenVectors.filter(({ expected }) => expected !== "encoding");
const values = readable.flatMap(({ bytes }) => valuesIn(parseDer(bytes)));
/** Everything that an honest token of the corpus proves: nothing else may ever be proved. */
const proved = new Set(
  (await Promise.all(tokenVectors.filter(({ expected }) => expected === "accepted").map(verdictOn))).filter(
    Boolean,
  ),
);

describe(`fuzzed tokens (FUZZ_SEED=${SEED}, FUZZ_RUNS=${RUNS})`, () => {
  const token = fc.constantFrom(...readable);

  test(
    "with changed, lost and added bytes are refused, or prove what an honest token proves",
    async () => {
      const edit = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.uint8Array({ maxLength: 4 }));
      const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
      const property = fc.asyncProperty(token, edits, async (vector, all) => {
        const bytes = all.reduce((rest, [at, lost, added]) => splice(rest, at, lost, added), vector.bytes);
        await expectNothingNew({ ...vector, bytes });
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    },
    RUN_MS,
  );

  test(
    "with values exchanged for others of any token, in good DER, are refused, or prove nothing new",
    async () => {
      const swap = fc.tuple(fc.nat(), fc.nat());
      const property = fc.asyncProperty(
        token,
        fc.array(swap, { minLength: 1, maxLength: 3 }),
        async (vector, swaps) => {
          const bytes = swaps.reduce((rest, [at, other]) => exchange(rest, at, other), vector.bytes);
          await expectNothingNew({ ...vector, bytes });
        },
      );
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    },
    RUN_MS,
  );

  test(
    "that are no token at all are refused",
    async () => {
      const property = fc.asyncProperty(token, fc.uint8Array({ maxLength: 300 }), async (vector, bytes) => {
        await expectNothingNew({ ...vector, bytes });
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    },
    RUN_MS,
  );
});

async function expectNothingNew(vector: TimestampVector): Promise<void> {
  for (let reading = 1; reading <= MAX_READINGS; reading++) {
    const start = process.threadCpuUsage();
    const verdict = await verdictOn(vector);
    const { user, system } = process.threadCpuUsage(start);
    if (verdict !== null) expect(proved).toContain(verdict);
    if (user + system < MAX_CPU_MICROSECONDS) return;
  }
  expect.fail(`each of ${MAX_READINGS} readings took more than ${MAX_CPU_MICROSECONDS} microseconds`);
}

/** What a token proves, in words that tell every two statements apart; null for a refusal. */
async function verdictOn({ bytes, rootBytes, anchors }: TimestampVector): Promise<string | null> {
  try {
    return describeProof(await verifyTimestampToken(bytes, rootBytes, anchors));
  } catch (error) {
    if (isDisclosureError(error, "token_invalid")) return null;
    throw error;
  }
}

function describeProof({
  messageImprint,
  genTime,
  serialNumber,
  policy,
  authority,
}: VerifiedTimestamp): string {
  return JSON.stringify([messageImprint, genTime, serialNumber, policy, authority]);
}

const splice = (bytes: Uint8Array, at: number, lost: number, added: Uint8Array): Uint8Array => {
  const start = at % (bytes.length + 1);
  return new Uint8Array([...bytes.subarray(0, start), ...added, ...bytes.subarray(start + lost)]);
};

function valuesIn(value: DerValue): DerValue[] {
  return [value, ...value.children.flatMap(valuesIn)];
}

/** The token with its value number `at` exchanged for value number `other` of all, and the lengths around it right. */
function exchange(bytes: Uint8Array, at: number, other: number): Uint8Array {
  // An earlier exchange may have left a SET out of order: then that is what is tried.
  if (!isDer(bytes)) return bytes;
  const tree = parseDer(bytes);
  const all = valuesIn(tree);
  const [target, replacement] = [all[at % all.length], values[other % values.length]];
  const write = (value: DerValue): Uint8Array => {
    if (value === target) return replacement?.bytes ?? value.bytes;
    return value.children.length === 0 ? value.bytes : tlv(value.tag, ...value.children.map(write));
  };
  return write(tree);
}

function isDer(bytes: Uint8Array): boolean {
  try {
    parseDer(bytes);
    return true;
  } catch {
    return false;
  }
}
