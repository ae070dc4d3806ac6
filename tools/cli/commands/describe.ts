// Describes evidence as sections of labelled lines. They repeat what the file says: nothing is verified here.
import { rootPath } from "../../../contract/metachain-paths.ts";
import { SECOND_MS } from "../../../contract/time.ts";
import { parseBase64 } from "../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import type { EvidenceChain, MerkleProof } from "../../../evidence/core/formats/compliance-receipt.ts";
import type { Seal, TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import { NO_PREVIOUS_HASH, type ShownReceipt } from "../../../evidence/core/formats/receipt.ts";
import type { Renewal } from "../../../evidence/core/formats/renewal.ts";
import { parseTimestampToken } from "../../../evidence/core/timestamps/timestamp-token.ts";
import { formatName } from "../../../evidence/core/timestamps/x509/distinguished-name.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { termIn, textIn } from "../../../evidence/reader/text/text.ts";
import { shippedWording } from "../../../evidence/reader/wording.ts";

const TEXT = textIn("en");

/** A line without a label continues the one above. */
export interface DescribedSection {
  readonly title: string;
  readonly lines: readonly (readonly [label: string, text: string])[];
}

export function describeDisclosure({
  disclosure,
  policy,
  verdict,
  issued_at,
  turn,
}: ShownReceipt): DescribedSection {
  const wording = shippedWording(disclosure.subject_hash);
  const [first, ...more] = policy.findings.map(describeFinding);
  return {
    title: "What was disclosed",
    lines: [
      [
        "duty",
        `Art. 50(${disclosure.article_50_clause}) of Regulation (EU) 2024/1689, in ${disclosure.jurisdiction}`,
      ],
      ["recorded", `${issued_at}, by the service's clock`],
      ["turn", `${turn} of the conversation`],
      ["how", `${disclosure.modality}, ${disclosure.disclosure_method}`],
      ["wording", wording === null ? "none that this program knows" : `${wording.id} (${wording.language})`],
      ...(wording === null ? [] : ([["text", `“${wording.text}”`]] as const)),
      ["digest", disclosure.subject_hash],
      ["policy layer", `${policy.jurisdiction} ${policy.version}`],
      ["layer digest", policy.digest],
      ["verdict", `${verdict}: ${termIn(TEXT, verdict)}`],
      ...(first === undefined ? [] : ([["findings", first]] as const)),
      ...more.map((finding) => ["", finding] as const),
    ],
  };
}

const describeFinding = (finding: string): string => {
  const term = termIn(TEXT, finding);
  // A finding that a later service may bring has no words here.
  return term === finding ? finding : `${term} (${finding})`;
};

export function describeChain(receipt: ShownReceipt, head?: EvidenceChain): DescribedSection {
  const { sequence, previous_hash, previous_turn_hash } = receipt;
  return {
    title: "Its place in the chain",
    lines: [
      ["event", receipt.event_id],
      ["chain", receipt.chain_id],
      ["place", `receipt no. ${sequence} of its chain, counted from 0`],
      [
        "receipt before",
        previous_hash === NO_PREVIOUS_HASH ? "none: this is the first receipt of its chain" : previous_hash,
      ],
      ["turn before", previous_turn_hash ?? "none: this is the first turn of its conversation"],
      ["input hash", receipt.input_hash],
      ["output hash", receipt.output_hash],
      ...(head === undefined
        ? []
        : ([["newest receipt", `no. ${head.sequence}, ${head.head_hash}`]] as const)),
      ["MAC", describeMac(receipt)],
    ],
  };
}

/** A receipt that came as a .tlog-proof is the core alone. */
const describeMac = ({ auth_mechanism, key_id }: ShownReceipt): string =>
  auth_mechanism === undefined
    ? "none: it is left out of this form of the receipt"
    : `${auth_mechanism} under the key ${key_id}, which only the service can check`;

export function describeProof(proof: MerkleProof): DescribedSection {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = proof;
  const published =
    cross === null
      ? ([["published", "not yet: the root below is that of the chain alone"]] as const)
      : ([
          ["root of the chain", event.root],
          ["in the metachain", `entry ${cross.leaf_index} of ${cross.tree_size}, counted from 0`],
          ...pathLines(cross.path),
          ["published", `/${rootPath(cross.seal_index)}`],
        ] as const);
  return {
    title: "The proof",
    lines: [
      ["leaf hash", event.leaf_hash],
      ["in the chain", `leaf ${event.leaf_index} of ${event.tree_size}, counted from 0`],
      ...pathLines(event.path),
      ...published,
      ["root", proof.merkle_root],
    ],
  };
}

const pathLines = (path: readonly string[]): (readonly [string, string])[] =>
  path.map((node, i) => [i === 0 ? "path" : "", node]);

export function describeTimestamp(
  { timestamp_token, tsa_url }: TsaTimestamp,
  root: string,
): DescribedSection {
  return { title: "The timestamp", lines: timestampLines(timestamp_token, tsa_url, root) };
}

/** The later root whose timestamp covers this one too. It came with the report. */
export function describeRenewal({ renews, between, seal }: Renewal): DescribedSection {
  const { lines } = describeTimestamp(seal.tsa_timestamp, seal.merkle_root);
  return {
    title: "Its renewal",
    lines: [
      ["renews", `published root ${renews}`],
      ["by", `published root ${seal.index}, over ${count(between.length + 1, "consistency path")}`],
      ["root", seal.merkle_root],
      ...lines,
    ],
  };
}

function timestampLines(token: string | null, url: string | null, root: string): DescribedSection["lines"] {
  if (token === null) return [["token", "there is none yet"]];
  try {
    return [...tokenLines(token), ["authority", url ?? "not named"], ["check", opensslLine(token, root)]];
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return [["token", `can't be read: ${error.message}`]];
  }
}

function tokenLines(token: string): DescribedSection["lines"] {
  const der = parseBase64(token);
  const { tstInfo, certificates } = parseTimestampToken(der);
  const names = certificates.map(({ subject }) => formatName(subject));
  return [
    ["time", `${tstInfo.genTime}, RFC 3161, not a qualified timestamp`],
    ["policy", tstInfo.policy],
    ["size", `${der.length} bytes`],
    ...names.map((name, i) => [i === 0 ? "certificates" : "", name] as const),
  ];
}

/** `-attime` is the token's own time: OpenSSL would take today, when the certificates may have run out. */
function opensslLine(token: string, root: string): string {
  const seconds = Math.floor(Date.parse(parseTimestampToken(parseBase64(token)).tstInfo.genTime) / SECOND_MS);
  return `openssl ts -verify -digest ${root.slice(2)} -in token.der -token_in -CAfile ca.pem -attime ${seconds}`;
}

export function describeSeal(seal: Seal): DescribedSection {
  return {
    title: `Published root ${seal.index}`,
    lines: [
      ["root", seal.merkle_root],
      [
        "tree size",
        `${count(seal.tree_size, "entry", "entries")}; the root before had ${seal.previous_tree_size}`,
      ],
      ["root before", seal.previous_root ?? "none: this is the first root"],
      ...pathLines(seal.consistency_path),
      ["sealed", `${seal.sealed_at}, by the service's clock`],
      ["receipts", `${seal.receipt_count} new, as the service states`],
      ["further tokens", `${seal.additional_timestamps.length}`],
    ],
  };
}
