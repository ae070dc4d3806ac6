// What an attestation writes, in bytes as DynamoDB counts them: each item takes two write units in a transaction, up to a
// million receipts in a chain.
import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { type AttestationRequest, hashInput } from "../../../evidence/core/formats/attestation-request.ts";
import type { TreeLeaf } from "../../../evidence/core/merkle/merkle-tree.ts";
import { leftPathLength } from "../../../evidence/core/merkle/merkle-tree.ts";
import { lookupLayer, rulesOf } from "../../../evidence/core/policy/policy.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { planReceipts, type Submission } from "../../../service/ledger/append-plan.ts";
import { planWrites } from "../../../service/ledger/append-writes.ts";
import type { Item } from "../../../service/table/item.ts";
import { conversationPartition, idempotencyKey } from "../../../service/table/keys.ts";
import { requestOf } from "../../support/test-process.ts";

const NOW = new Date("2038-11-22T21:43:19.876Z");
const RULES = rulesOf(lookupLayer(policyLayers, "DE"));
const CHAIN = { chainId: randomBytes(16).toString("hex"), shard: 4_095 };
const KEY_ID = `mrk-${randomBytes(16).toString("hex")}/2038-11-22`;
const MILLION = 2 ** 20;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const sizeOf = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + utf8(name).length + valueSize(value), 0);

function valueSize({ S, N, B }: Item[string]): number {
  if (S !== undefined) return utf8(S).length;
  if (N !== undefined) return Math.ceil(N.length / 2) + 1;
  return B?.length ?? expect.unreachable("an attribute of another type");
}

const leafAt = (leafIndex: number): TreeLeaf => ({
  leafIndex,
  leafHash: randomBytes(32),
  leftPath: Array.from({ length: leftPathLength(leafIndex) }, () => randomBytes(32)),
});

/** The sizes of the items that a request needs as leaf `leafIndex`, by their roles. */
function sizesAt(
  leafIndex: number,
  request: AttestationRequest,
  rules: Submission["rules"] = RULES,
): Record<string, number> {
  const conversation = conversationPartition("tenant", request.interaction_id);
  const idempotency = idempotencyKey("tenant", "key");
  const submission = { request, inputHash: hashInput(request), rules, conversation, idempotency };
  const seal_hash = `sha256:${randomBytes(32).toString("hex")}`;
  const stampedSeal = { recordedAfter: { seal_index: 5_260_123, seal_hash }, fromSize: 987_654_321 };
  const head = { leaf: leafAt(leafIndex - 1), issuedAt: NOW.toISOString(), stampedSeal };
  const { chainId } = CHAIN;
  const turn = { turn: 99_998, chainId, leafHash: `sha256:${randomBytes(32).toString("hex")}` };
  const turns = new Map([[conversation, turn]]);
  const planned = planReceipts(CHAIN, [submission], { head, turns, stampedSeal: null, now: NOW });
  const signature = randomBytes(32).toString("base64");
  const authentication = { auth_mechanism: "hmac-sha256", key_id: KEY_ID, signature } as const;
  const receipts = planned.map((receipt) => ({ ...receipt, authentication }));
  const writes = planWrites({ receipts, token: randomUUID(), now: NOW, head });
  return Object.fromEntries(
    writes.map(({ role, write }) => {
      if (!("insert" in write || "put" in write)) return expect.unreachable();
      return [role, sizeOf("insert" in write ? write.insert : write.put)];
    }),
  );
}

const LONGEST: Partial<AttestationRequest> = {
  interaction_id: "i".repeat(128),
  agent_identity: "a".repeat(128),
  disclosed_at: "2038-11-22T21:39:07.123Z",
};

const LONGEST_ID = RULES.wordings.reduce((longest, { id }) => Math.max(longest, id.length), 0);

/** Every wording as it is approved; and one with the longest id, and one that nobody approved, in every other way. */
const USUAL: Partial<AttestationRequest>[] = [
  ...RULES.wordings.flatMap(({ digest: subject_hash, modality, methods }) =>
    methods.map((disclosure_method) => ({ subject_hash, modality, disclosure_method })),
  ),
  ...[
    ...RULES.wordings.filter(({ id }) => id.length === LONGEST_ID).map(({ digest }) => digest),
    `sha256:${randomBytes(32).toString("hex")}`,
  ].flatMap((subject_hash) =>
    (["voice", "chat", "walkthrough"] as const).flatMap((modality) =>
      RULES.disclosure_methods.map(({ id }) => ({ subject_hash, modality, disclosure_method: id })),
    ),
  ),
];

describe("the items of an attestation", () => {
  // The longest left path of all, and the two longest of leaves whose previous hash is not in it.
  test.each([MILLION - 1, MILLION - 2, MILLION / 2 - 1])("as leaf %i take two units each", (leafIndex) => {
    for (const changes of USUAL) {
      const sizes = sizesAt(leafIndex, requestOf("call", { ...LONGEST, ...changes }));
      expect(Object.keys(sizes)).toEqual(["leaf", "turn", "idempotency"]);
      for (const [role, size] of Object.entries(sizes))
        expect(size, `${role} ${JSON.stringify(changes)}`).toBeLessThan(1_024);
    }
  });

  test("as the first leaves of a chain are far below that", () => {
    expect(sizesAt(200, requestOf("call")).leaf).toBeLessThan(600);
  });

  test("take three units' worth only at the longest left paths of a layer that the dictionary does not know", () => {
    const other = { ...RULES, version: "2037-12-31.12", digest: `sha256:${randomBytes(32).toString("hex")}` };
    const request = requestOf("call", LONGEST);
    expect(sizesAt(MILLION - 1, request, other).leaf).toBeLessThan(1_024 + 64);
    // All but the few leaves with more than eighteen hashes.
    expect(sizesAt(MILLION / 2 - 1, request, other).leaf).toBeLessThan(1_024);
  });
});
