// Random sets of what was kept of an honest service: four programs call nothing false, and say the same of each file, as far
// as they are given the same.
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LAYERS_FOLDER } from "../../contract/policy-paths.ts";
import { FAULTS_ROUNDS } from "../support/faults.ts";
import { commonArguments, type HonestSet, verifyArguments } from "../support/honest-sets.ts";
import type { HonestWorld, KeptKind } from "../support/honest-world.ts";
import { honestSeeds, judgeHonest, NOT_RED, type SaidOfSet } from "./honest-seed.ts";
import { hasPython, PYTHON_ENVIRONMENT } from "./python.ts";
import { listHead } from "./rows.ts";
import { saidInReport } from "./set-command-line.ts";
import { askPackage, askPage } from "./set-programs.ts";
import type { Said, SetRow } from "./sets.ts";

const SEEDS = honestSeeds(30 * FAULTS_ROUNDS);
const DRIVER = fileURLToPath(new URL("honest.py", import.meta.url));
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const KINDS: readonly KeptKind[] = [
  ...(["evidence", "requests", "seals", "histories"] as const),
  ...(["mirrors", "exports", "bills"] as const),
];
/** Why honest evidence of random ages is left open, each at least once. */
const REASONS = [
  ...["expired", "no_anchor", "no_quorum", "not_given", "pending", "too_new", "turn_missing"],
  ...["other_authority", "other_history", "other_log", "other_request"],
];

/** What the package is given no history for, and the page walks no log for. */
const OF_HISTORIES = ["chain_history", "public_heads", "other_chains", "tenant", "whole"];
/** What more of the log may answer: newer timestamps and checkpoints. */
const OF_THE_LOG = ["timestamp", "additional_timestamps", "checkpoint"];

const kept = new Set<string>();
const reasons = new Set<unknown>();

test.each(SEEDS)(
  "four programs say the same of honest files, and nothing is red: HONEST_SEED=%i",
  async (seed) => {
    const { world, sets } = await judgeHonest(seed);
    for (const { set, said } of sets) {
      await compareWithPackage(set, said);
      await compareWithPage(set, said);
      for (const { open } of said.files) for (const reason of Object.values(open)) reasons.add(reason);
    }
    if (hasPython) compareWithPython(world, sets);
    for (const kind of KINDS) if (world[kind].length > 0) kept.add(kind);
  },
);

test.skipIf(SEEDS.length === 1)(
  "the seeds have files of each kind, and every reason to leave a check open",
  () => {
    expect([...kept, ...reasons]).toEqual(expect.arrayContaining([...KINDS, ...REASONS]));
  },
);

async function compareWithPackage(set: HonestSet, said: Said): Promise<void> {
  const without = [...OF_HISTORIES, ...(set.mirror === null ? [] : OF_THE_LOG)];
  const inPackage = await askPackage(rowOf(set), listHead(rootsOf(set).length));
  expect(comparable(inPackage, without), named(set)).toEqual(comparable(said, without));
}

async function compareWithPage(set: HonestSet, said: Said): Promise<void> {
  // It always brings the certificates of known authorities along, by which a renewal is looked at, too.
  const ofAnchors = set.anchors.length === 0 ? ["timestamp"] : [];
  const without = [...ofAnchors, ...(set.mirror === null ? [] : [...OF_HISTORIES, ...OF_THE_LOG])];
  const { said: inPage, joined } = await askPage(rowOf(set), listHead(rootsOf(set).length));
  const [compared, wanted] = [comparable(inPage, without), comparable(said, without)];
  for (const file of joined) {
    delete compared.files[file];
    delete wanted.files[file];
  }
  const text = JSON.stringify(wanted);
  const onThePage = set.anchors.length > 0 ? text : text.replaceAll('"no_anchor"', '"other_authority"');
  expect(compared, named(set)).toEqual(JSON.parse(onThePage));
}

