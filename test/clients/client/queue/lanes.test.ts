import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Lanes } from "../../../../clients/client/queue/lanes.ts";

test("a lane has one member out at a time, in the order they came", () => {
  const lanes = new Lanes<number>();
  for (const member of [1, 2]) lanes.add("a", member);
  expect(lanes.next()).toEqual({ lane: "a", member: 1 });
  expect(lanes.next()).toBeNull();
  lanes.done("a");
  expect(lanes.next()).toEqual({ lane: "a", member: 2 });
  lanes.done("a");
  expect([lanes.next(), lanes.members()]).toEqual([null, []]);
});

test("lanes take turns, and what goes again lets the others go first", () => {
  const lanes = new Lanes<string>();
  for (const member of ["a1", "b1", "a2", "c1"]) lanes.add(member.charAt(0), member);
  const out: (string | undefined)[] = [];
  for (const isAgain of [true, false, false, false, false]) {
    const next = lanes.next();
    out.push(next?.member);
    if (isAgain) lanes.again(next?.lane ?? "");
    else lanes.done(next?.lane ?? "");
  }
  expect(out).toEqual(["a1", "b1", "c1", "a1", "a2"]);
});

test("whatever comes in and goes again, every member leaves once and each lane's in order", () => {
  const step = fc.record({ lane: fc.constantFrom("a", "b", "c"), isAgain: fc.boolean(), sends: fc.nat(2) });
  const check = (steps: { lane: string; isAgain: boolean; sends: number }[]) => {
    const lanes = new Lanes<number>();
    const [added, left] = [new Map<string, number[]>(), new Map<string, number[]>()];
    const send = (isAgain: boolean): boolean => {
      const next = lanes.next();
      if (next === null) return false;
      if (isAgain) lanes.again(next.lane);
      else {
        lanes.done(next.lane);
        left.set(next.lane, [...(left.get(next.lane) ?? []), next.member]);
      }
      return true;
    };
    for (const [i, { lane, isAgain, sends }] of steps.entries()) {
      lanes.add(lane, i);
      added.set(lane, [...(added.get(lane) ?? []), i]);
      for (let n = 0; n < sends; n++) send(isAgain);
    }
    while (send(false));
    expect(new Map([...left].sort())).toEqual(new Map([...added].sort()));
  };
  fc.assert(fc.property(fc.array(step), check));
});
