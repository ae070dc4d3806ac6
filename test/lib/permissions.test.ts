// Least privilege, function by function: what each may do, with what, and above all what none may.
import { describe, expect, test } from "vitest";
import {
  CHECKPOINT_PATH,
  checkpointPath,
  HEAD_PATH,
  logFilePath,
  rootPath,
  signedRootPath,
  timestampPath,
} from "../../contract/metachain-paths.ts";
import { jurisdictionPath, layerPath, POLICY_PATH } from "../../contract/policy-paths.ts";
import { METACHAIN_ID, PARTITION_PATTERNS } from "../../contract/table.ts";
import { entriesPath, tilePath } from "../../evidence/core/log/tiles.ts";
import {
  ANSWERED_KEYS,
  CHECKPOINT_KEYS,
  LAYER_KEYS,
  LIST_KEYS,
  ROOT_KEYS,
  SIGNED_ROOT_KEYS,
  TILE_KEYS,
  TIMESTAMP_KEYS,
} from "../../lib/evidence/roots.ts";
import * as keys from "../../service/table/keys.ts";
import { isLike, list, Policies, type Statement } from "./iam.ts";
import { type Resource, Synthesized, VARIANTS } from "./synthesis.ts";

const CHAIN_ID = "0123456789abcdef0123456789abcdef";
const production = new Synthesized(VARIANTS.production);

const policies = new Policies(production);
const functionOf = (handler: string): Resource => policies.functionOf(handler);
const statementsOf = (resource: Resource): Statement[] => policies.statementsOf(resource);
const text = (resource: unknown): string => JSON.stringify(resource);

/** Our functions, not those that CDK brings for deployments. */
const functions = production.all("AWS::Lambda::Function").filter(({ id }) => id.startsWith("Attestation"));

const actionsOf = (handler: string): string[] =>
  [...new Set(statementsOf(functionOf(handler)).flatMap(({ Action }) => Action))].sort();

/** Whether a function may do this with an item of this key, in a transaction where it takes one. */
const may = (handler: string, operation: string, { pk }: keys.ItemKey): boolean =>
  policies.allows(handler, {
    action: `dynamodb:${operation}`,
    context: { "dynamodb:LeadingKeys": [pk.S], "dynamodb:EnclosingOperation": ["TransactWriteItems"] },
  });

const conversation = keys.conversationPartition("tenant", "interaction");
const ITEMS = {
  leaf: keys.leafKey(CHAIN_ID, 0),
  entry: keys.leafKey(METACHAIN_ID, 0),
  turn: keys.turnKey(conversation, 1),
  idempotency: keys.idempotencyKey("tenant", "header"),
  news: keys.newsKey(1, CHAIN_ID),
  span: keys.spanKey(keys.sealedPartition(CHAIN_ID), 0),
  seal: keys.spanKey(keys.SEALS_PARTITION, 0),
  sealer: keys.sealerKey,
  incomplete: keys.incompleteKey,
  tiles: keys.tilesKey,
  tenant: keys.tenantKey("tenant"),
  tenants: keys.tenantIndexKey("tenant"),
  apiKey: keys.apiKeyKey("0123456789abcdef0123"),
  usedKey: keys.keyUseKey("0123456789abcdef0123"),
  layer: { pk: { S: `layer#${"0".repeat(64)}` }, sk: { S: "layer" } },
  layers: { pk: { S: "layers" }, sk: { S: "0".repeat(64) } },
  ownWordings: { pk: { S: `wordings#${"0".repeat(64)}` }, sk: { S: "-" } },
  webhook: keys.webhookKey("tenant"),
  webhooks: keys.webhookIndexKey("tenant"),
};
const itemsFor = (handler: string, operation: string): string[] =>
  Object.entries(ITEMS).flatMap(([name, key]) => (may(handler, operation, key) ? [name] : []));

