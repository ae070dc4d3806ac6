// The receipts of the index: the good ones as the service gave them, and one with each thing wrong in the receipt itself.
import {
  ANCHORS,
  BASE,
  BOUND,
  type Context,
  changed,
  contextOf,
  FORMAT,
  FORMAT_AND_LEAF,
  HEAD,
  OTHER_DIGEST,
  OTHER_UUID,
  UNPUBLISHED,
} from "./damage-base.ts";
import { all, at, beside, type Edit, type Draft, type Json, otherHex, read, remove, set, swap } from "./edit.ts";

export const receiptEntries = (): Draft[] => [...goodReceipts(), ...receiptChanges()];

function goodReceipts(): Draft[] {
  const good = (name: string, context: Context, unmade: string[], reason: string): Draft => ({
    file: `receipts/${name}.json`,
    kind: "receipt",
    failing: [],
    unmade,
    reason,
    ...context,
  });
  /** An answer comes without the seal that it names; the first one names none. */
  const answer = (name: string, unmade: string[], reason: string) => {
    const open = name === "greeting" ? [...unmade, UNPUBLISHED] : [...unmade, UNPUBLISHED, BOUND];
    return good(`${name}-pending`, contextOf(name), open, `answer to the call: ${reason}`);
  };
  const report = (name: string, seal: number, unmade: string[], reason: string) =>
    good(name, contextOf(name, seal), unmade, `report once sealed: ${reason}`);
  const bare = good(
    BASE,
    {},
    ["input_hash", HEAD, UNPUBLISHED, "timestamp", BOUND],
    "a receipt and nothing beside it",
  );
  return [
    answer("greeting", [], "the first receipt of a chain"),
    answer("chat-message", [], "the second receipt, first turn of another conversation"),
    answer("reminder", ["links"], "an even place: the path doesn't show the receipt before"),
    answer("other-tenant", [], "the first receipt of another tenant"),
    answer("hand-off", [], "verdict MODIFY with two findings"),
    answer("walkthrough", ["links"], "modality walkthrough"),
    answer("other-tenant-again", [], "second turn at another tenant"),
    answer("second-chain", [], "a tenant's second chain: shard 1 in the event id"),
    answer("together-a", [], "written alone"),
    answer("together-b", ["links", HEAD], "written with two later ones: the root is the last one's"),
    answer("together-c", [HEAD], "written with others"),
    answer("together-d", ["links"], "written with others, the last of them"),
    answer("goodbye", [], "fourth turn"),
    report("greeting", 0, [], "a metachain of one entry, all paths empty"),
    report("chat-message", 1, [HEAD], "a metachain of three entries"),
    report("reminder", 1, ["links"], "the head of its chain"),
    report("other-tenant", 1, [], "another tenant under the same root"),
    report("hand-off", 2, [HEAD], "the base of the damaged ones"),
    report("walkthrough", 2, ["links", HEAD], "modality walkthrough"),
    report("other-tenant-again", 2, [], "another tenant under the same root"),
    report("second-chain", 2, [], "a tenant's second chain"),
    report("together-a", 2, [HEAD], "one of several at once"),
    report("together-b", 2, ["links", HEAD], "one of several at once"),
    report("together-c", 2, [HEAD], "one of several at once"),
    report("together-d", 2, ["links"], "one of several at once"),
    report("goodbye", 3, [], "the head of its chain, and of the metachain"),
    good("goodbye-unstamped", contextOf("goodbye"), [UNPUBLISHED, "timestamp"], "report before the seal"),
    bare,
    {
      ...bare,
      anchors: ANCHORS,
      seal: "seals/2.json",
      before: "seals/1.json",
      unmade: ["input_hash", HEAD],
      reason: "without the request",
    },
    {
      ...report(BASE, 2, [], ""),
      anchors: "authorities/service-and-other.pem",
      unmade: [HEAD],
      reason: "two anchors",
    },
  ];
}

