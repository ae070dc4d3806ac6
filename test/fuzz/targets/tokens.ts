// Timestamp tokens (DER, CMS, X.509): a changed one is refused, or proves what an honest token proves.
import fc from "fast-check";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import {
  type VerifiedTimestamp,
  verifyTimestampToken,
} from "../../../evidence/core/timestamps/timestamp-token.ts";
import { parseCertificate } from "../../../evidence/core/timestamps/x509/certificate.ts";
import { type DerValue, parseDer } from "../../../evidence/core/timestamps/x509/der.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { type TimestampVector, tokenVectors } from "../../support/timestamp-vectors.ts";
import { tlv } from "../../vectors/timestamps/der-writer.ts";
import { anyBytes, type Mutant, sampleOf, textOf } from "../mutations.ts";
import { refusedOr, target } from "../target.ts";

const readable = tokenVectors.filter(({ expected }) => !expected.endsWith("encoding"));
const values = readable.flatMap(({ bytes }) => valuesIn(parseDer(bytes)));
const samples = readable.map(({ file, bytes }) => sampleOf(file, bytes));
const vectorOf = (file: string): TimestampVector | undefined =>
  readable.find((vector) => vector.file === file);
/** Everything that an honest token of the corpus proves: nothing else may ever be proved. */
const proved = new Set(
  (await Promise.all(tokenVectors.filter(({ expected }) => expected === "accepted").map(verdictOn))).filter(
    Boolean,
  ),
);

async function provesNothingNew(vector: TimestampVector): Promise<boolean> {
  const verdict = await verdictOn(vector);
  return verdict === null || proved.has(verdict);
}

/** What a token proves, in words that tell every two statements apart; null for a refusal. */
async function verdictOn({ bytes, rootBytes, anchors }: TimestampVector): Promise<string | null> {
  try {
    return describeProof(await verifyTimestampToken(bytes, rootBytes, anchors));
  } catch (error) {
    if (isDisclosureError(error, "token_invalid") || isDisclosureError(error, "token_open")) return null;
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

const sizeOf = ({ bytes }: Mutant): number => bytes.length;

export const tokenTarget = target({
  name: "token",
  runs: 1_500,
  inputs: anyBytes(samples),
  sizeOf,
  holds: ({ sample, bytes }) => {
    const vector = vectorOf(sample.name) ?? readable[0];
    return vector === undefined || provesNothingNew({ ...vector, bytes });
  },
});

/** Tokens with values in the place of others, of any token. */
export const anyExchanged = fc
  .tuple(fc.constantFrom(...readable), fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }))
  .map(([vector, swaps]) => ({
    vector,
    bytes: swaps.reduce((rest, [at, other]) => exchange(rest, at, other), vector.bytes),
  }));

export const tokenPartsTarget = target({
  name: "token-parts",
  runs: 1_500,
  inputs: anyExchanged,
  sizeOf: ({ bytes }) => bytes.length,
  holds: ({ vector, bytes }) => provesNothingNew({ ...vector, bytes }),
});

export const derTarget = target({
  name: "der",
  runs: 2_000,
  inputs: anyBytes(samples),
  sizeOf,
  holds: ({ bytes }) => {
    const value = refusedOr(() => parseDer(bytes), "malformed", "token_open");
    return value === null || Buffer.from(written(value)).equals(bytes);
  },
});

const PEM = tokenVectors
  .slice(0, 1)
  .flatMap(({ anchors }) =>
    anchors.map(
      (der) =>
        `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    ),
  );

export const certificatesTarget = target({
  name: "certificates",
  runs: 1_500,
  inputs: anyBytes(PEM.map((pem) => sampleOf("pem", pem))),
  sizeOf,
  holds: (mutant) => {
    const ders = refusedOr(() => parseCertificatesPem(textOf(mutant)), "malformed") ?? [];
    for (const der of ders) refusedOr(() => parseCertificate(der), "malformed", "token_open");
    return true;
  },
});

function valuesIn(value: DerValue): DerValue[] {
  return [value, ...value.children.flatMap(valuesIn)];
}

/** A value as its parts are written again: DER has one form. */
const written = (value: DerValue): Uint8Array =>
  value.children.length === 0 ? value.bytes : tlv(value.tag, ...value.children.map(written));

/** The token with its value number `at` exchanged for value number `other` of all, and the lengths around it right. */
function exchange(bytes: Uint8Array, at: number, other: number): Uint8Array {
  // An earlier exchange may have left a SET out of order: then that is what is tried.
  const tree = refusedOr(() => parseDer(bytes), "malformed", "token_open");
  if (tree === null) return bytes;
  const all = valuesIn(tree);
  const [taken, replacement] = [all[at % all.length], values[other % values.length]];
  const write = (value: DerValue): Uint8Array => {
    if (value === taken) return replacement?.bytes ?? value.bytes;
    return value.children.length === 0 ? value.bytes : tlv(value.tag, ...value.children.map(write));
  };
  return write(tree);
}
