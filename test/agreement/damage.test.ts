// Damage that nobody thought of: evidence changed at random, and every verifier still says the same, check by check.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { answersTo, ask, everywhere, useClock } from "./everyone.ts";
import { evidenceRows, type Row } from "./rows.ts";

const CASES = 600;
/** Set it to see a failure again. */
const SEED = Number(process.env.DAMAGE_SEED ?? Date.now() % 2 ** 31);
const NODE = `0x${"0".repeat(64)}`;
const DIGEST = `sha256:${"0".repeat(64)}`;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Place = readonly [parent: Json[] | { [name: string]: Json }, name: string];

useClock();
const folder = mkdtempSync(join(tmpdir(), "disclosure-receipts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

const good = evidenceRows.filter(({ expected }) => expected.verdict.startsWith("holds"));
const anyRow = fc.tuple(fc.constantFrom(...good), fc.array(anyDamage, { minLength: 1, maxLength: 3 }));

function damaged([row, damages]: [Row, Damage[]], i: number): Row {
  const value = JSON.parse(readFileSync(row.file, "utf8")) as Json;
  for (const damage of damages) damage(placesIn(value));
  const file = join(folder, `${i}.json`);
  writeFileSync(file, JSON.stringify(value));
  // What is published would be looked up under the damaged number by one, and under the old one by another.
  return { ...row, file, published: {} };
}

test(`evidence that was damaged at random is judged alike (DAMAGE_SEED=${SEED})`, async () => {
  const rows = ask(fc.sample(anyRow, { seed: SEED, numRuns: CASES }).map(damaged));
  const verdicts = new Set<string>();
  for (const row of rows) {
    const answers = await answersTo(row);
    expect(answers, readFileSync(row.file, "utf8")).toEqual(everywhere(answers.commandLine));
    verdicts.add(answers.commandLine.verdict);
  }
  expect([...verdicts].filter((verdict) => verdict !== "holds").sort()).toEqual([
    "does_not_hold",
    "holds_so_far",
    "unreadable",
  ]);
});
