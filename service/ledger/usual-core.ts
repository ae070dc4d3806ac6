// Reads the text of a stored core in one pass where it has the form that our own cores have: each member in its canonical
// place, its strings of printable ASCII without an escape, its numbers safe integers. Such a text is canonical JSON
// (RFC 8785), and of the format, because it matches: it need be neither parsed nor written again to know that. Of any
// other text this says nothing, and leaf-codec.ts reads it by the format's schema.
import { hash } from "node:crypto";
import { formatEventId, MAX_SHARD } from "../../core/formats/event-id.ts";
import { RECEIPT_FORMAT_VERSION, type ReceiptCore } from "../../core/formats/receipt.ts";
import { MAX_LIST_LENGTH } from "../../core/formats/shapes.ts";
import { formatDigest } from "../../core/merkle/hash.ts";

/** The digest that follows among those stored, */
export const NEXT = "\u0002";
/** or one of the table of known digests, by the character after it. JCS escapes both marks, so no text of its own has them. */
export const REFERENCE = "\u0001";
export const FIRST_REFERENCE = 0x20;

/** A core as it was stored, with its text. */
export interface StoredCore {
  readonly core: ReceiptCore;
  /** JCS of the core. */
  readonly text: string;
  /**
   * The shard, where `event_id` and `output_hash` were not stored, but computed from it, from the leaf's place and from
   * the other members; null where one of them was stored.
   */
  readonly computedShard: number | null;
}

/** The place of a core, which its item says already: its chain and index by its key, and its left path. */
export interface LeafPlace {
  readonly chainId: string;
  readonly leafIndex: number;
  readonly leftPath: readonly Uint8Array[];
}

/** A core in the parts in which it is stored. */
export interface CoreParts {
  readonly issuedAt: Date;
  readonly stored: readonly string[];
  readonly text: string;
}

export interface PlacedParts {
  readonly parts: CoreParts;
  /** Those of the dictionary that marks refer to. */
  readonly digests: readonly string[];
  readonly place: LeafPlace;
}

const CHAIN_ID = /^[0-9a-f]{32}$/;
/** YYYY-MM-DDThh:mm:ss.sssZ: of years beyond 9999 it is longer. */
const INSTANT_LENGTH = 24;
const SECONDS_LENGTH = "YYYY-MM-DDThh:mm:ss".length;

const STRING = String.raw`"[ !#-\[\]-~]*"`;
const MARK = `(?:${NEXT}|${REFERENCE}[ -~])`;
/** All of these are safe integers. */
const INDEX = "(?:0|[1-9][0-9]{0,14})";
const SIZE = "[1-9][0-9]{0,14}";

const USUAL = new RegExp(
  [
    `^\\{"disclosure":\\{(?<before>"article_50_clause":"1",(?:"disclosed_at":"(?<disclosedAt>[0-9TZ:.-]{20,24})",)?`,
    `"disclosure_method":(?<method>${STRING}),"jurisdiction":(?<where>${STRING}),`,
    `"modality":"(?<modality>voice|chat|walkthrough)"),"subject_hash":"(?<subject>${MARK})"\\},`,
    `"input_hash":"(?<input>${MARK})",`,
    `"policy":\\{"digest":"(?<digest>${MARK})",(?<outcome>"findings":(?<findings>\\[(?:${STRING}(?:,${STRING})*)?\\]),`,
    `"jurisdiction":(?<jurisdiction>${STRING}),"version":(?<version>${STRING}),"wording_id":(?<wording>null|${STRING}))\\},`,
    `"previous_hash":"(?<previous>${MARK})","previous_turn_hash":(?:null|"(?<previousTurn>${MARK})"),`,
    `"receipt_format_version":"1\\.0","recorded_after":(?:null|\\{"seal_hash":"(?<seal>${MARK})","seal_index":(?<sealIndex>${INDEX})\\}),`,
    `"shard":(?<shard>${INDEX}),"turn":(?<turn>${SIZE}),"verdict":"(?<verdict>ALLOW|MODIFY|BLOCK)","verifiability":"verifiable"\\}$`,
  ].join(""),
);

/** The parts of a text that matches: the named groups. */
type CoreMatch = Readonly<
  Record<
    | "before"
    | "method"
    | "where"
    | "modality"
    | "subject"
    | "input"
    | "digest"
    | "outcome"
    | "findings"
    | "jurisdiction"
    | "version"
    | "wording"
    | "previous"
    | "sealIndex"
    | "shard"
    | "turn"
    | "verdict",
    string
  > & { disclosedAt?: string; previousTurn?: string; seal?: string }
>;

/** Null for what has another form. Throws `malformed` where the place has no event id. */
export function readUsualCore(placed: PlacedParts): StoredCore | null {
  const { chainId, leafIndex: sequence } = placed.place;
  const found = USUAL.exec(placed.parts.text)?.groups as CoreMatch | undefined;
  const issuedAt = placed.parts.issuedAt.toISOString();
  if (found === undefined || issuedAt.length !== INSTANT_LENGTH || !CHAIN_ID.test(chainId)) return null;
  const shard = Number(found.shard);
  const findings = found.findings === "[]" ? [] : (JSON.parse(found.findings) as string[]);
  if (shard > MAX_SHARD || findings.length > MAX_LIST_LENGTH || !isInstant(found.disclosedAt)) return null;
  const digests = readDigests(placed, found);
  if (digests === null) return null;
  const eventId = formatEventId(chainId, { shard, sequence });
  const texts = textsOf(found, digests);
  const output = `{"event_id":"${eventId}","policy":${texts.policy},"turn":${found.turn},"verdict":"${found.verdict}"}`;
  const outputHash = digestOfText(output);
  const whole = { chainId, sequence, found, digests, texts, issuedAt, eventId, outputHash };
  return { core: coreOf(whole, findings), text: textOf(whole), computedShard: shard };
}

