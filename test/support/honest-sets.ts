// Random sets of what was kept of an honest service, with what a reader may have beside it: nothing in them is false, so
// no program may call anything false.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { HonestWorld, Kept } from "./honest-world.ts";
import type { Chance } from "./random-choices.ts";

const MAX_FILES = 8;
const YEAR_MS = 365 * 24 * 3_600_000;
/** After the world's end: certificates run out. */
const LATER_MS = [0, YEAR_MS, 15 * YEAR_MS];

export interface HonestSet {
  readonly files: readonly Kept[];
  readonly requests: readonly Kept[];
  readonly anchors: readonly string[];
  readonly policy: string | null;
  readonly mirror: Kept | null;
  readonly isWalked: boolean;
  readonly history: Kept | null;
  /** Its fingerprint. */
  readonly tenant: string | null;
  readonly seals: readonly Kept[];
  /** The reader's clock. */
  readonly now: number;
}

const isTrue = ({ below }: Chance): boolean => below(2) === 0;
const oneOrNone = <T>(chance: Chance, list: readonly T[]): T | null =>
  list.length === 0 || chance.below(4) === 0 ? null : chance.pick(list);
const some = <T>(chance: Chance, list: readonly T[], max: number): readonly T[] =>
  list.length === 0
    ? []
    : [...new Set(Array.from({ length: chance.below(max + 1) }, () => chance.pick(list)))];

export function anySet(world: HonestWorld, chance: Chance): HonestSet {
  const reports = world.exports
    .map(({ path, tenant }) => ({ path: join(path, "reports"), tenant }))
    .filter(({ path }) => existsSync(path));
  const files = [
    chance.pick(world.evidence),
    ...some(chance, world.evidence, MAX_FILES - 3),
    ...some(chance, world.seals, 1),
    ...some(chance, reports, 1),
  ];
  const history = oneOrNone(chance, world.histories);
  // A reader who names a tenant has no receipts of another: that they are none of its would be true.
  const isNamed =
    isTrue(chance) && files.every(({ tenant }) => tenant === null || tenant === history?.tenant);
  return {
    files: [...new Set(files)],
    requests: some(chance, world.requests, 2),
    anchors: some(chance, world.anchors, world.anchors.length),
    policy: oneOrNone(chance, world.policies),
    mirror: oneOrNone(chance, world.mirrors),
    isWalked: isTrue(chance),
    history,
    tenant: (isNamed && world.fingerprints.get(history?.tenant ?? "")) || null,
    seals: some(chance, world.seals, 2),
    now: world.endsAt + chance.pick(LATER_MS),
  };
}

const each = (option: string, paths: readonly (string | null)[]): string[] =>
  paths.flatMap((path) => (path === null ? [] : [option, path]));

/** What every program takes alike. */
export const commonArguments = (set: HonestSet): string[] => [
  ...[...set.files, ...set.requests].map(({ path }) => path),
  ...each("--tsa-ca", set.anchors),
  ...each("--policy", [set.policy]),
  ...each("--history", [set.history?.path ?? null]),
  ...each("--tenant", [set.tenant]),
];

/** For the command line. */
export const verifyArguments = (set: HonestSet): string[] => [
  ...commonArguments(set),
  ...(set.anchors.length === 0 ? ["--tsa-ca", "none"] : []),
  ...set.seals.flatMap(({ path }) => ["--seal", path]),
  ...each("--metachain", [set.mirror?.path ?? null]),
  ...(set.mirror !== null && set.isWalked ? ["--walk"] : []),
];

/** A bill, and what its tenant may have beside it, for the command line. */
export function anyBill(world: HonestWorld, chance: Chance): string[] {
  const { path, tenant } = chance.pick(world.bills);
  const own = world.histories.filter((one) => one.tenant === tenant);
  return [
    path,
    ...each("--metachain", [oneOrNone(chance, world.mirrors)?.path ?? null]),
    ...each("--history", [oneOrNone(chance, own)?.path ?? null]),
    ...each("--tenant", [(isTrue(chance) && world.fingerprints.get(tenant ?? "")) || null]),
  ];
}
