// The numbers with a unit of speed or size that pages state in their own words, outside of what results fill, and where
// each comes from. A test compares them with that.

/** A block that a generator fills, whichever it is: each has a test of its own. */
const GENERATED = /<!-- ([a-z_]+(?: [a-z0-9_-]+)*) -->[\s\S]*?<!-- \/[a-z_]+(?: [a-z0-9_-]+)* -->/g;
const FIGURE = /\d[\d.,]*(?:–\d[\d.,]*)?[ \u00a0]?(?:µs|ms|[kKMG]i?B|\/s)(?![\w-])/g;

/** The figures of a page in their order, each with its unit. */
export const figuresIn = (page: string): string[] => page.replaceAll(GENERATED, "").match(FIGURE) ?? [];

/** A decision says what was measured when it was made. */
export const isOfItsDay = (page: string): boolean => page.startsWith("docs/decisions/");

/** A figure's source in the repository: a constant that has its value, or words that a file holds. */
export type FigureSource =
  | { readonly file: string; readonly constant: string }
  | { readonly file: string; readonly words: string }
  /** Others have set it, and no file of ours decides. */
  | { readonly others: string };

/** A page, and its figures in their order. */
type StatedPage = readonly (readonly [figure: string, source: FigureSource])[];

const constant = (file: string, name: string): FigureSource => ({ file, constant: name });
const BODY = constant("contract/limits.ts", "MAX_ATTESTATION_BODY_BYTES");
const PROOF_BODY = constant("contract/limits.ts", "MAX_PROOF_BODY_BYTES");
const PAGE = constant("service/reports/bundle-page.ts", "MAX_PAGE_BYTES");
const FILE = constant("reader/limits.ts", "MAX_FILE_BYTES");
const TOKEN = constant("core/formats/metachain.ts", "MAX_TOKEN_BYTES");
const WEBHOOK = constant("contract/bridge-settings.ts", "MAX_WEBHOOK_BODY_BYTES");
const SESSION = constant("web/given-file.ts", "MAX_SESSION_BYTES");
const HISTORY = constant("web/given-history.ts", "MAX_HISTORY_BYTES");
const DYNAMODB: FigureSource = { others: "DynamoDB's limits and units" };
const OF_LEAF: FigureSource = { file: "test/service/ledger/item-sizes.test.ts", words: "1_024" };
const OF_CLIENT: FigureSource = { file: "test/client/portable.test.ts", words: "Minified it is" };

export const STATED: Readonly<Record<string, StatedPage>> = {
  "docs/adapters/bridge.md": [
    ["4 MiB", WEBHOOK],
    ["4 MiB", WEBHOOK],
  ],
  "docs/admin.md": [["1 GB", DYNAMODB]],
  "docs/client.md": [
    ["4 MiB", PAGE],
    ["8 MiB", { file: "client/queue/queue-options.ts", words: "maxBytes: 8 * 1024 * 1024" }],
    ["191 KB", OF_CLIENT],
    ["63 KB", OF_CLIENT],
  ],
  "docs/command-line.md": [
    ["4 MiB", PAGE],
    ["8 MiB", FILE],
    ["4 MiB", PAGE],
    ["64 KiB", TOKEN],
    ["1 MiB", constant("contract/limits.ts", "MAX_ROOT_BYTES")],
  ],
  "docs/deploy.md": [
    ["8 KiB", BODY],
    ["320 KiB", PROOF_BODY],
    ["8 KiB", BODY],
  ],
  "docs/design.md": [
    ["1 KB", OF_LEAF],
    ["1 KB", OF_LEAF],
  ],
  "docs/tests.md": [["320 KiB", PROOF_BODY]],
  "docs/events.md": [["16 KiB", constant("service/webhooks/webhook-sender.ts", "MAX_ANSWER_BYTES")]],
  "docs/exports.md": [
    ["40 KiB", constant("core/log/token-line.ts", "MAX_TOKEN_LINE_BYTES")],
    ["64 KiB", constant("core/log/tlog-proof.ts", "MAX_PROOF_LINE")],
  ],
  "docs/receipt-format.md": [
    ["64 KiB", TOKEN],
    ["8 MiB", FILE],
  ],
  "docs/security.md": [
    ["8 KiB", BODY],
    ["320 KiB", PROOF_BODY],
  ],
  "docs/throughput.md": [
    ["50/s", { file: "bench/throughput/grid.ts", words: "perSecond" }],
    ["150 ms", { file: "bench/throughput/grid.ts", words: "150" }],
  ],
  "docs/verifier.md": [
    ["8 MiB", FILE],
    ["64 MiB", SESSION],
    ["64 MiB", HISTORY],
    ["32 MB", { others: "a million hashes of 32 bytes" }],
    ["85 KB", { file: "core/formats/metachain.ts", words: "MAX_TOKEN_LENGTH" }],
    ["250 KB", constant("build/web.ts", "MAX_BYTES")],
  ],
  "docs/witnesses.md": [["16 KiB", constant("service/seals/add-checkpoint.ts", "MAX_ANSWER_BYTES")]],
};

const FACTORS: Readonly<Record<string, number>> = {
  ms: 1,
  KB: 1_000,
  MB: 1_000_000,
  GB: 1_000_000_000,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
};

/** A figure in bytes or milliseconds. */
export function valueOfFigure(figure: string): number {
  const [, number = "", unit = ""] = /^([\d.]+) (\w+)$/.exec(figure.replaceAll(",", "")) ?? [];
  return Number(number) * (FACTORS[unit] ?? Number.NaN);
}

/** The value of a constant that is a product of numbers; NaN where the source has no such constant. */
export function constantIn(source: string, name: string): number {
  const [, product = "x"] = new RegExp(`const ${name}\\b[^=]*= ([\\d_ *]+)`).exec(source) ?? [];
  return product.split("*").reduce((value, factor) => value * Number(factor.trim().replaceAll("_", "")), 1);
}
