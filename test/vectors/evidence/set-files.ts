// The files that sets of evidence need and that no other generator makes: pages of a conversation, files that can't be read,
// another root under a known number, the proof of a fork, the history of a chain.
import { reportAt } from "../../support/head-world.ts";
import { logSigner, signedCheckpoint } from "../../support/note-signers.ts";
import { CHAIN, vectorHistory } from "../../support/vector-history.ts";
import { all, at, type Edit, type Json, print, read, set, type Vectors } from "./edit.ts";

type Bundle = { [name: string]: Json } & Record<
  "receipts" | "requests" | "proofs" | "seals" | "chain_consistency",
  Json[]
>;

const ORIGIN = "receipts.example.com/v1/metachain";
export const FOLDER = "sets";
export const madeFile = (name: string): string => `${FOLDER}/${name}`;
/** `page(1, 2)` holds turns 1 and 2 of the conversation. */
export const page = (first: number, last: number): string => madeFile(`turns-${first}-${last}.json`);

const conversation = read("bundles/conversation.json") as unknown as Bundle;
const TURNS = conversation.receipts.length;
/** The seals behind each turn, and the one that it names. */
const SEALS: readonly (readonly number[])[] = [[0], [1, 0], [2, 1], [3, 2]];

/** As the service answers where one page does not hold the whole conversation: from the second on with the path before. */
function pageOf(first: number, last: number): Bundle {
  const cut = <T>(list: readonly T[], from = first - 1) => list.slice(from, last);
  const seals = new Set(cut(SEALS).flat());
  return {
    ...conversation,
    receipts: cut(conversation.receipts),
    requests: cut(conversation.requests),
    proofs: cut(conversation.proofs),
    seals: conversation.seals.filter((seal) => seals.has(Number(at(seal, "/index")))),
    chain_consistency: conversation.chain_consistency.slice(Math.max(0, first - 2), last - 1),
    next_turn: last < TURNS ? last + 1 : null,
  };
}

const PAGES = [
  [1, 1],
  [1, 2],
  [1, 3],
  [2, 3],
  [3, 3],
  [3, 4],
  [4, 4],
] as const;

function edited(value: Json, ...edits: readonly Edit[]): string {
  const copy = structuredClone(value);
  all(...edits)(copy);
  return print(copy);
}

/** Two notes of one log over two trees of one size. */
function fork(): string {
  const proof = read("receipts/hand-off.json");
  const size = Number(at(proof, "/merkle_proof/cross_tenant_proof/tree_size"));
  const log = logSigner(ORIGIN);
  const noteOver = (root: Json) => signedCheckpoint(log, { size, root: String(root) });
  const roots = [at(proof, "/merkle_proof/merkle_root"), at(read("seals/1.json"), "/merkle_root")];
  return print({
    format: "disclosure-receipts fork 1",
    checkpoints: roots.map(noteOver),
    prefix_root: null,
    consistency_path: [],
  });
}

/**
 * Reports of a turn 1 and a turn 2 that links to it, each under an entry of one log: on two chains, the second sealed first, on
 * a chain of another tenant, and issued the wrong way round. On another chain, turn 2 has a larger number than turn 1.
 */
const APART: Readonly<Record<string, readonly [log: string, first: number, second: number]>> = {
  "on-two-chains": ["c0:a d0:aB", 0, 1],
  "sealed-backwards": ["d0:aB c0:a", 1, 0],
  "of-two-tenants": ["c0:a o0:aB", 0, 1],
  "issued-backwards": ["c0:b c1:ba", 0, 1],
};
export const turnApart = (name: string, turn: 1 | 2): string => madeFile(`${name}-${turn}.json`);

function* turnsApart(): Generator<[string, object]> {
  for (const [name, [words, ...entries]] of Object.entries(APART))
    for (const [i, entry] of entries.entries()) yield [`${name}-${i + 1}.json`, reportAt(words.split(" "), entry)];
}

const refusal = { type: "about:blank", title: "Unauthorized", status: 401, detail: "the API key is unknown" };
const request = read("requests/greeting.json") as { [name: string]: Json };

export function madeFiles(): Vectors {
  const files: Record<string, string | Uint8Array> = {
    "turns-3-4-damaged.json": edited(pageOf(3, 4), set("/requests/1/agent_identity", "another-agent/1")),
    "other-root-0.json": edited(read("seals/1.json"), set("/index", 0)),
    "foreign-request.json": print({ ...request, interaction_id: "call-of-nobody" }),
    "foreign-request-2.json": print({ ...request, interaction_id: "another-call-of-nobody" }),
    "fork.json": fork(),
    "empty.json": "",
    "scan.pdf": "%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n<<>>\nendobj\n",
    "photo.jpg": Uint8Array.of(
      0xff,
      0xd8,
      0xff,
      0xe0,
      0x00,
      0x10,
      0x4a,
      0x46,
      0x49,
      0x46,
      0x00,
      0x01,
      0xff,
      0xfe,
    ),
    "letter.txt": "Dear Sir or Madam,\n",
    "refusal.json": print(refusal),
    "list.json": print([read("receipts/greeting.json")]),
    "nothing-known.json": print({ note: "a file of another program" }),
  };
  for (const [first, last] of PAGES) files[`turns-${first}-${last}.json`] = print(pageOf(first, last));
  for (const [name, evidence] of turnsApart()) files[name] = print(evidence as never);
  for (const [path, bytes] of vectorHistory(CHAIN)) files[`history/${path}`] = bytes;
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [madeFile(name), content]));
}

/** The text of a wording of the service's layer. */
export function wordingText(id: string): string {
  const { wordings } = read("layers/service.json") as { wordings: { id: string; text: string }[] };
  const found = wordings.find((wording) => wording.id === id);
  if (found === undefined) throw new Error(`there is no wording ${id}`);
  return found.text;
}
