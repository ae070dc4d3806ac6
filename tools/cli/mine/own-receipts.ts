// A tenant's own receipts beside the history of its chains: which places of the history are none of its own, and which of
// its own the history has not. Nobody else can tell: a receipt that an operator invents looks like any other.
import { equalBytes } from "../../../evidence/core/bytes.ts";
import {
  hashReceiptCore,
  shownReceiptSchema,
  withoutAuthentication,
} from "../../../evidence/core/formats/receipt.ts";
import type { ChainHistory } from "../../../evidence/core/log/chain-history.ts";
import { unreadable } from "../../../evidence/reader/unreadable.ts";

/** Places of a chain, from `from` up to but not including `to`. */
export interface PlacesOfChain {
  readonly chainId: string;
  readonly from: number;
  readonly to: number;
}

export interface OwnReceipt {
  readonly file: string;
  readonly eventId: string;
  readonly chainId: string;
  readonly sequence: number;
}

/** The places of a chain that are none of the tenant's own, in order, the first and the last of each run of them. */
export interface ForeignPlaces {
  readonly chainId: string;
  readonly count: number;
  readonly runs: readonly (readonly [first: number, last: number])[];
}

export interface OwnComparison {
  /** How many places were compared. */
  readonly compared: number;
  readonly foreign: readonly ForeignPlaces[];
  /** Own receipts at places that were compared, where the history has another leaf; and those of no chain of it. */
  readonly missing: readonly OwnReceipt[];
  /** Places that should be compared, behind the history's end. */
  readonly unreached: number;
  /** Own receipts behind the history's end. */
  readonly newer: number;
}

/** The chains of a history as far as they are compared, by id. */
export type LeavesOfChains = ReadonlyMap<string, Pick<ChainHistory, "size" | "leafHash">>;

interface Compared {
  readonly places: PlacesOfChain;
  /** Undefined for a chain that the history has not. */
  readonly history: Pick<ChainHistory, "size" | "leafHash"> | undefined;
  /** A byte for each place, from `from` on: 1 where an own receipt stands. */
  readonly own: Uint8Array;
}

export class OwnReceipts {
  readonly #compared: ReadonlyMap<string, Compared>;
  readonly #isWhole: boolean;
  readonly #missing: OwnReceipt[] = [];
  #newer = 0;

  /** Compares all places of all chains, or where only some are asked for, these and no receipt that stands elsewhere. */
  constructor(histories: LeavesOfChains, asked: readonly PlacesOfChain[] | null) {
    this.#isWhole = asked === null;
    const all = [...histories].map(([chainId, { size }]) => ({ chainId, from: 0, to: size }));
    this.#compared = new Map(
      (asked ?? all).map((places) => {
        const history = histories.get(places.chainId);
        const end = Math.min(places.to, history?.size ?? 0);
        const own = new Uint8Array(Math.max(0, end - places.from));
        return [places.chainId, { places, history, own }];
      }),
    );
  }

  /** Takes a receipt as it came. Throws `malformed` for what is none. */
  add(receipt: object, file: string): void {
    const { data: shown } = shownReceiptSchema.safeParse(receipt);
    if (shown === undefined) throw unreadable("malformed", "a receipt in it is not as the format says");
    const { chain_id: chainId, sequence, event_id: eventId } = shown;
    const found: OwnReceipt = { file, eventId, chainId, sequence };
    const compared = this.#compared.get(chainId);
    if (compared === undefined) {
      if (this.#isWhole) this.#missing.push(found);
      return;
    }
    const { places, history, own } = compared;
    if (!this.#isWhole && (sequence < places.from || sequence >= places.to)) return;
    const leafHash = history?.leafHash(sequence) ?? null;
    if (leafHash === null) this.#newer++;
    else if (equalBytes(leafHash, hashReceiptCore(withoutAuthentication(receipt))))
      own[sequence - places.from] = 1;
    else this.#missing.push(found);
  }

  compare(): OwnComparison {
    const all = [...this.#compared.values()];
    const asked = all.reduce((sum, { places: { from, to } }) => sum + Math.max(0, to - from), 0);
    const compared = all.reduce((sum, { own }) => sum + own.length, 0);
    return {
      compared,
      foreign: all.map(foreignIn).filter(({ count }) => count > 0),
      missing: this.#missing,
      unreached: asked - compared,
      newer: this.#newer,
    };
  }
}

function foreignIn({ places: { chainId, from }, own }: Compared): ForeignPlaces {
  const runs: [number, number][] = [];
  let count = 0;
  for (let first = own.indexOf(0); first !== -1; ) {
    const next = own.indexOf(1, first);
    const end = next === -1 ? own.length : next;
    runs.push([from + first, from + end - 1]);
    count += end - first;
    first = next === -1 ? -1 : own.indexOf(0, end);
  }
  return { chainId, count, runs };
}
