// The vectors say which check each damage fails; here is that there is no other way to change a bundle unnoticed.
import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../../evidence/core/canonical-json.ts";
import { bundleEvidenceSchema } from "../../../../evidence/core/formats/evidence.ts";
import type { LaterTimestamp } from "../../../../evidence/core/formats/evidence-bundle.ts";
import { PENDING_TIMESTAMP } from "../../../../evidence/core/formats/metachain.ts";
import { parseCertificatesPem } from "../../../../evidence/core/timestamps/x509/pem.ts";
import { fullName } from "../../../../evidence/core/verify/check.ts";
import { type BundleKnowledge, verifyBundle } from "../../../../evidence/core/verify/verify-bundle.ts";
import { layersByDigest, namedLayer } from "../../../../evidence/core/verify/verify-policy.ts";
import { readBytes, readEvidence, readReceipt, readSeal } from "../../../support/vector-files.ts";

const BUNDLE = readEvidence("bundles/conversation.json");
const published = new Map([0, 1, 2, 3].map((index) => [index, readSeal(`seals/${index}.json`)] as const));

const ANCHORS = parseCertificatesPem(new TextDecoder().decode(readBytes("authorities/service.pem")));

/** What the service states and nothing proves, and codes that only it can check. */
const STATED = [
  "/auth_mechanism",
  "/key_id",
  "/next_turn",
  "/receipts/#/key_id",
  "/receipts/#/signature",
  "/seals/#/tsa_timestamp/tsa_url",
  "/signature",
];

/** JSON pointers of all that is neither an object nor an array. */
function leavesOf(value: JsonValue, pointer = ""): string[] {
  if (typeof value !== "object" || value === null) return [pointer];
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member as JsonValue, `${pointer}/${name}`),
  );
}

/** Something else of the same type and, for a text, with one character changed. */
function another(value: JsonValue): JsonValue {
  if (typeof value === "number") return value + 1;
  if (typeof value !== "string") return value === null ? 1 : null;
  const place = value.length - 2;
  return value.slice(0, place) + (value[place] === "1" ? "2" : "1") + value.slice(place + 1);
}

function changedAt(value: JsonValue, [name, ...rest]: string[]): JsonValue {
  if (name === undefined) return another(value);
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, JsonValue>;
  copy[name] = changedAt(copy[name] as JsonValue, rest);
  return copy as JsonValue;
}

/** A path whose sizes were changed is one that is missing: then the check of the chain's growth can't be made. */
async function holds(value: unknown): Promise<boolean> {
  const bundle = bundleEvidenceSchema.safeParse(value);
  if (!bundle.success) return false;
  const { valid, checks } = await verifyBundle(bundle.data, { published });
  return valid && checks.every(({ name, ok }) => name !== "chain_consistency" || ok === true);
}

describe("a bundle", () => {
  test("holds as it is", async () => {
    expect(await holds(BUNDLE)).toBe(true);
  });

  test("has a layer of which any one value that is changed leaves the verdicts unproven", async () => {
    const { policy_layers: [layer] = [], receipts } = bundleEvidenceSchema.parse(BUNDLE);
    for (const pointer of leavesOf(layer as JsonValue)) {
      const changed = changedAt(layer as JsonValue, pointer.split("/").slice(1));
      expect(receipts.map(namedLayer).some((digest) => layersByDigest([changed]).has(digest ?? ""))).toBe(
        false,
      );
    }
  });

  // Without trust anchors: what a changed token does is the tokens' own matter.
  test("does not hold with any one value changed but those that nothing proves", async () => {
    const { policy_layers: _, ...rest } = BUNDLE as JsonObject;
    const leaves = leavesOf(rest).filter((pointer) => !pointer.endsWith("/timestamp_token"));
    expect(leaves.length).toBeGreaterThan(200);
    const unnoticed = new Set<string>();
    for (const pointer of leaves) {
      const changed = changedAt(rest, pointer.split("/").slice(1));
      if (await holds(changed)) unnoticed.add(pointer.replaceAll(/\/\d+/g, "/#"));
    }
    expect([...unnoticed].sort()).toEqual(STATED);
  });
});