describe("the table's partitions", () => {
  test("each item has one pattern that it falls under", () => {
    const owners = Object.values(ITEMS).map(
      ({ pk }) => Object.values(PARTITION_PATTERNS).filter((pattern) => isLike(pk.S, pattern)).length,
    );
    expect(owners).toEqual(owners.map(() => 1));
  });

  test("attest appends receipts, records the layers that they name, and reads what that takes", () => {
    const receipts = ["leaf", "turn", "idempotency", "news"];
    expect(itemsFor("attest", "PutItem")).toEqual([...receipts, "layer", "layers"]);
    expect(itemsFor("attest", "Query")).toEqual(["leaf", "turn", "seal"]);
    expect(itemsFor("attest", "BatchGetItem")).toEqual(["leaf", "layer"]);
    expect(itemsFor("attest", "GetItem")).toEqual(["idempotency", "layers", "ownWordings"]);
  });

  test("the sealer reads chains and writes the metachain, its spans and seals", () => {
    const own = ["sealer", "incomplete", "tiles"];
    expect(itemsFor("seal", "PutItem")).toEqual(["entry", "span", "seal", ...own, "layer", "layers"]);
    expect(itemsFor("seal", "UpdateItem")).toEqual(["seal", ...own, "layers"]);
    expect(itemsFor("seal", "Query")).toEqual(["leaf", "entry", "news", "span", "seal", "tenants", "layers"]);
    expect(itemsFor("seal", "BatchGetItem")).toEqual(["leaf", "entry", "tenant", "layer"]);
    expect(itemsFor("seal", "GetItem")).toEqual(["leaf", "entry", "seal", ...own, "layers"]);
  });

  test("report reads one receipt and its proofs, and interaction those of a conversation; neither writes", () => {
    expect(itemsFor("report", "Query")).toEqual(["leaf", "span", "seal"]);
    expect(itemsFor("report", "GetItem")).toEqual(["leaf"]);
    expect(itemsFor("interaction", "Query")).toEqual(["turn", "span", "seal"]);
    expect(itemsFor("interaction", "GetItem")).toEqual([]);
    expect(itemsFor("report", "BatchGetItem")).toEqual(["leaf", "entry", "seal"]);
    expect(itemsFor("interaction", "BatchGetItem")).toEqual(["leaf", "entry", "seal", "layer"]);
    for (const handler of ["report", "interaction"]) {
      expect([...itemsFor(handler, "PutItem"), ...itemsFor(handler, "UpdateItem")]).toEqual([]);
    }
  });

  test("chain-heads reads sealed heads, chain-entries their leaves too; neither writes", () => {
    expect(itemsFor("chain-heads", "GetItem")).toEqual(["leaf", "entry", "tenant"]);
    expect(itemsFor("chain-heads", "Query")).toEqual(["span", "seal"]);
    expect(itemsFor("chain-heads", "BatchGetItem")).toEqual([]);
    expect(itemsFor("chain-entries", "GetItem")).toEqual(["leaf", "entry", "tenant"]);
    expect(itemsFor("chain-entries", "Query")).toEqual(["leaf", "span", "seal"]);
    expect(itemsFor("chain-entries", "BatchGetItem")).toEqual(["leaf"]);
    for (const handler of ["chain-heads", "chain-entries"])
      expect([...itemsFor(handler, "PutItem"), ...itemsFor(handler, "UpdateItem")]).toEqual([]);
  });

  test("receipts reads the leaves of chains, and writes nothing", () => {
    for (const operation of ["GetItem", "Query"]) expect(itemsFor("receipts", operation)).toEqual(["leaf"]);
    for (const operation of ["BatchGetItem", "PutItem", "UpdateItem"])
      expect(itemsFor("receipts", operation)).toEqual([]);
  });

  test("key counts the receipts of chains, and reads no key", () => {
    expect(itemsFor("key", "Query")).toEqual(["leaf"]);
    expect(itemsFor("key", "BatchGetItem")).toEqual(["leaf"]);
    for (const operation of ["GetItem", "PutItem", "UpdateItem"])
      expect(itemsFor("key", operation)).toEqual([]);
  });

  test("usage and the monthly bills read chains and their heads; the latter and the sealer alone list tenants; neither writes", () => {
    expect(itemsFor("usage", "GetItem")).toEqual(["tenant"]);
    expect(itemsFor("usage", "Query")).toEqual(["span", "seal"]);
    expect(itemsFor("usage", "BatchGetItem")).toEqual(["leaf", "entry"]);
    expect(itemsFor("bill", "GetItem")).toEqual(["tenant"]);
    expect(itemsFor("bill", "Query")).toEqual(["span", "seal", "tenants"]);
    expect(itemsFor("bill", "BatchGetItem")).toEqual(["leaf", "entry", "tenant"]);
    for (const handler of ["usage", "bill"])
      expect([...itemsFor(handler, "PutItem"), ...itemsFor(handler, "UpdateItem")]).toEqual([]);
    expect(
      functions
        .filter(({ id }) => id !== functionOf("bill").id && id !== functionOf("seal").id)
        .filter((each) => text(statementsOf(each)).includes('"tenants"')),
    ).toEqual([]);
  });

  test("bills are stored by their own run alone, and usage only reads them", () => {
    const put = (handler: string) => actionsOf(handler).filter((action) => action.startsWith("s3:"));
    expect(put("usage")).toEqual(["s3:GetObject", "s3:ListBucket"]);
    expect(put("bill")).toEqual(["s3:GetObject", "s3:ListBucket", "s3:PutObject", "s3:PutObjectRetention"]);
  });

  test("webhooks reads what is sealed of chains, and writes how far each webhook was told", () => {
    expect(itemsFor("webhooks", "GetItem")).toEqual(["tenant", "webhook"]);
    expect(itemsFor("webhooks", "BatchGetItem")).toEqual(["leaf"]);
    expect(itemsFor("webhooks", "Query")).toEqual(["span", "seal", "webhooks"]);
    for (const operation of ["PutItem", "UpdateItem"])
      expect(itemsFor("webhooks", operation)).toEqual(["webhook"]);
  });

  test("the authorizer reads keys and tenants by their id, notes the day of a key's use, and nothing else at all", () => {
    expect(itemsFor("authorize", "GetItem")).toEqual(["tenant", "apiKey"]);
    expect(itemsFor("authorize", "UpdateItem")).toEqual(["usedKey"]);
    expect(actionsOf("authorize").filter((action) => /dynamodb|s3|kms/.test(action))).toEqual([
      "dynamodb:GetItem",
      "dynamodb:UpdateItem",
    ]);
    const note = statementsOf(functionOf("authorize")).find(({ Action }) =>
      text(Action).includes("UpdateItem"),
    );
    expect(note?.Condition?.["ForAllValues:StringEquals"]).toEqual({
      "dynamodb:Attributes": ["pk", "sk", "day"],
    });
  });
});