function compareWithPython(world: HonestWorld, sets: readonly SaidOfSet[]): void {
  const rows = sets.map(({ set }) => ({ args: inPython(world, set), now: set.now }));
  const options = { input: JSON.stringify(rows), env: PYTHON_ENVIRONMENT, encoding: "utf8" } as const;
  const ended = spawnSync("python3", ["-B", DRIVER], { ...options, maxBuffer: MAX_OUTPUT_BYTES });
  expect(ended.stderr).toBe("");
  const answers = JSON.parse(ended.stdout) as { status: number; stdout: string; stderr: string }[];
  for (const [i, { set, said }] of sets.entries()) {
    const { status, stdout, stderr } = answers[i] ?? expect.unreachable();
    expect([status, stderr], named(set)).toEqual([expect.toBeOneOf(NOT_RED), ""]);
    const without = set.mirror === null ? [] : OF_THE_LOG;
    const inPython = comparable(
      saidInReport(stdout, (path) => path),
      without,
    );
    expect(inPython, named(set)).toEqual(withoutEnd(comparable(said, without)));
  }
}

const named = (set: HonestSet): string => verifyArguments(set).join(" ");

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(".json"));

function rootsOf({ mirror }: HonestSet): [index: number, file: string][] {
  if (mirror === null) return [];
  const folder = join(mirror.path, "v1/metachain/roots");
  return readdirSync(folder).map((name) => [Number(name), join(folder, name)]);
}

/** For the programs that are no command line. */
function rowOf(set: HonestSet): SetRow {
  const files = [...set.files, ...set.requests].flatMap(({ path }) => {
    const isInFolder = statSync(path).isDirectory();
    return (isInFolder ? filesUnder(path) : [path]).map((file) => ({ file, in_folder: isInFolder }));
  });
  const options = {
    certificates: set.anchors,
    seals: set.seals.map(({ path }) => path),
    requests: [],
    layers: [],
    policy: set.policy,
    wording: null,
    history: set.history?.path ?? null,
    tenant: set.tenant,
  };
  const published = set.mirror === null ? null : Object.fromEntries(rootsOf(set));
  return { files, options, published, now: new Date(set.now).toISOString() } as unknown as SetRow;
}

/** What two programs are to agree on: each file's checks but these, by the file. */
function comparable({ files, together }: Said, without: readonly string[]) {
  const isCompared = (name: string): boolean => !without.includes(name.split("/").at(-1) ?? "");
  const ofFiles = files.map(({ file, kind, failing, open }) => {
    const opened = Object.entries(open).filter(([name]) => isCompared(name));
    return [file, { kind, failing, open: Object.fromEntries(opened) }] as const;
  });
  return { files: Object.fromEntries(ofFiles), together: together?.checks ?? null };
}

const OF_THE_LIST = /("(?:[^"]*\/)?(?:published_root|published_seals|recorded_after)"):"too_new"/g;

/** Python is given roots, and no list that ends somewhere. */
const withoutEnd = <T>(wanted: T): T =>
  JSON.parse(JSON.stringify(wanted).replaceAll(OF_THE_LIST, '$1:"not_given"'));

/** It is told what is published root by root, and brings no layers along. */
function inPython(world: HonestWorld, set: HonestSet): string[] {
  const isWalked = set.mirror !== null && (set.isWalked || set.history !== null);
  const roots = new Map([
    ...rootsOf(set),
    ...set.seals.map(({ path }) => [Number(path.split("/").at(-1)), path] as const),
  ]);
  const layers = join(world.mirrors.at(-1)?.path ?? "", LAYERS_FOLDER);
  return [
    ...commonArguments(set),
    ...[...roots.values()].flatMap((path) => ["--seal", path]),
    ...readdirSync(layers).flatMap((name) => ["--layer", join(layers, name)]),
    ...(isWalked && set.mirror !== null ? ["--log", set.mirror.path] : []),
    "--json",
  ];
}
