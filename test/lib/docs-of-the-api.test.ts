// docs/api.md names every call and every problem, and its limits are those of the code. `-u` renews the table.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fillPage, table } from "../../bench/markdown.ts";
import * as limits from "../../contract/limits.ts";
import { DEFAULT_PLANS } from "../../contract/plans.ts";
import { PROBLEMS } from "../../contract/problem-kinds.ts";
import { AUTHORIZER_TTL_SECONDS, ROUTES } from "../../contract/routes.ts";
import { MAX_PAGE_HEADS } from "../../evidence/core/formats/chain-history.ts";
import { MAX_BUNDLED_LAYERS } from "../../evidence/core/formats/evidence-bundle.ts";
import { MAX_PAGE_RECEIPTS } from "../../evidence/core/formats/receipt-list.ts";
import { MAX_OWN_WORDINGS } from "../../evidence/core/policy/effective-layer.ts";
import { MAX_WAITING } from "../../host/server/turns.ts";
import { MAX_AHEAD_MS } from "../../service/attestations/attestations.ts";
import { MAX_PAGE_LINES } from "../../service/bill/build-bill.ts";
import { IDEMPOTENCY_SECONDS } from "../../service/ledger/append-writes.ts";
import { MAX_PAGE_BYTES, MAX_PAGE_SEALS, MAX_PAGE_TURNS } from "../../service/reports/bundle-page.ts";
import { MAX_EXAMINED_LEAVES } from "../../service/reports/receipt-list.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "api.md");
const page = readFileSync(PAGE, "utf8");
const KIB = 1_024;

const count = (value: number): string => value.toLocaleString("en-US");
const seconds = (value: number): string => `${count(value)} s`;

const throttle = ({ rate, burst }: { rate: number; burst: number }): string =>
  `${count(rate)} calls a second, ${count(burst)} at once`;

const plans = Object.entries(DEFAULT_PLANS).map(([name, { rate, burst, monthlyQuota, chains }]) => [
  `plan \`${name}\``,
  `${throttle({ rate, burst })}, ${count(monthlyQuota)} attestations a calendar month (UTC), chains: ${count(chains)}`,
]);

const LIMITS = [
  ["body of `POST /v1/attestation`", `${limits.MAX_ATTESTATION_BODY_BYTES / KIB} KiB`],
  [
    "body of `POST /v1/verify-inclusion`",
    `${limits.MAX_PROOF_BODY_BYTES / KIB} KiB, ${count(limits.MAX_PROOF_VALUES)} values`,
  ],
  ["proofs checked at once by a server (web runtime)", `1; ${count(MAX_WAITING)} wait, for others 503`],
  ["`Idempotency-Key`", `1 to 255 visible ASCII characters; kept for ${IDEMPOTENCY_SECONDS / 3_600} hours`],
  ["`disclosed_at` ahead of the service's clock", seconds(MAX_AHEAD_MS / 1_000)],
  ["wrong fields that one problem lists", count(limits.MAX_LISTED_ERRORS)],
  [
    "page of a conversation",
    `${count(MAX_PAGE_TURNS)} turns, ${count(MAX_PAGE_SEALS)} seals, ${count(MAX_BUNDLED_LAYERS)} layers, ${MAX_PAGE_BYTES / KIB / KIB} MiB`,
  ],
  ["`from_turn`", count(limits.MAX_TURN)],
  [
    "page of a list of receipts",
    `${count(MAX_PAGE_RECEIPTS)} receipts, of ${count(MAX_EXAMINED_LEAVES)} examined`,
  ],
  ["page of a chain's heads", count(MAX_PAGE_HEADS)],
  ["page of a bill's chains", count(MAX_PAGE_LINES)],
  ["chains of a tenant", count(limits.MAX_CHAINS)],
  ["own wordings of a tenant", count(MAX_OWN_WORDINGS)],
  ["a published root or token", `${limits.MAX_ROOT_BYTES / KIB / KIB} MiB`],
  ["a revoked key lives on for", `${seconds(AUTHORIZER_TTL_SECONDS)} at most`],
  ["an attestation waits for its timestamp", `${limits.INLINE_STAMP_BUDGET_MS / 1_000} s at most`],
  ["wait before asking for a pending report again", seconds(limits.RETRY_PENDING_SECONDS)],
  ["a method without a key, for all callers (API Gateway)", throttle(limits.PUBLIC_THROTTLE)],
  ["a method with a key, for all tenants (API Gateway)", throttle(limits.KEYED_THROTTLE)],
  ...plans,
];

test("docs/api.md has the limits that the code holds", async () => {
  await expect(fillPage(page, { limits: table(["limit", "value"], LIMITS, 0) })).toMatchFileSnapshot(PAGE);
});

test("docs/api.md lists every call with the scope that it needs, and no other", () => {
  const listed = [...page.matchAll(/^\| `(GET|POST) (\/v1\S+)` \| *(.*?) *\|/gm)];
  const calls = listed.map(
    ([, method, path, needs]) => `${method} ${path} ${needs === "" ? "public" : "key"}`,
  );
  expect(calls).toEqual(
    ROUTES.map(({ method, path, access }) => `${method} ${path.replace("+}", "}")} ${access}`),
  );
});

test("docs/api.md has a line for every kind of problem, and no other", () => {
  const listed = [...page.matchAll(/^\| (\d{3}) \| `([a-z-]+)` \|/gm)].map(
    ([, status, slug]) => `${status} ${slug}`,
  );
  expect(listed).toEqual(Object.values(PROBLEMS).map(({ status, slug }) => `${status} ${slug}`));
});
