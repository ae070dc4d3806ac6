// Damage to JSON that nobody thought of: members and elements exchanged, lost, added, moved, and changed by a little.
import fc from "fast-check";

const NODE = `0x${"0".repeat(64)}`;
const DIGEST = `sha256:${"0".repeat(64)}`;
const MOST_DAMAGES = 3;

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Place = readonly [parent: Json[] | { [name: string]: Json }, name: string];

/** Every member and element, outermost first. */
function placesIn(value: Json): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([, member]) => placesIn(member));
  return [...Object.keys(value).map((name): Place => [value, name]), ...inside];
}

const get = ([parent, name]: Place): Json => (parent as { [name: string]: Json })[name] ?? null;
const set = ([parent, name]: Place, value: Json): void => void Object.assign(parent, { [name]: value });

function remove([parent, name]: Place): void {
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
}

const anyValue = fc.oneof(
  fc.constantFrom<Json[]>(
    null,
    true,
    0,
    1,
    -1,
    0.5,
    2 ** 53 - 1,
    "",
    "1",
    [],
    {},
    NODE,
    DIGEST,
    "AAAA",
    "AAB=",
  ),
  fc.constantFrom<Json[]>("2026-11-21", "2030-01-01T00:00:00.000Z", "pending", "included", ["x"], [null], {
    a: 1,
  }),
  fc.string({ maxLength: 8 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
);

type Damage = (places: readonly Place[]) => void;
const at = (places: readonly Place[], where: number): Place =>
  places[Math.floor(where * places.length)] ?? [{}, ""];
const STEPS = 2 ** 20;
/** Without bias, for a bias to small numbers would damage the first member nearly always. */
const anywhere = fc.noBias(fc.integer({ min: 0, max: STEPS - 1 }).map((step) => step / STEPS));

/** One character of a text, or one step of a number, or another value altogether. */
function nudge(place: Place, where: number, character: string): void {
  const value = get(place);
  if (typeof value === "number") set(place, value + (where < 0.5 ? 1 : -1));
  if (typeof value !== "string") return;
  const index = Math.floor(where * value.length);
  set(place, value.slice(0, index) + character + value.slice(index + 1));
}

const anyDamage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(anywhere, anyValue).map(
    ([p, value]): Damage =>
      (all) =>
        set(at(all, p), value),
  ),
  fc.tuple(anywhere, anywhere).map(
    ([p, q]): Damage =>
      (all) =>
        set(at(all, p), structuredClone(get(at(all, q)))),
  ),
  anywhere.map(
    (p): Damage =>
      (all) =>
        remove(at(all, p)),
  ),
  fc.tuple(anywhere, anywhere, fc.constantFrom("0", "1", "f", "A", "a", "-", " ", "é", "")).map(
    ([p, q, character]): Damage =>
      (all) =>
        nudge(at(all, p), q, character),
  ),
  fc.tuple(anywhere, anyValue).map(
    ([p, value]): Damage =>
      (all) => {
        const [parent] = at(all, p);
        if (Array.isArray(parent)) parent.push(value);
        else set([parent, "unknown_member"], value);
      },
  ),
);

/** Up to three damages, one after the other, to a copy of the value. */
export const anyDamages: fc.Arbitrary<(value: Json) => Json> = fc
  .array(anyDamage, { minLength: 1, maxLength: MOST_DAMAGES })
  .map((damages) => (value: Json) => {
    const damaged = structuredClone(value);
    for (const damage of damages) damage(placesIn(damaged));
    return damaged;
  });
