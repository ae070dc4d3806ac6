// The text of a whole core, put together from the stored text of its other members.
import { utf8 } from "../../core/bytes.ts";
import { formatEventId, MAX_SHARD } from "../../core/formats/event-id.ts";
import { formatDigest, hashBytes } from "../../core/merkle/hash.ts";

/** JCS writes a text of printable ASCII without an escape, and a safe integer, in this way alone. */
const TEXT = String.raw`"[ !#-\[\]-~]*"`;
const INTEGER = "(?:0|[1-9][0-9]{0,14})";
const TEXT_OR_NULL = `(?:null|${TEXT})`;
const TEXTS = String.raw`\[(?:${TEXT}(?:,${TEXT})*)?\]`;

const DISCLOSURE = [
  `"article_50_clause":${TEXT},(?:"disclosed_at":${TEXT},)?"disclosure_method":${TEXT},`,
  `"jurisdiction":${TEXT},"modality":${TEXT},"subject_hash":${TEXT}`,
].join("");
const POLICY = `"digest":${TEXT},"findings":${TEXTS},"jurisdiction":${TEXT},"version":${TEXT},"wording_id":${TEXT_OR_NULL}`;
const RECORDED_AFTER = String.raw`(?:null|\{"seal_hash":${TEXT},"seal_index":${INTEGER}\})`;

/** The members that are stored with every core that the service made, in the order of JCS. */
const STORED = new RegExp(
  [
    String.raw`^\{(?<disclosure>"disclosure":\{${DISCLOSURE}\}),(?<input>"input_hash":${TEXT}),`,
    String.raw`(?<policy>"policy":\{${POLICY}\}),(?<links>"previous_hash":${TEXT},"previous_turn_hash":${TEXT_OR_NULL},`,
    `"receipt_format_version":${TEXT},"recorded_after":${RECORDED_AFTER}),"shard":(?<shard>${INTEGER}),`,
    String.raw`(?<turn>"turn":${INTEGER}),(?<verdict>"verdict":${TEXT}),(?<verifiability>"verifiability":${TEXT})\}$`,
  ].join(""),
);

/** The place of a core, as `event_id` has it, and its time. */
interface CoreIdentity {
  readonly chainId: string;
  readonly leafIndex: number;
  readonly issuedAt: string;
}

/**
 * JCS of the core, where the stored text has the form that the service's own have: such a text is canonical because it
 * matches, and need not be parsed and written again to know that. What its values may be is for the schema to say. Null
 * for a text of any other form.
 */
export function wholeText(stored: string, { chainId, leafIndex, issuedAt }: CoreIdentity): string | null {
  const found = STORED.exec(stored)?.groups;
  if (found === undefined || Number(found.shard) > MAX_SHARD) return null;
  const { disclosure, input, policy, links, turn, verdict, verifiability } = found;
  const eventId = `"event_id":"${formatEventId(chainId, { shard: Number(found.shard), sequence: leafIndex })}"`;
  const outputHash = formatDigest(hashBytes(utf8(`{${eventId},${policy},${turn},${verdict}}`)));
  return [
    `{"chain_id":${JSON.stringify(chainId)},${disclosure},${eventId},${input},"issued_at":"${issuedAt}",`,
    `"output_hash":"${outputHash}",${policy},${links},"sequence":${leafIndex},${turn},${verdict},${verifiability}}`,
  ].join("");
}