describe("no function", () => {
  const statements = functions.flatMap(statementsOf);

  test("has a wildcard in an action, or may touch all of anything but, if it is traced, X-Ray", () => {
    expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes("*"))).toEqual([]);
    const everywhere = (among: readonly Statement[]) =>
      new Set(among.filter(({ Resource }) => list(Resource).includes("*")).flatMap(({ Action }) => Action));
    expect([...everywhere(statements)]).toEqual([]);
    const traced = new Policies(new Synthesized(VARIANTS.firewall));
    expect([...everywhere(traced.statementsOf(traced.functionOf("attest")))]).toEqual([
      "xray:PutTelemetryRecords",
      "xray:PutTraceSegments",
    ]);
  });

  test("may delete an item, an object or a key, or change a policy", () => {
    const actions = statements.flatMap(({ Action }) => Action);
    expect(
      actions.filter((action) => /Delete|Policy|Schedule|Disable|Bypass|Acl|Grant/.test(action)),
    ).toEqual([]);
  });

  test("may write an item of the ledger outside of a transaction, but for the sealer's own mark", () => {
    const free = functions.flatMap((resource) =>
      statementsOf(resource)
        .filter(({ Action }) => list(Action).includes("dynamodb:PutItem"))
        .filter(({ Condition }) => Condition?.["ForAnyValue:StringEquals"] === undefined)
        .map(({ Condition }) => Condition),
    );
    expect(free).toEqual([
      {
        Null: { "dynamodb:LeadingKeys": "false" },
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["sealer"] },
      },
    ]);
    const bound = statements
      .map(({ Condition }) => Condition?.["ForAnyValue:StringEquals"])
      .filter((condition) => condition !== undefined);
    expect(bound).toEqual(bound.map(() => ({ "dynamodb:EnclosingOperation": ["TransactWriteItems"] })));
  });

  test("may reach the table without naming partitions", () => {
    const table = statements.filter(({ Action }) => text(Action).includes("dynamodb:"));
    const unnamed = table.filter(
      ({ Condition }) =>
        Condition?.["ForAllValues:StringLike"] === undefined ||
        Condition.Null?.["dynamodb:LeadingKeys"] !== "false",
    );
    expect(table.length).toBeGreaterThan(10);
    expect(unnamed).toEqual([]);
  });

  test("has AWS's managed policies", () => {
    const roles = production
      .all("AWS::IAM::Role")
      .filter(({ id }) => /Handlers|Sealer|Biller|StageGuard|Webhooks/.test(id));
    expect(roles.length).toBeGreaterThan(functions.length);
    expect(roles.filter(({ Properties }) => Properties.ManagedPolicyArns !== undefined)).toEqual([]);
  });
});