describe("a bundle of one receipt", () => {
  const { interaction_id, receipts, requests, proofs, seals } = bundleEvidenceSchema.parse(BUNDLE);
  const one = {
    interaction_id,
    receipts: receipts.slice(0, 1),
    requests: requests.slice(0, 1),
    proofs: proofs.slice(0, 1),
    seals: seals.filter(({ index }) => index === proofs[0]?.merkle_proof.cross_tenant_proof?.seal_index),
  };
  const outcome = async (value: object, name: string, known: BundleKnowledge = { published }) => {
    const { checks } = await verifyBundle(bundleEvidenceSchema.parse(value), known);
    return checks.find((check) => fullName(check) === name)?.ok;
  };

  test("holds, and its only seal must be the published one", async () => {
    expect(one.seals).toHaveLength(1);
    expect(await holds(one)).toBe(true);
    expect(await outcome(one, "published_seals")).toBe(true);
    const seal = { ...one.seals[0], receipt_count: 1_000 };
    expect(await outcome({ ...one, seals: [seal] }, "published_seals")).toBe(false);
  });

  test("has roots that nobody compared, or that are published in its words", async () => {
    const check = async (known: BundleKnowledge) => {
      const { checks } = await verifyBundle(bundleEvidenceSchema.parse(one), known);
      const { ok, detail } = checks.find(({ name }) => name === "published_seals") ?? expect.unreachable();
      return { ok, detail };
    };
    expect(await check({})).toEqual({ ok: null, detail: "not all of the published roots were given" });
    expect(await check({ published })).toEqual({ ok: true, detail: "1 root as published" });
    const older = new Map([...published.keys()].map((index) => [index, "too_new"] as const));
    expect(await check({ published: older })).toEqual({
      ok: null,
      detail: "the list of published roots at hand ends before some of these",
    });
    const [index] = one.seals.map((seal) => seal.index);
    const detail = `no root is published under ${index}`;
    expect(await check({ published: new Map() })).toEqual(await check({}));
    expect(await check({ published: new Map([[index ?? 0, null]]) })).toEqual({ ok: false, detail });
  });

  test("says of its request that it is of this conversation, or that it was erased", async () => {
    const check = async (value: object) => {
      const { checks } = await verifyBundle(bundleEvidenceSchema.parse(value));
      const { ok, detail } = checks.find(({ name }) => name === "interaction") ?? expect.unreachable();
      return { ok, detail };
    };
    expect(await check(one)).toEqual({ ok: true, detail: "1 request of this conversation" });
    expect(await check({ ...one, requests: [null] })).toEqual({
      ok: null,
      detail: "all requests were erased",
    });
    const other = { ok: false, detail: "a request is of another conversation" };
    expect(await check({ ...one, interaction_id: "call-2" })).toEqual(other);
    expect(await outcome({ ...one, requests: [null] }, "receipts/0/input_hash")).toBeNull();
  });

  test("is not said to be published while it is under no seal", async () => {
    const pending = readReceipt("receipts/greeting-pending.json");
    const value = { ...one, receipts: pending.receipts, proofs: [pending], seals: [] };
    expect(await holds(value)).toBe(true);
    expect(await outcome(value, "published_seals")).toBeNull();
  });

  test("can't be read with a request or a proof too many or too few", () => {
    const isRead = (change: object) => bundleEvidenceSchema.safeParse({ ...one, ...change }).success;
    expect(isRead({})).toBe(true);
    for (const requests of [[], [null, null]]) expect(isRead({ requests })).toBe(false);
    for (const proofs of [[], [...one.proofs, ...one.proofs]]) expect(isRead({ proofs })).toBe(false);
  });

  test("does not hold where its seal has a further token that is over another root", async () => {
    const { tsa_timestamp } = readSeal("seals/3.json");
    const seals = one.seals.map((seal) => ({ ...seal, additional_timestamps: [tsa_timestamp] }));
    const known = { published, trustAnchors: ANCHORS };
    expect(await outcome({ ...one, seals }, "seals/0/additional_timestamps", known)).toBe(false);
  });
});

describe("a bundle whose seals were published without a token", () => {
  const bundle = bundleEvidenceSchema.parse(BUNDLE);
  const seals = bundle.seals.map((seal) => ({
    ...seal,
    tsa_timestamp: PENDING_TIMESTAMP,
    additional_timestamps: [],
  }));
  const later = bundle.seals.map(({ index, tsa_timestamp }) => ({ seal_index: index, tsa_timestamp }));
  const [first, second] = later;
  if (first === undefined || second === undefined) throw new Error("the bundle leads to several seals");

  /** The outcome of each check of a timestamp, by its place. */
  const outcomesOf = async (later_timestamps: LaterTimestamp[]): Promise<Record<string, boolean | null>> => {
    const changed = bundleEvidenceSchema.parse({ ...bundle, seals, later_timestamps });
    const { checks } = await verifyBundle(changed, { published, trustAnchors: ANCHORS });
    const timestamps = checks.filter(({ name }) => /timestamps?$/.test(name));
    return Object.fromEntries(timestamps.map((check) => [fullName(check), check.ok]));
  };
  const outcomesOfReceipts = async (given: LaterTimestamp[]) =>
    Object.entries(await outcomesOf(given)).flatMap(([name, ok]) =>
      name.startsWith("receipts") ? [ok] : [],
    );

  test("is timestamped by the tokens that came later", async () => {
    const included = bundle.proofs.map(({ merkle_proof }) => merkle_proof.status === "included" || null);
    expect(await outcomesOfReceipts(later)).toEqual(included);
    expect(await outcomesOfReceipts([])).toEqual(included.map(() => null));
    const outcomes = await outcomesOf(later);
    for (const i of seals.keys()) {
      expect([outcomes[`seals/${i}/timestamp`], outcomes[`seals/${i}/additional_timestamps`]]).toEqual([
        null,
        true,
      ]);
    }
  });

  test("does not hold with a token over another root, in the first place or behind", async () => {
    const swapped = { ...first, tsa_timestamp: second.tsa_timestamp };
    expect(await outcomesOfReceipts([swapped])).toContain(false);
    expect(await outcomesOf([first, swapped])).toMatchObject({ "seals/0/additional_timestamps": false });
  });

  test("is not helped by a token that is of no seal in it", async () => {
    expect(await outcomesOfReceipts([{ ...first, seal_index: 999 }])).not.toContain(true);
  });
});
