// A console with 100,000 receipts, as its server would answer the page: made from their numbers when they are asked for.
import {
  CONSOLE_PAGE_RECEIPTS,
  CONSOLE_PATHS,
  type ConsoleOverview,
  type ConsoleReceipt,
  type ConsoleReceiptPage,
  type ConsoleSeal,
} from "../../../contract/console.ts";

export const MANY = 100_000;
const BEGUN = Date.parse("2026-11-01T00:00:00.000Z");
/** Receipts come every twenty seconds, so that the last ones are of the 24th. */
const EVERY_MS = 20_000;
const CHAIN = "c".repeat(32);
const VERDICTS = ["ALLOW", "ALLOW", "ALLOW", "MODIFY", "ALLOW", "ALLOW", "ALLOW", "BLOCK"];
const TENANTS = ["acme", "klinik-am-see", "stadtwerke"];

const timeOf = (n: number): string => new Date(BEGUN + n * EVERY_MS).toISOString();

const receiptAt = (n: number): ConsoleReceipt => ({
  event_id: `00000000-0000-8000-8000-${n.toString(16).padStart(12, "0")}`,
  place: `${timeOf(n)}~${CHAIN}~${n}`,
  tenant: TENANTS[n % TENANTS.length] ?? "",
  shard: n % 4,
  sequence: n,
  turn: (n % 7) + 1,
  verdict: VERDICTS[n % VERDICTS.length] ?? "",
  issued_at: timeOf(n),
  modality: "voice",
  wording_id: n % 8 === 3 ? null : "de-voice-introduction-4",
  findings: n % 8 === 3 ? ["wording_unknown"] : [],
});

/** `total` receipts are there; the page begins before the place that `question` names. */
function pageOf(total: number, question: URLSearchParams): ConsoleReceiptPage {
  const before = question.get("before");
  const [tenant, verdict] = [question.get("tenant"), question.get("verdict")];
  const receipts: ConsoleReceipt[] = [];
  let n = (before === null ? total : Number(before.split("~")[2])) - 1;
  for (; n >= 0 && receipts.length < CONSOLE_PAGE_RECEIPTS; n--) {
    const receipt = receiptAt(n);
    const isWanted =
      (tenant ?? receipt.tenant) === receipt.tenant && (verdict ?? receipt.verdict) === receipt.verdict;
    if (isWanted) receipts.push(receipt);
  }
  const next = n < 0 ? null : (receipts.at(-1)?.place ?? null);
  return { receipts, next, removed: 0, damaged: 0, chains_left_out: 0 };
}

const sealAt = (n: number): ConsoleSeal => {
  const sealed = Date.parse("2026-11-24T03:00:00.000Z") + n * 60_000;
  const time = (seconds: number): string => new Date(sealed + seconds * 1_000).toISOString();
  const tokens = [
    { authority: "https://one.example/tsr", time: time(1 + ((n * 7) % 5)) },
    { authority: "https://two.example/tsr", time: time(2) },
  ];
  return {
    index: 900 + n,
    sealed_at: new Date(sealed).toISOString(),
    receipts: 20 + ((n * 37) % 61),
    is_published: true,
    tokens: n % 13 === 5 ? tokens.slice(0, 1) : tokens,
    lacks_tokens: n % 13 === 5,
    has_checkpoint: true,
    cosigners: n % 11 === 7 ? [] : ["witness.example/one", "witness.example/two"],
  };
};

export const OVERVIEW: ConsoleOverview = {
  name: "receipts-production",
  url: "https://receipts.example",
  alarms_url:
    "https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1#alarmsV2:?search=receipts-production",
  read_at: "2026-11-24T03:40:12.000Z",
  concerns: [],
  tenants: 3,
  chains: 12,
  waiting: { receipts: 14, chains: 3, oldest: "2026-11-24T03:39:31.000Z" },
  seal: { index: 939, sealed_at: "2026-11-24T03:39:00.000Z", is_published: true },
  troubled_chains: [],
  tokens: [
    {
      authority: "https://one.example/tsr",
      holds: true,
      detail: "CN=Example Authority",
      valid_until: "2036-05-03T00:00:00.000Z",
    },
  ],
};

const DAYS = Array.from({ length: 24 }, (_, i) => ({
  day: `2026-11-${String(i + 1).padStart(2, "0")}`,
  receipts: i === 23 ? 420 : 1_100 + ((i * 337) % 500) - (i % 7 > 4 ? 700 : 0),
}));

const TENANT_LIST = {
  month: "2026-11",
  left_out: 0,
  tenants: [
    { id: "acme", plan: "standard", is_suspended: false, chains: 8, receipts: 33_334, quota: 1_000_000 },
    { id: "klinik-am-see", plan: "trial", is_suspended: false, chains: 1, receipts: 9_120, quota: 10_000 },
    { id: "stadtwerke", plan: "own", is_suspended: true, chains: 3, receipts: 21_400, quota: null },
  ],
};

const chainsOf = (tenant: string) => ({
  tenant,
  left_out: 0,
  chains: Array.from({ length: 3 }, (_, shard) => ({
    shard,
    chain_id: String(shard).repeat(32),
    size: 12_000 - 700 * shard,
    sealed_size: 12_000 - 700 * shard - (shard === 0 ? 6 : 0),
    newest: "2026-11-24T03:39:58.120Z",
  })),
});

/** The answer as JSON; undefined for a path that is none of the console's. `total` receipts are there. */
export function answerOf(path: string, question: URLSearchParams, total = MANY): unknown {
  const tenant = question.get("tenant") ?? "";
  if (path === CONSOLE_PATHS.receipts) return pageOf(total, question);
  if (path === CONSOLE_PATHS.overview) return OVERVIEW;
  if (path === CONSOLE_PATHS.seals)
    return { asks_witnesses: true, seals: Array.from({ length: 40 }, (_, n) => sealAt(n)) };
  if (path === CONSOLE_PATHS.tenants) return TENANT_LIST;
  if (path === CONSOLE_PATHS.days) return { tenant, days: DAYS };
  if (path === CONSOLE_PATHS.chains) return chainsOf(tenant);
  return undefined;
}
