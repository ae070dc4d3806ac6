// Changes to bytes that no author of a format thought of: turned bits, lost and doubled parts, parts of other samples,
// numbers at the edges. A mutant prints the sample that it comes from and its bytes, so a failure can be kept as a test.
import fc from "fast-check";

/** Bytes that a reader is to take, under a name that a failure prints. */
export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Changed bytes, and the sample that they were. */
export interface Mutant {
  readonly sample: Sample;
  readonly bytes: Uint8Array;
}

export const sampleOf = (name: string, content: Uint8Array | string): Sample => ({
  name,
  bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
});

const MOST_EDITS = 4;
const MOST_LOST_BYTES = 8;
/** Of a part that is taken from elsewhere, or repeated. */
const MOST_PART_BYTES = 200;
/** Work that grows faster than its input shows in some ten kilobytes more. */
const MOST_REPEATS = 60;
/** A place in bytes of any length, in steps of this fraction. */
const STEPS = 2 ** 20;

/** Numbers at which readers differ: signs, fractions, exponents, leading zeros, and both sides of 2^8 to 2^64. */
const EDGE_NUMBERS = [
  ...[
    "0",
    "-0",
    "-1",
    "00",
    "01",
    "1.0",
    "1.5",
    "1e0",
    "1E3",
    "1e400",
    "5e-324",
    "0x1",
    "+1",
    "9".repeat(400),
  ],
  ...[8, 16, 31, 32, 48, 53, 63, 64].flatMap((bits) =>
    [2n ** BigInt(bits) - 1n, 2n ** BigInt(bits)].map(String),
  ),
];
/** Parts of the text formats, and characters that two readers could understand differently. */
const WORDS = [
  ...[
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    '"__proto__":1,',
    '"a":1,"a":2,',
    "\\ud800",
    "\\u0000",
  ],
  ...[
    "\n",
    "\r\n",
    "\n\n",
    "\t",
    " ",
    "\u2014 ",
    "\u0000",
    "\u00a0",
    "\u2028",
    "\ufeff",
    "=",
    "==",
    "AAAA",
    "+",
    "sha256:",
  ],
  ...["index ", "extra ", "log ", "witness ", "group ", "quorum ", "-----BEGIN CERTIFICATE-----\n"],
].map((word) => new TextEncoder().encode(word));

type Edit = (bytes: Uint8Array, others: readonly Sample[]) => Uint8Array;

/** Without bias: one to small numbers would change the first bytes nearly always. */
const anywhere = fc.noBias(fc.integer({ min: 0, max: STEPS - 1 }).map((step) => step / STEPS));
const fewBytes = fc.uint8Array({ minLength: 1, maxLength: MOST_LOST_BYTES });

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(anywhere, fc.nat(7)).map(
    ([place, bit]): Edit =>
      (bytes) =>
        turnBit(bytes, at(bytes, place), bit),
  ),
  fc.tuple(anywhere, fewBytes).map(
    ([place, added]): Edit =>
      (bytes) =>
        spliced(bytes, at(bytes, place), 0, added),
  ),
  fc.tuple(anywhere, fewBytes).map(
    ([place, over]): Edit =>
      (bytes) =>
        spliced(bytes, at(bytes, place), over.length, over),
  ),
  fc.tuple(anywhere, fc.integer({ min: 1, max: MOST_LOST_BYTES })).map(
    ([place, lost]): Edit =>
      (bytes) =>
        spliced(bytes, at(bytes, place), lost),
  ),
  anywhere.map(
    (place): Edit =>
      (bytes) =>
        bytes.slice(0, at(bytes, place)),
  ),
  fc.tuple(anywhere, fc.constantFrom(...WORDS)).map(
    ([place, word]): Edit =>
      (bytes) =>
        spliced(bytes, at(bytes, place), 0, word),
  ),
  fc.tuple(anywhere, fc.constantFrom(...EDGE_NUMBERS)).map(
    ([place, number]): Edit =>
      (bytes) =>
        withNumber(bytes, at(bytes, place), number),
  ),
  fc.tuple(anywhere, anywhere).map(
    ([one, other]): Edit =>
      (bytes) =>
        swapLines(bytes, one, other),
  ),
  fc.tuple(anywhere, anywhere, fc.integer({ min: 1, max: MOST_REPEATS })).map(
    ([place, length, times]): Edit =>
      (bytes) =>
        repeated(bytes, at(bytes, place), Math.ceil(length * MOST_PART_BYTES), times),
  ),
  fc.tuple(anywhere, anywhere, anywhere, anywhere).map(
    ([place, from, length, which]): Edit =>
      (bytes, others) =>
        withPartOf(bytes, at(bytes, place), others[Math.floor(which * others.length)], from, length),
  ),
);

