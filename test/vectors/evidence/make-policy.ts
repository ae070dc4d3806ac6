// Makes the receipts of the policy check: a chain of them under one seal, each true or with one lie that its own hashes
// hide, and the layers that they name. Run by hand in this folder after make.ts, then `npm run vectors`; see SOURCES.md.
import { mkdirSync } from "node:fs";
import { canonicalBytes } from "../../../evidence/core/canonical-json.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { composeLayer } from "../../../evidence/core/policy/effective-layer.ts";
import { fillOperator } from "../../../evidence/core/policy/gaps.ts";
import { hashWording, parsePolicyLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { emptyFolder, type Json, print, write } from "./edit.ts";
import {
  anchorPem,
  bundleOf,
  entryOf,
  type Lie,
  reportOf,
  sealOf,
  type Told,
  Tree,
  type Turn,
  tell,
} from "./forged-history.ts";
import { FUTURE, GREETING, NOTICE, OWN, OWN_RETIRED, POLICY_CASES, RETIRED, TEMPLATE } from "./policy-cases.ts";

const DAY = "2026-11-16T10:00:00.000Z";
const SEALED = "2026-11-16T10:01:00.000Z";
const LEGAL_REFERENCE = {
  act: "Regulation (EU) 2024/1689",
  eli: "http://data.europa.eu/eli/reg/2024/1689/oj",
  provisions: ["Art. 50(1)"],
  applicable_since: "2026-08-02",
  notes: [],
};
const METHODS = [
  { id: "reported_after_call", modalities: ["voice"], reported: true },
  { id: "spoken_introduction", modalities: ["voice", "walkthrough"], reported: false },
  { id: "spoken_reminder", modalities: ["voice"] },
  { id: "written_notice", modalities: ["chat"] },
];

const digestOfText = (text: string): string => formatDigest(hashWording(text));

function wording(id: string, text: string, more: { [name: string]: Json } = {}): { [name: string]: Json } {
  return {
    id,
    language: "de",
    modality: "voice",
    methods: ["spoken_introduction"],
    text,
    digest: digestOfText(text),
    use: "An example of the test vectors",
    sources: ["Art. 50(1)"],
    approved_on: "2026-08-02",
    retired_on: null,
    ...more,
  };
}

const layer = (jurisdiction: string, status: string, wordings: Json[]): { [name: string]: Json } => ({
  jurisdiction,
  status,
  version: "2026-11-01.1",
  legal_reference: LEGAL_REFERENCE,
  disclosure_methods: METHODS,
  wordings,
});

const example = layer("DE", "active", [
  wording("de-greeting", GREETING, { methods: ["spoken_introduction", "reported_after_call"] }),
  wording("de-template", TEMPLATE),
  wording("de-notice", NOTICE, { modality: "chat", methods: ["written_notice"] }),
  wording("de-retired", RETIRED, { retired_on: "2026-11-15" }),
  wording("de-future", FUTURE, { approved_on: "2026-11-17" }),
]);

/** A tenant's own greeting, which is the template filled, and one that it no longer uses. */
const effective = composeLayer(parsePolicyLayer(example), {
  id: "00112233445566778899aabbccddeeff",
  registered: [
    { jurisdiction: "DE", wording: ownWording("own-greeting", OWN, null, "de-template") },
    { jurisdiction: "DE", wording: ownWording("own-retired", OWN_RETIRED, "2026-11-15", null) },
  ],
}) as unknown as Json;

function ownWording(id: string, text: string, retired_on: string | null, template: string | null) {
  const { language, modality, methods, approved_on, digest } = wording(id, text);
  const approved_by = "Head of customer service";
  return { id, language, modality, methods, digest, approved_on, retired_on, approved_by, template } as never;
}

const LAYERS: Readonly<Record<string, Json>> = {
  example,
  effective,
  preview: layer("NL", "in_development", [wording("nl-greeting", GREETING, { language: "nl" })]),
  planned: layer("BE", "planned", [wording("be-greeting", GREETING, { language: "fr" })]),
  // One byte: a wording that was retired on the 15th is so on the 25th.
  changed: JSON.parse(JSON.stringify(example).replace('"retired_on":"2026-11-15"', '"retired_on":"2026-11-25"')),
  "no-layer": { note: "what a receipt names may be anything" },
};

const digestOf = (name: string): string => formatDigest(hashBytes(canonicalBytes(LAYERS[name])));

/** Each is a turn of one conversation and a receipt of one chain. */
function tellAll(): Told[] {
  const told: Told[] = [];
  for (const [place, { layer: name = "example", said, disclosure, verdict, policy }] of POLICY_CASES.entries()) {
    const before = told.at(-1);
    const { digest: named, ...members } = policy ?? {};
    const lie: Lie = {
      place,
      turn: place + 1,
      time: DAY,
      before,
      ...(before !== undefined && { previousHash: formatDigest(before.hash) }),
      disclosure: { disclosure_method: "spoken_introduction", subject_hash: digestOfText(said), ...disclosure },
      layer: LAYERS[name] ?? null,
      ...(verdict !== undefined && { verdict }),
      policy: { ...members, ...(typeof named === "string" && { digest: digestOf(named) }) },
    };
    told.push(tell(lie));
  }
  return told;
}

if (fillOperator(TEMPLATE, "Example Ltd") !== OWN) throw new Error("the own wording is not the template filled");
const told = tellAll();
const chain = new Tree(told.map(({ hash }) => hash));
const head = { chain, index: 0, size: told.length };
const sealing = { index: 0, metachain: new Tree([entryOf(head)]), size: 1, previousSize: 0, time: SEALED };
const headHash = told.at(-1)?.hash ?? new Uint8Array();
const turns = told.map((one, place): Turn => ({ told: one, place, head, headHash, entry: 0, sealing }));

emptyFolder("policy");
// The service's own layer, which is in this folder, stays.
mkdirSync(new URL("layers/", import.meta.url), { recursive: true });
for (const [name, value] of Object.entries(LAYERS)) write(`layers/${name}.json`, print(value));
for (const [place, { name }] of POLICY_CASES.entries()) {
  const turn = turns[place];
  if (turn !== undefined) write(`policy/${name}.json`, print(reportOf(turn)));
}
write("policy/seal.json", print(sealOf(sealing)));
write("policy/authority.pem", anchorPem());
const bundle = bundleOf(turns.slice(0, 2)) as { [name: string]: Json };
const bundles: Readonly<Record<string, Json[]>> = {
  "carried": [example],
  "carried-changed": [LAYERS.changed ?? null],
  "carried-too-many": Array.from({ length: 17 }, () => example),
  "carried-no-object": ["a layer"],
};
for (const [name, policy_layers] of Object.entries(bundles))
  write(`policy/bundle-${name}.json`, print({ ...bundle, policy_layers }));
