// The labels of a log's entries, and whether one occurs twice.
//
// A year of news every minute is 525,600 labels, and ten years are five million: a Set of strings would take some 120
// bytes for each. Here a label takes its 32 bytes in one array and 8 to 16 in a table of places (open addressing, at most
// half full). Labels are compared whole, so two that share a prefix are not taken for one.
import { DisclosureError } from "../errors.ts";
import { LABEL_BYTES } from "./entry.ts";

/** A seed has a word for each word of a label. */
export const SEED_WORDS = LABEL_BYTES / Uint32Array.BYTES_PER_ELEMENT;
const FIRST_CAPACITY = 1_024;
/** Slots for each label that there is room for: at most half of them are taken. */
const SLOTS_PER_LABEL = 2;
/** Places are 32 bits wide, and 0 stands for an empty slot. */
const MAX_LABELS = 2 ** 30;

export class LabelSet {
  /**
   * Multipliers of the table's hash. A log may choose its labels: with multipliers that it can't know, it can't choose
   * them so that all fall on one slot and a reader's walk takes for ever.
   */
  readonly #multipliers: Uint32Array;
  #labels = new Uint8Array(FIRST_CAPACITY * LABEL_BYTES);
  /** A label's place plus 1, or 0. */
  #slots = new Uint32Array(FIRST_CAPACITY * SLOTS_PER_LABEL);
  #size = 0;

  /** `seed` has SEED_WORDS random words. `labels`, one after the other, are in the set already, and each occurs once. */
  constructor(seed: Uint32Array, labels: Uint8Array = new Uint8Array()) {
    if (seed.length !== SEED_WORDS || labels.length % LABEL_BYTES !== 0) {
      throw new DisclosureError("malformed", "labels have 32 bytes, and a seed has eight words");
    }
    this.#multipliers = seed.map((word) => word | 1);
    this.#reserve(labels.length / LABEL_BYTES);
    for (let at = 0; at < labels.length; at += LABEL_BYTES) this.add(labels.subarray(at, at + LABEL_BYTES));
  }

  get size(): number {
    return this.#size;
  }

  /** The labels from this place on, in the order in which they came. */
  from(place: number): Uint8Array {
    return this.#labels.slice(place * LABEL_BYTES, this.#size * LABEL_BYTES);
  }

  /** Adds a label. Returns the place at which it came first, or null where it is new; it takes a place either way. */
  add(label: Uint8Array): number | null {
    if (label.length !== LABEL_BYTES) throw new DisclosureError("malformed", "a label has 32 bytes");
    this.#reserve(this.#size + 1);
    const place = this.#size++;
    this.#labels.set(label, place * LABEL_BYTES);
    return this.#insert(place);
  }

  /** Gives a place its slot, unless an equal label has one. */
  #insert(place: number): number | null {
    const mask = this.#slots.length - 1;
    for (let slot = this.#hash(place) & mask; ; slot = (slot + 1) & mask) {
      const taken = this.#slots[slot] ?? 0;
      if (taken === 0) {
        this.#slots[slot] = place + 1;
        return null;
      }
      if (this.#areEqual(taken - 1, place)) return taken - 1;
    }
  }

  #hash(place: number): number {
    const labels = this.#labels;
    let sum = 0;
    for (let word = 0, at = place * LABEL_BYTES; word < SEED_WORDS; word++, at += 4) {
      const value =
        (labels[at] ?? 0) |
        ((labels[at + 1] ?? 0) << 8) |
        ((labels[at + 2] ?? 0) << 16) |
        ((labels[at + 3] ?? 0) << 24);
      sum = Math.imul(sum ^ value, this.#multipliers[word] ?? 1);
      // The low bits of a product know nothing of the high ones, and the low ones are the slot.
      sum ^= sum >>> 15;
    }
    return sum;
  }

  #areEqual(a: number, b: number): boolean {
    for (let i = 0; i < LABEL_BYTES; i++) {
      if (this.#labels[a * LABEL_BYTES + i] !== this.#labels[b * LABEL_BYTES + i]) return false;
    }
    return true;
  }

  #reserve(size: number): void {
    let capacity = this.#labels.length / LABEL_BYTES;
    if (size <= capacity) return;
    if (size > MAX_LABELS)
      throw new DisclosureError("payload_too_large", "the log has too many entries", { size });
    while (capacity < size) capacity *= 2;
    const labels = new Uint8Array(capacity * LABEL_BYTES);
    labels.set(this.#labels);
    this.#labels = labels;
    this.#slots = new Uint32Array(capacity * SLOTS_PER_LABEL);
    for (let place = 0; place < this.#size; place++) this.#insert(place);
  }
}