describe("a committed seal", () => {
  test("may be given its text and later tokens and be marked as published; its tree may not be touched", () => {
    const updates = statementsOf(functionOf("seal")).filter(({ Action }) => Action === "dynamodb:UpdateItem");
    const ofSeals = updates.filter(({ Condition }) => text(Condition).includes('["seals"]'));
    expect(ofSeals.map(({ Condition }) => Condition?.["ForAllValues:StringEquals"])).toEqual([
      { "dynamodb:Attributes": ["pk", "sk", "text", "later", "published"] },
    ]);
  });
});

describe("a wording layer in the table", () => {
  test("may be marked as published; its bytes and its name may not be touched", () => {
    const updates = statementsOf(functionOf("seal")).filter(({ Action }) => Action === "dynamodb:UpdateItem");
    const ofLayers = updates.filter(({ Condition }) => text(Condition).includes('["layers"]'));
    expect(ofLayers.map(({ Condition }) => Condition?.["ForAllValues:StringEquals"])).toEqual([
      { "dynamodb:Attributes": ["pk", "sk", "published_at"] },
    ]);
  });
});

describe("the published roots", () => {
  const IMMUTABLE = [ROOT_KEYS, TIMESTAMP_KEYS, TILE_KEYS, CHECKPOINT_KEYS, SIGNED_ROOT_KEYS, LAYER_KEYS];
  const MUTABLE = [HEAD_PATH, CHECKPOINT_PATH, ...LIST_KEYS];
  /** The keys of the bucket for which a function has an action. */
  const keysFor = (handler: string, action: string): (string | undefined)[] => {
    const statement = statementsOf(functionOf(handler)).find(({ Action }) => list(Action).includes(action));
    return list(statement?.Resource).map((resource) => text(resource).match(/"\/([^"]*)"\]\]/)?.[1]);
  };

  test("lie where the service puts them", () => {
    expect(isLike(rootPath(7), ROOT_KEYS)).toBe(true);
    expect(isLike(timestampPath(7, 0), TIMESTAMP_KEYS)).toBe(true);
    for (const path of [
      tilePath({ level: 1, index: 1_000, width: 112 }),
      entriesPath({ index: 0, width: 256 }),
    ]) {
      expect(isLike(logFilePath(path), TILE_KEYS)).toBe(true);
    }
    expect(isLike(checkpointPath(7), CHECKPOINT_KEYS)).toBe(true);
    expect(isLike(signedRootPath(7), SIGNED_ROOT_KEYS)).toBe(true);
    expect(isLike(layerPath(`sha256:${"0".repeat(64)}`), LAYER_KEYS)).toBe(true);
    for (const mutable of [HEAD_PATH, CHECKPOINT_PATH, POLICY_PATH, jurisdictionPath("DE")]) {
      expect([mutable, MUTABLE.some((keys) => isLike(mutable, keys))]).toEqual([mutable, true]);
      expect(IMMUTABLE.filter((keys) => isLike(mutable, keys))).toEqual([]);
    }
  });

  test("are written by the sealer alone, under their prefixes alone", () => {
    const writers = functions.filter((resource) => text(statementsOf(resource)).includes("s3:Put"));
    expect(writers.map(({ id }) => id).sort()).toEqual([functionOf("bill").id, functionOf("seal").id].sort());
    expect(text(statementsOf(functionOf("bill")))).not.toContain("RootsBucket");
    expect(keysFor("seal", "s3:PutObject").toSorted()).toEqual([...MUTABLE, ...IMMUTABLE].toSorted());
    expect(keysFor("seal", "s3:PutObjectRetention").toSorted()).toEqual(IMMUTABLE.toSorted());
  });

  const READERS = ["verify-inclusion", "metachain", "root", "timestamp", "checkpoint", "seal-checkpoint"];
  test.each(READERS)("%s only reads them", (handler) => {
    const actions = actionsOf(handler).filter((action) => /dynamodb|s3|kms/.test(action));
    expect(actions).toEqual(["s3:GetObject", "s3:ListBucket"]);
    expect(keysFor(handler, "s3:GetObject").toSorted()).toEqual(ANSWERED_KEYS.toSorted());
  });

  const POLICY = [...LIST_KEYS, LAYER_KEYS];
  test.each([
    ["policy", POLICY],
    ["policy-jurisdiction", POLICY],
    ["policy-layer", POLICY],
    ["status", [HEAD_PATH, CHECKPOINT_PATH, CHECKPOINT_KEYS]],
  ])("%s only reads its own part of them", (handler, keys) => {
    const actions = actionsOf(handler).filter((action) => /dynamodb|s3|kms/.test(action));
    expect(actions).toEqual(["s3:GetObject", "s3:ListBucket"]);
    expect(keysFor(handler, "s3:GetObject").toSorted()).toEqual(keys.toSorted());
  });
});
