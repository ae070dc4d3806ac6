// Evidence in words, as sections of labelled lines. Nothing is verified here: this is what the file says.
import { parseBase64 } from "../../core/bytes.ts";
import { isDisclosureError } from "../../core/errors.ts";
import type { EvidenceChain, MerkleProof } from "../../core/formats/compliance-receipt.ts";
import type { Seal, TsaTimestamp } from "../../core/formats/metachain.ts";
import { NO_PREVIOUS_HASH, type Receipt } from "../../core/formats/receipt.ts";
import type { Renewal } from "../../core/formats/renewal.ts";
import { parseTimestampToken } from "../../core/timestamps/timestamp-token.ts";
import { formatName } from "../../core/timestamps/x509/distinguished-name.ts";
import { count } from "../../core/verify/count.ts";
import { describeFinding, describeVerdict, findWording } from "../evidence/wording.ts";

/** Some lines have no label: they go on with the one above. */
export interface Section {
  readonly title: string;
  readonly lines: readonly (readonly [label: string, text: string])[];
}

export function describeDisclosure({ disclosure, policy, verdict, issued_at, turn }: Receipt): Section {
  const wording = findWording(disclosure.subject_hash);
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
      ["verdict", describeVerdict(verdict)],
      ...(first === undefined ? [] : ([["findings", first]] as const)),
      ...more.map((finding) => ["", finding] as const),
    ],
  };
}

export function describeChain(receipt: Receipt, head?: EvidenceChain): Section {
  const { sequence, previous_hash, previous_turn_hash } = receipt;
  return {
    title: "Where it stands",
    lines: [
      ["event", receipt.event_id],
      ["chain", receipt.chain_id],
      ["place", `receipt ${sequence} of the chain, counted from 0`],
      ["before it", previous_hash === NO_PREVIOUS_HASH ? "nothing: the first of its chain" : previous_hash],
      ["turn before", previous_turn_hash ?? "none: the first of its conversation"],
      ["input hash", receipt.input_hash],
      ["output hash", receipt.output_hash],
      ...(head === undefined
        ? []
        : ([["chain's head", `receipt ${head.sequence}, ${head.head_hash}`]] as const)),
      ["MAC", `${receipt.auth_mechanism} under key ${receipt.key_id}: only the service can check it`],
    ],
  };
}

export function describeProof(proof: MerkleProof): Section {
  const { event_inclusion_proof: event, cross_tenant_proof: cross } = proof;
  const published =
    cross === null
      ? ([["published", "not yet: the root is the chain's own"]] as const)
      : ([
          ["chain's root", event.root],
          ["as a leaf", `leaf ${cross.leaf_index} of the metachain's ${cross.tree_size}`],
          ...pathLines(cross.path),
          ["published", `/v1/metachain/roots/${cross.seal_index}`],
        ] as const);
  return {
    title: "The proof",
    lines: [
      ["leaf hash", event.leaf_hash],
      ["as a leaf", `leaf ${event.leaf_index} of the chain's ${event.tree_size}`],
      ...pathLines(event.path),
      ...published,
      ["root", proof.merkle_root],
    ],
  };
}

const pathLines = (path: readonly string[]): (readonly [string, string])[] =>
  path.map((node, i) => [i === 0 ? "path" : "", node]);

export function describeTimestamp({ timestamp_token, tsa_url }: TsaTimestamp, root: string): Section {
  return { title: "The timestamp", lines: timestampLines(timestamp_token, tsa_url, root) };
}

/** The later root whose timestamp covers this one too, as it came with the report. */
export function describeRenewal({ renews, between, seal }: Renewal): Section {
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

function timestampLines(token: string | null, url: string | null, root: string): Section["lines"] {
  if (token === null) return [["token", "none yet"]];
  try {
    return [...tokenLines(token), ["authority", url ?? "not named"], ["check", opensslLine(token, root)]];
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    return [["token", `can't be read: ${error.message}`]];
  }
}

function tokenLines(token: string): Section["lines"] {
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

/** As of the token's own time: OpenSSL takes today's otherwise, on which the certificates may have run out. */
function opensslLine(token: string, root: string): string {
  const seconds = Math.floor(Date.parse(parseTimestampToken(parseBase64(token)).tstInfo.genTime) / 1_000);
  return `openssl ts -verify -digest ${root.slice(2)} -in token.der -token_in -CAfile ca.pem -attime ${seconds}`;
}

export function describeSeal(seal: Seal): Section {
  return {
    title: `Published root ${seal.index}`,
    lines: [
      ["root", seal.merkle_root],
      ["tree size", `${count(seal.tree_size, "entry", "entries")}, ${seal.previous_tree_size} before`],
      ["root before", seal.previous_root ?? "none: the first"],
      ...pathLines(seal.consistency_path),
      ["sealed", `${seal.sealed_at}, by the service's clock`],
      ["receipts", `${seal.receipt_count} new, as the service states`],
      ["more tokens", `${seal.additional_timestamps.length}`],
    ],
  };
}