/** Mutants of these samples. */
export const mutantsOf = (samples: readonly Sample[]): fc.Arbitrary<Mutant> =>
  fc
    .tuple(fc.constantFrom(...samples), fc.array(anyEdit, { minLength: 1, maxLength: MOST_EDITS }))
    .map(([sample, edits]) =>
      printed(
        sample,
        edits.reduce((bytes, edit) => edit(bytes, samples), sample.bytes),
      ),
    );

/** Mutants, bytes of chance, and now and then the samples as they are. */
export const anyBytes = (samples: readonly Sample[]): fc.Arbitrary<Mutant> =>
  fc.oneof(
    { arbitrary: mutantsOf(samples), weight: 16 },
    {
      arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => printed(sampleOf("chance", bytes), bytes)),
      weight: 3,
    },
    { arbitrary: fc.constantFrom(...samples).map((sample) => printed(sample, sample.bytes)), weight: 1 },
  );

export const textOf = ({ bytes }: Pick<Mutant, "bytes">): string => new TextDecoder().decode(bytes);

function printed(sample: Sample, bytes: Uint8Array): Mutant {
  const print = () => `${sample.name}, changed to (base64) ${Buffer.from(bytes).toString("base64")}`;
  return { sample, bytes, [fc.toStringMethod]: print } as Mutant;
}

const at = ({ length }: Uint8Array, place: number): number => Math.floor(place * (length + 1));

const turnBit = (bytes: Uint8Array, index: number, bit: number): Uint8Array =>
  bytes.map((byte, i) => (i === index ? byte ^ (1 << bit) : byte));

const spliced = (bytes: Uint8Array, start: number, lost: number, added: Uint8Array = new Uint8Array()) =>
  new Uint8Array(Buffer.concat([bytes.subarray(0, start), added, bytes.subarray(start + lost)]));

/** A part stands so many times, one after the other. */
function repeated(bytes: Uint8Array, start: number, length: number, times: number): Uint8Array {
  const part = bytes.subarray(start, start + length);
  return spliced(bytes, start, 0, new Uint8Array(Buffer.concat(Array(times).fill(part))));
}

/** The next decimal number in a text becomes this one; where there is none, the number is put in. */
function withNumber(bytes: Uint8Array, start: number, number: string): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1");
  const [, before = "", digits = ""] = /^([^0-9]*)(\d*)/.exec(text.slice(start)) ?? [];
  return spliced(
    bytes,
    start + (digits === "" ? 0 : before.length),
    digits.length,
    new TextEncoder().encode(number),
  );
}

function swapLines(bytes: Uint8Array, one: number, other: number): Uint8Array {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  const [a, b] = [Math.floor(one * lines.length), Math.floor(other * lines.length)];
  [lines[a], lines[b]] = [lines[b] ?? "", lines[a] ?? ""];
  return new Uint8Array(Buffer.from(lines.join("\n"), "latin1"));
}

/** A part of another sample stands over as many bytes of this one, or goes between them. */
function withPartOf(
  bytes: Uint8Array,
  start: number,
  other: Sample | undefined,
  from: number,
  length: number,
) {
  const first = Math.floor(from * (other?.bytes.length ?? 0));
  const part = other?.bytes.subarray(first, first + Math.ceil(length * MOST_PART_BYTES)) ?? new Uint8Array();
  return spliced(bytes, start, length < 0.5 ? part.length : 0, part);
}
