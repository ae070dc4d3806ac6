// The files of a session, sorted and settled, with an examiner that holds evidence against all of them.
import { chainsToWalk, KnownHistory, type TenantHistory } from "../../core/verify/tenant-history.ts";
import type { Evidence } from "../evidence.ts";
import type { Examination } from "../examination.ts";
import type { Problem } from "../unreadable.ts";
import type { Verdict } from "../verdict.ts";
import { settle } from "./conflicts.ts";
import {
  type Anchors,
  type Companions,
  type GivenFile,
  type GivenPolicy,
  type GivenRequest,
  joinCompanions,
} from "./given.ts";
import { chooseAnchors, examinerOf, type SessionInputs } from "./inputs.ts";
import { type SortedFile, sortFiles } from "./sort.ts";

/** One piece of evidence that was examined. */
export interface Examined {
  readonly file: string;
  readonly evidence: Evidence;
  readonly examination: Examination;
  readonly verdict: Verdict;
}

/** The files of a session, sorted, and everything that they are held against. */
export interface OpenedSession {
  readonly sorted: readonly SortedFile[];
  readonly companions: Companions;
  /** Of companions that contradict each other, by file. */
  readonly problems: ReadonlyMap<string, Problem>;
  readonly anchors: readonly Anchors[];
  /** The policy that counts; null where there is none. */
  readonly policy: GivenPolicy | null;
  /** The name of the history that receipts are held against; null where there is none. */
  readonly history: string | null;
  readonly tenant: TenantHistory | null;
  /** The reader's requests by the hash that their receipts have. */
  readonly requests: ReadonlyMap<unknown, GivenRequest>;
  readonly examine: (evidence: Evidence) => Promise<Examination>;
}

export async function openSession(
  files: readonly GivenFile[],
  inputs: SessionInputs,
): Promise<OpenedSession> {
  const sorted = await sortFiles(files);
  const found = sorted.flatMap((one) => ("companions" in one ? one.companions : []));
  const { companions, problems } = settle(joinCompanions([inputs.companions, ...found]));
  const anchors = chooseAnchors(inputs, companions);
  const policy = companions.policies.find(({ isNamed }) => isNamed) ?? null;
  const requests = new Map(companions.requests.map((request) => [request.inputHash, request]));
  const inputHashes = new Set(sorted.flatMap((one) => ("inputHashes" in one ? [...one.inputHashes] : [])));
  // A request that belongs to other evidence here is no stray of this one.
  const stray = companions.requests.find(({ inputHash }) => !inputHashes.has(inputHash)) ?? null;
  const known = await knownHistory(inputs, sorted);
  const examine = examinerOf(inputs, companions, { anchors, policy, requests, stray, known });
  const history = inputs.history === null || inputs.history.tenant === null ? null : inputs.history.file;
  const tenant = known?.history ?? null;
  return { sorted, companions, problems, anchors, policy, history, tenant, requests, examine };
}

/** The log is walked once, for the chains of the history and of all evidence. */
async function knownHistory(
  { history, walkLog }: SessionInputs,
  sorted: readonly SortedFile[],
): Promise<KnownHistory | null> {
  const tenant = history?.tenant ?? null;
  const named = sorted.flatMap((one) => ("chainIds" in one ? [...one.chainIds] : []));
  const walk = walkLog === null ? null : await walkLog(new Set([...named, ...chainsToWalk(tenant)]));
  if (tenant === null && walk === null) return null;
  return new KnownHistory({ history: tenant, walk, fingerprint: history?.fingerprint ?? null });
}
