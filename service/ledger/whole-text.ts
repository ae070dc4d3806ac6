// The text of a whole core, put together from the stored text of its other members.
import * as z from "zod";
import { utf8 } from "../../evidence/core/bytes.ts";
import { formatEventId, MAX_SHARD } from "../../evidence/core/formats/event-id.ts";
import { type ReceiptCore, receiptCoreSchema } from "../../evidence/core/formats/receipt.ts";
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";

/** JCS writes a text of printable ASCII without an escape, and a safe integer, in this way alone. */
const TEXT = String.raw`"[ !#-\[\]-~]*"`;
const INTEGER = "(?:0|[1-9][0-9]{0,14})";

type CoreSchema = z.core.$ZodType;

/** A member as JCS writes it. What its schema asks of the value beyond that is left open. */
function member(name: string, schema: CoreSchema, comma = ""): string {
  if (schema instanceof z.ZodOptional) return `(?:${member(name, schema.unwrap(), comma)})?`;
  return `${comma}"${name}":${patternOf(schema)}`;
}

function patternOf(schema: CoreSchema): string {
  if (schema instanceof z.ZodNullable) return `(?:null|${patternOf(schema.unwrap())})`;
  if (schema instanceof z.ZodObject) return String.raw`\{${membersOf(schema.shape)}\}`;
  if (schema instanceof z.ZodArray) return listOf(patternOf(schema.element));
  return schema instanceof z.ZodNumber ? INTEGER : TEXT;
}

/** All members in the order of JCS; the first of them is required. */
const membersOf = (shape: Readonly<Record<string, CoreSchema>>): string =>
  Object.entries(shape)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema], index) => member(name, schema, index === 0 ? "" : ","))
    .join("");

const listOf = (value: string): string => String.raw`\[(?:${value}(?:,${value})*)?\]`;

const part = (...names: readonly (keyof ReceiptCore)[]): string =>
  names.map((name) => member(name, receiptCoreSchema.shape[name])).join(",");

/** The members that are stored with every core that the service made, in the order of JCS. */
const STORED = new RegExp(
  [
    String.raw`^\{(?<disclosure>${part("disclosure")}),(?<input>${part("input_hash")}),(?<policy>${part("policy")}),`,
    `(?<links>${part("previous_hash", "previous_turn_hash", "receipt_format_version", "recorded_after")}),`,
    `"shard":(?<shard>${INTEGER}),(?<turn>${part("turn")}),(?<verdict>${part("verdict")}),`,
    String.raw`(?<verifiability>${part("verifiability")})\}$`,
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
