// Inflates the text of a stored core (RFC 1951). It has some thirty bytes, nearly always one block of fixed codes that
// repeats parts of the dictionary: zlib takes longer to begin such a text than this takes to read it. Whatever else comes
// is left to zlib, which alone says what is damaged.
import { isAscii } from "node:buffer";

/** The longest text that is read. */
export const MAX_TEXT_BYTES = 16_384;

/** The first three bits: the last block (1), with fixed codes (01). */
const LAST_FIXED_BLOCK = 0b011;
const BLOCK_HEADER_BITS = 3;
const END_OF_BLOCK = 256;
const FIRST_LENGTH = 257;
const LAST_LENGTH = 285;
/** A suffix is a time. */
const MAX_SUFFIX_BYTES = 64;
/** Codes of symbols have nine bits at most; those of distances have five. */
const SYMBOL_BITS = 9;
const DISTANCE_BITS = 5;

/** RFC 1951 section 3.2.5: the shortest length of each symbol from 257 on, and the bits that are added to it. */
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
/** The same for distances, within the window of 4 KB that cores are written with. */
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1_025, 1_537, 2_049, 3_073,
];
const DISTANCE_EXTRA_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10];

/** RFC 1951 section 3.2.6, in ranges: the first symbol, the first code, and the bits of the codes. */
const FIXED_CODES = [
  [0, 0b0011_0000, 8],
  [144, 0b1_1001_0000, 9],
  [256, 0b000_0000, 7],
  [280, 0b1100_0000, 8],
] as const;
const SYMBOLS = 288;
/** A symbol and the length of its code, by the next nine bits as they are read. */
const LENGTH_SHIFT = 9;
const SYMBOL_MASK = 2 ** LENGTH_SHIFT - 1;
const SYMBOL_TABLE = symbolTable();
const DISTANCE_TABLE = Uint8Array.from({ length: 2 ** DISTANCE_BITS }, (_, code) =>
  reversed(code, DISTANCE_BITS),
);

function symbolTable(): Uint16Array {
  const table = new Uint16Array(2 ** SYMBOL_BITS);
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const [first, code, bits] = FIXED_CODES.findLast(([from]) => from <= symbol) ?? FIXED_CODES[0];
    const start = reversed(code + symbol - first, bits);
    for (let at = start; at < table.length; at += 2 ** bits) table[at] = symbol | (bits << LENGTH_SHIFT);
  }
  return table;
}

/** Codes are packed with their highest bit first, all other numbers with their lowest. */
function reversed(code: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result |= ((code >> bit) & 1) << (bits - 1 - bit);
  return result;
}

/** Reads texts behind one dictionary. */
export class CoreInflater {
  readonly #window: Buffer;
  readonly #dictionaryBytes: number;

  /** `dictionary` is ASCII. */
  constructor(dictionary: Uint8Array) {
    this.#dictionaryBytes = dictionary.length;
    this.#window = Buffer.alloc(dictionary.length + MAX_SUFFIX_BYTES + MAX_TEXT_BYTES);
    this.#window.set(dictionary);
  }

  /**
   * The text of `bytes`, with `suffix` behind the dictionary. Null where it is not one block of fixed codes that ends
   * with the bytes, refers to nothing before the dictionary, and gives ASCII of no more than the longest text.
   */
  text(bytes: Uint8Array, suffix: string): string | null {
    const start = this.#dictionaryBytes + this.#window.write(suffix, this.#dictionaryBytes, "latin1");
    const end = inflate(bytes, this.#window, start);
    if (end === null || !isAscii(this.#window.subarray(start, end))) return null;
    return this.#window.toString("latin1", start, end);
  }
}

/** Where the text ends in `window`, which it is written to from `start` on; or null. */
function inflate(bytes: Uint8Array, window: Uint8Array, start: number): number | null {
  if ((peek(bytes, 0) & (2 ** BLOCK_HEADER_BITS - 1)) !== LAST_FIXED_BLOCK) return null;
  const [bits, most] = [8 * bytes.length, start + MAX_TEXT_BYTES];
  for (let [at, end] = [BLOCK_HEADER_BITS, start]; at < bits && end < most; ) {
    const found = SYMBOL_TABLE[peek(bytes, at) & (2 ** SYMBOL_BITS - 1)] ?? 0;
    const symbol = found & SYMBOL_MASK;
    at += found >> LENGTH_SHIFT;
    if (symbol < END_OF_BLOCK) window[end++] = symbol;
    else if (symbol === END_OF_BLOCK) return Math.ceil(at / 8) === bytes.length ? end : null;
    else if (symbol > LAST_LENGTH) return null;
    else {
      const lengthBits = LENGTH_BITS[symbol - FIRST_LENGTH] ?? 0;
      const length = (LENGTHS[symbol - FIRST_LENGTH] ?? 0) + (peek(bytes, at) & (2 ** lengthBits - 1));
      at += lengthBits;
      const place = DISTANCE_TABLE[peek(bytes, at) & (2 ** DISTANCE_BITS - 1)] ?? 0;
      at += DISTANCE_BITS;
      const extraBits = DISTANCE_EXTRA_BITS[place] ?? 0;
      const distance = (DISTANCES[place] ?? Infinity) + (peek(bytes, at) & (2 ** extraBits - 1));
      at += extraBits;
      if (distance > end || end + length > most) return null;
      copy(window, end, distance, length);
      end += length;
    }
  }
  return null;
}

/** The sixteen bits and more that follow, zeros behind the end: whoever reads too far does not end with the bytes. */
const peek = (bytes: Uint8Array, at: number): number => {
  const first = at >> 3;
  const next = (bytes[first] ?? 0) | ((bytes[first + 1] ?? 0) << 8) | ((bytes[first + 2] ?? 0) << 16);
  return next >> (at & 7);
};

/** The two parts may overlap: then the copied one repeats. */
function copy(window: Uint8Array, end: number, distance: number, length: number): void {
  if (distance >= length) window.copyWithin(end, end - distance, end - distance + length);
  else for (let i = end; i < end + length; i++) window[i] = window[i - distance] ?? 0;
}
