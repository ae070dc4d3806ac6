// How long an authority that failed is left alone, and who finds out that it has come back.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Circuit } from "../../../service/timestamps/timestamp-circuit.ts";

const SECOND = 1_000;
const LONGEST = 120 * SECOND;

/** A circuit on a clock that stands still until it is moved; `random` says where in the jitter each rest lies. */
function newCircuit(random = 0.5) {
  const clock = { now: 0 };
  return {
    clock,
    circuit: new Circuit(
      () => clock.now,
      () => random,
    ),
  };
}

/** How long the circuit stays shut from now on. */
function restOf({ clock, circuit }: ReturnType<typeof newCircuit>): number {
  const begun = clock.now;
  while (!circuit.isAvailable) clock.now += SECOND / 4;
  return clock.now - begun;
}

describe("an authority that", () => {
  test("never failed may be asked by any number of calls", () => {
    const { circuit } = newCircuit();
    expect([1, 2, 3].map(() => circuit.enter())).toEqual([true, true, true]);
    circuit.succeed();
    expect(circuit.enter()).toBe(true);
  });

  test("fails again and again rests twice as long each time, up to two minutes", () => {
    const world = newCircuit();
    const rests = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
      world.circuit.enter();
      world.circuit.fail();
      return restOf(world) / SECOND;
    });
    expect(rests).toEqual([5, 10, 20, 40, 80, 120, 120, 120]);
  });

  test("has rested is tried by one call alone, and by all once that one succeeded", () => {
    const world = newCircuit();
    world.circuit.fail();
    restOf(world);
    expect([1, 2, 3].map(() => world.circuit.enter())).toEqual([true, false, false]);
    world.circuit.succeed();
    expect([1, 2, 3].map(() => world.circuit.enter())).toEqual([true, true, true]);
    world.circuit.fail();
    expect(restOf(world)).toBe(5 * SECOND);
  });

  test("fails for several calls at once rests once", () => {
    const world = newCircuit();
    for (let call = 0; call < 5; call++) world.circuit.enter();
    for (let call = 0; call < 5; call++) world.circuit.fail();
    expect(restOf(world)).toBe(5 * SECOND);
  });

  test("rests for no longer than the jitter allows, and never not at all", () => {
    const arbitrary = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 1, max: 12 }),
    );
    fc.assert(
      fc.property(arbitrary, ([random, failures]) => {
        const world = newCircuit(random);
        let rest = 0;
        for (let i = 0; i < failures; i++) {
          world.circuit.enter();
          world.circuit.fail();
          rest = restOf(world);
        }
        const middle = Math.min(LONGEST, 5 * SECOND * 2 ** (failures - 1));
        return rest >= middle / 2 && rest <= middle * 1.5 + SECOND;
      }),
    );
  });
});
