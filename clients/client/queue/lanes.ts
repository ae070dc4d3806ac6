// Lanes take turns: one member of a lane at a time, in the order in which they were added.

export class Lanes<T> {
  readonly #lanes = new Map<string, T[]>();
  /** Lanes that have members, and none that is out. */
  readonly #ready: string[] = [];

  add(lane: string, member: T): void {
    const members = this.#lanes.get(lane);
    if (members !== undefined) {
      members.push(member);
      return;
    }
    this.#lanes.set(lane, [member]);
    this.#ready.push(lane);
  }

  /** The first member of the lane that waits longest; its lane rests until `done` or `again`. */
  next(): { readonly lane: string; readonly member: T } | null {
    const lane = this.#ready.shift();
    const member = lane === undefined ? undefined : this.#lanes.get(lane)?.[0];
    return lane === undefined || member === undefined ? null : { lane, member };
  }

  /** The member that was out leaves its lane. */
  done(lane: string): void {
    const members = this.#lanes.get(lane);
    members?.shift();
    if (members?.length === 0) this.#lanes.delete(lane);
    else this.#ready.push(lane);
  }

  /** The member that was out goes first once more, after all other lanes had their turn. */
  again(lane: string): void {
    this.#ready.push(lane);
  }

  /** All members, lane by lane. */
  members(): T[] {
    return [...this.#lanes.values()].flat();
  }
}