/** The seal that the receipt names, as it came with it or as it is published. */
function sealsBefore(): Draft[] {
  const carried = "/recorded_after_seal";
  return [
    changed("named-seal-other", [BOUND], "another seal came with it", set(carried, read("seals/0.json"))),
    changed(
      "named-seal-changed",
      [BOUND],
      "the time of the seal that came with it was changed",
      set(`${carried}/sealed_at`, "2026-01-01T00:00:00.000Z"),
    ),
    changed(
      "named-seal-without-token",
      [BOUND],
      "the token of the seal that came with it is missing",
      set(`${carried}/tsa_timestamp`, at(read("receipts/goodbye-unstamped.json"), "/tsa_timestamp")),
    ),
    changed(
      "named-seal-member-added",
      [],
      "the seal that came with it has a member that the format does not know",
      set(`${carried}/note`, "ignored"),
    ),
    changed("named-seal-published", [], "no seal came with it, and the reader has the published one", remove(carried)),
    withoutSeals(
      changed("named-seal-missing", [], "no seal came with it, and the reader has none", remove(carried), {
        unmade: [HEAD, UNPUBLISHED, BOUND],
      }),
    ),
    {
      ...changed("named-seal-unpublished", [BOUND], "the seal that came with it is not published", () => {}),
      before: null,
    },
    {
      ...changed("named-seal-published-otherwise", [BOUND], "another seal is published", () => {}),
      before: "seals/0.json",
    },
    {
      ...changed("named-seal-unreadable", [], "the seal that came with it is none", set(carried, 7), { unmade: [] }),
      expected: "unreadable",
    },
  ];
}

const withoutSeals = ({ seal: _seal, before: _before, ...row }: Draft): Draft => row;