const digestOfText = (text: string): string => `sha256:${hash("sha256", text)}`;

/** True of an instant with or without milliseconds, on a date that there is, and where there is no instant. */
function isInstant(text: string | undefined): boolean {
  if (text === undefined) return true;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return false;
  const instant = time.toISOString();
  return text === instant || text === `${instant.slice(0, SECONDS_LENGTH)}Z`;
}

/** The digests of a core. */
interface Digests {
  readonly subject: string;
  readonly input: string;
  readonly policy: string;
  readonly previous: string;
  readonly previousTurn: string | null;
  readonly seal: string | null;
}

/** Null where a mark has no digest, or a digest no mark. */
function readDigests({ parts: { stored }, digests, place }: PlacedParts, found: CoreMatch): Digests | null {
  let next = 0;
  let isWhole = true;
  const at = (reference: number): string | undefined => {
    const later = reference - digests.length - 1;
    if (later >= 0) return later < next ? stored[later] : undefined;
    const [lowest] = place.leftPath;
    return later === -1 ? lowest && formatDigest(lowest) : digests[reference];
  };
  const read = (mark: string): string => {
    const digest = mark === NEXT ? stored[next++] : at(mark.charCodeAt(1) - FIRST_REFERENCE);
    isWhole &&= digest !== undefined;
    return digest ?? "";
  };
  const orNull = (mark: string | undefined): string | null => (mark === undefined ? null : read(mark));
  // The marks are read in the order of the text: a reference may be to one that came before it.
  const [subject, input, policy, previous] = [
    read(found.subject),
    read(found.input),
    read(found.digest),
    read(found.previous),
  ];
  const [previousTurn, seal] = [orNull(found.previousTurn), orNull(found.seal)];
  return isWhole && next === stored.length ? { subject, input, policy, previous, previousTurn, seal } : null;
}

/** Objects of a core as JCS. */
interface Texts {
  readonly disclosure: string;
  readonly policy: string;
  readonly previousTurn: string;
  readonly recordedAfter: string;
}

const textsOf = ({ before, outcome, sealIndex }: CoreMatch, digests: Digests): Texts => ({
  disclosure: `{${before},"subject_hash":"${digests.subject}"}`,
  policy: `{"digest":"${digests.policy}",${outcome}}`,
  previousTurn: digests.previousTurn === null ? "null" : `"${digests.previousTurn}"`,
  recordedAfter: digests.seal === null ? "null" : `{"seal_hash":"${digests.seal}","seal_index":${sealIndex}}`,
});

interface WholeCore {
  readonly chainId: string;
  readonly sequence: number;
  readonly found: CoreMatch;
  readonly digests: Digests;
  readonly texts: Texts;
  readonly issuedAt: string;
  readonly eventId: string;
  readonly outputHash: string;
}

/** The members in the order of JCS. */
const textOf = (whole: WholeCore): string =>
  [
    `{"chain_id":"${whole.chainId}","disclosure":${whole.texts.disclosure},"event_id":"${whole.eventId}",`,
    `"input_hash":"${whole.digests.input}","issued_at":"${whole.issuedAt}","output_hash":"${whole.outputHash}",`,
    `"policy":${whole.texts.policy},"previous_hash":"${whole.digests.previous}",`,
    `"previous_turn_hash":${whole.texts.previousTurn},"receipt_format_version":"${RECEIPT_FORMAT_VERSION}",`,
    `"recorded_after":${whole.texts.recordedAfter},"sequence":${whole.sequence},"turn":${whole.found.turn},`,
    `"verdict":"${whole.found.verdict}","verifiability":"verifiable"}`,
  ].join("");

const coreOf = (whole: WholeCore, findings: string[]): ReceiptCore => {
  const { found, digests } = whole;
  return {
    event_id: whole.eventId,
    chain_id: whole.chainId,
    sequence: whole.sequence,
    turn: Number(found.turn),
    verdict: found.verdict as ReceiptCore["verdict"],
    input_hash: digests.input,
    output_hash: whole.outputHash,
    previous_hash: digests.previous,
    previous_turn_hash: digests.previousTurn,
    issued_at: whole.issuedAt,
    recorded_after:
      digests.seal === null ? null : { seal_index: Number(found.sealIndex), seal_hash: digests.seal },
    disclosure: {
      article_50_clause: "1",
      disclosure_method: withoutQuotes(found.method),
      jurisdiction: withoutQuotes(found.where),
      modality: found.modality as ReceiptCore["disclosure"]["modality"],
      subject_hash: digests.subject,
      ...(found.disclosedAt !== undefined && { disclosed_at: found.disclosedAt }),
    },
    policy: {
      jurisdiction: withoutQuotes(found.jurisdiction),
      version: withoutQuotes(found.version),
      digest: digests.policy,
      wording_id: found.wording === "null" ? null : withoutQuotes(found.wording),
      findings,
    },
    receipt_format_version: RECEIPT_FORMAT_VERSION,
    verifiability: "verifiable",
  };
};

const withoutQuotes = (text: string): string => text.slice(1, -1);