/** Each member of the receipt core, then the receipt as a whole. */
function receiptChanges(): Draft[] {
  const core = (name: string, failing: string[], member: string | Edit, value?: unknown) =>
    changed(
      `core-${name}`,
      failing,
      `the receipt's ${name} was changed`,
      typeof member === "string" ? set(`/receipts/0/${member}`, value as never) : member,
    );
  const outcome = ["output_hash", "leaf_hash"];
  const disclosed = ["input_hash", "leaf_hash"];
  /** Where it is another than the layer gives, too. */
  const judged = ["output_hash", "policy", "leaf_hash"];
  return [
    core("event_id", ["receipt_format", "event_id", ...outcome], otherHex("/receipts/0/event_id")),
    core(
      "chain_id",
      ["event_id", "leaf_hash", "evidence_chain", "merkle_root"],
      otherHex("/receipts/0/chain_id"),
    ),
    core("sequence", ["event_id", "leaf_hash"], "sequence", 5),
    core("turn", outcome, "turn", 2),
    core("verdict", judged, "verdict", "ALLOW"),
    {
      ...core("input_hash", ["leaf_hash"], otherHex("/receipts/0/input_hash")),
      unmade: ["input_hash", HEAD],
      reason: "the receipt's input_hash was changed: the leaf shows it, and to the request it is another receipt's",
    },
    core("output_hash", outcome, otherHex("/receipts/0/output_hash")),
    core("previous_hash", ["leaf_hash", "links"], "previous_hash", OTHER_DIGEST),
    core("previous_turn_hash", ["leaf_hash"], "previous_turn_hash", OTHER_DIGEST),
    core("previous_turn_hash-null", ["leaf_hash", "links"], "previous_turn_hash", null),
    core("issued_at-earlier", ["leaf_hash", BOUND], "issued_at", "2026-01-01T00:00:00.000Z"),
    core("issued_at-later", ["leaf_hash", "timestamp"], "issued_at", "2036-01-01T00:00:00.000Z"),
    core("recorded_after-null", ["leaf_hash"], "recorded_after", null),
    core("recorded_after-seal_index", ["leaf_hash", BOUND], "recorded_after/seal_index", 2),
    core("recorded_after-seal_hash", ["leaf_hash", BOUND], "recorded_after/seal_hash", OTHER_DIGEST),
    core("recorded_after-type", FORMAT_AND_LEAF, "recorded_after", 1),
    core("disclosure-disclosed_at", disclosed, "disclosure/disclosed_at", "2026-11-21T00:00:00Z"),
    core("disclosure-disclosed_at-form", FORMAT_AND_LEAF, "disclosure/disclosed_at", "2026-11-21T01:00:00+01:00"),
    { ...core("policy-digest", outcome, "policy/digest", OTHER_DIGEST), unmade: ["policy", HEAD] },
    core("disclosure-article_50_clause", FORMAT_AND_LEAF, "disclosure/article_50_clause", "2"),
    core("disclosure-disclosure_method", ["input_hash", "policy", "leaf_hash"], "disclosure/disclosure_method", "spoken_reminder"),
    core("disclosure-jurisdiction", ["input_hash", "policy", "leaf_hash"], "disclosure/jurisdiction", "AT"),
    core("disclosure-modality", disclosed, "disclosure/modality", "chat"),
    core("disclosure-subject_hash", disclosed, "disclosure/subject_hash", OTHER_DIGEST),
    core("policy-jurisdiction", judged, "policy/jurisdiction", "AT"),
    core("policy-version", judged, "policy/version", "2026-11-20.1"),
    core("policy-wording_id", judged, "policy/wording_id", "de-voice-reminder-1"),
    core("policy-findings-fewer", judged, remove("/receipts/0/policy/findings/0")),
    core("policy-findings-order", judged, swap("/receipts/0/policy/findings", 0, 1)),
    core("receipt_format_version", FORMAT_AND_LEAF, "receipt_format_version", "1.1"),
    core("verifiability", FORMAT_AND_LEAF, "verifiability", "unverifiable"),
    core("sequence-type", FORMAT_AND_LEAF, "sequence", "3"),
    core("member-missing", FORMAT_AND_LEAF, remove("/receipts/0/verifiability")),
    core("member-added", ["leaf_hash"], "note", "the person agreed"),
    core("member-called-__proto__", ["leaf_hash"], "__proto__", { verdict: "ALLOW" }),
    core("policy-member-added", outcome, "policy/note", "reviewed"),
    core("disclosure-member-added", ["leaf_hash"], "disclosure/language", "de"),
    changed(
      "both-event-ids",
      ["event_id", ...outcome],
      "answer and receipt agree on another event id",
      all(set("/event_id", OTHER_UUID), set("/receipts/0/event_id", OTHER_UUID)),
    ),
    ...sealsBefore(),
    changed("event_id", ["receipt_format"], "the answer names another event", otherHex("/event_id")),
    changed(
      "of-another-event",
      ["receipt_format", "leaf_hash"],
      "the first receipt of the chain in place of this one, whose request the reader holds",
      set("/receipts", at(read("receipts/greeting.json"), "/receipts")),
      { unmade: ["input_hash", HEAD] },
    ),
    changed(
      "of-another-tenant",
      ["receipt_format", "leaf_hash", "links", "evidence_chain", "merkle_root"],
      "another tenant's receipt in place of this one, whose request the reader holds",
      set("/receipts", at(read("receipts/other-tenant-again.json"), "/receipts")),
      { unmade: ["input_hash"] },
    ),
    changed("signature-malformed", FORMAT, "a code that is no HMAC", set("/receipts/0/signature", "abc=")),
    ...statements(),
    {
      ...changed(
        "request-of-another-event",
        [],
        "nothing was changed: the reader brought another receipt's request, which says nothing of this one",
        () => {},
        { unmade: ["input_hash", HEAD] },
      ),
      request: "requests/reminder.json",
    },
    beside(
      changed(
        "request-member-added",
        [],
        "nothing was changed: the request that the reader brought has a member more, and so is another",
        () => {},
        { unmade: ["input_hash", HEAD] },
      ),
      "request",
      "damaged/request-member-added.json",
      requestWithNote(),
    ),
  ];
}

function requestWithNote(): Json {
  const request = read(`requests/${BASE}.json`);
  set("/note", "said twice")(request);
  return request;
}

/** What no reader without the key can check: changed, and still all checks hold. */
function statements(): Draft[] {
  const zero = `${"A".repeat(43)}=`;
  const stated = (name: string, edit: Edit) =>
    changed(
      `stated-${name}`,
      [],
      `${name} is stated, not proven: only the key's holder sees the change`,
      edit,
    );
  return [
    stated("receipt-signature", set("/receipts/0/signature", zero)),
    stated("receipt-key_id", set("/receipts/0/key_id", "another")),
    stated("signature", set("/signature", zero)),
    stated("key_id", set("/key_id", "another")),
    stated("tsa_url", set("/tsa_timestamp/tsa_url", "https://tsa.example")),
    stated("head_hash-of-a-later-receipt", set("/evidence_chain/head_hash", OTHER_DIGEST)),
    stated("member-outside-the-receipt", set("/note", "answers may gain members")),
    stated("proof-member-added", set("/merkle_proof/note", "answers may gain members")),
  ];
}
