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
import { METACHAIN_ID, PARTITION_PATTERNS } from "../../contract/table.ts";
import { entriesPath, tilePath } from "../../core/log/tiles.ts";
import {
  ANSWERED_KEYS,
  CHECKPOINT_KEYS,
  ROOT_KEYS,
  SIGNED_ROOT_KEYS,
  TILE_KEYS,
  TIMESTAMP_KEYS,
} from "../../lib/roots.ts";
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
  apiKey: keys.apiKeyKey("0123456789abcdef0123"),
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

  test("attest appends receipts, and reads what that takes", () => {
    expect(itemsFor("attest", "PutItem")).toEqual(["leaf", "turn", "idempotency", "news"]);
    expect(itemsFor("attest", "Query")).toEqual(["leaf", "turn", "seal"]);
    expect(itemsFor("attest", "BatchGetItem")).toEqual(["leaf"]);
    expect(itemsFor("attest", "GetItem")).toEqual(["idempotency"]);
  });

  test("the sealer reads chains and writes the metachain, its spans and seals", () => {
    expect(itemsFor("seal", "PutItem")).toEqual(["entry", "span", "seal", "sealer", "incomplete", "tiles"]);
    expect(itemsFor("seal", "UpdateItem")).toEqual(["seal", "sealer", "incomplete", "tiles"]);
    expect(itemsFor("seal", "Query")).toEqual(["leaf", "entry", "news", "span", "seal"]);
    expect(itemsFor("seal", "BatchGetItem")).toEqual(["leaf", "entry"]);
    expect(itemsFor("seal", "GetItem")).toEqual(["entry", "seal", "sealer", "incomplete", "tiles"]);
  });

  test("report reads one receipt and its proofs, and interaction those of a conversation; neither writes", () => {
    expect(itemsFor("report", "Query")).toEqual(["leaf", "span", "seal"]);
    expect(itemsFor("report", "GetItem")).toEqual(["leaf"]);
    expect(itemsFor("interaction", "Query")).toEqual(["turn", "span", "seal"]);
    expect(itemsFor("interaction", "GetItem")).toEqual([]);
    for (const handler of ["report", "interaction"]) {
      expect(itemsFor(handler, "BatchGetItem")).toEqual(["leaf", "entry", "seal"]);
      expect([...itemsFor(handler, "PutItem"), ...itemsFor(handler, "UpdateItem")]).toEqual([]);
    }
  });

  test("chain reads sealed heads, chain-tile their leaves too; neither writes", () => {
    expect(itemsFor("chain", "GetItem")).toEqual(["leaf", "entry", "tenant"]);
    expect(itemsFor("chain", "Query")).toEqual(["span", "seal"]);
    expect(itemsFor("chain", "BatchGetItem")).toEqual([]);
    expect(itemsFor("chain-tile", "GetItem")).toEqual(["leaf", "entry", "tenant"]);
    expect(itemsFor("chain-tile", "Query")).toEqual(["leaf", "span", "seal"]);
    expect(itemsFor("chain-tile", "BatchGetItem")).toEqual(["leaf"]);
    for (const handler of ["chain", "chain-tile"])
      expect([...itemsFor(handler, "PutItem"), ...itemsFor(handler, "UpdateItem")]).toEqual([]);
  });

  test("the authorizer reads keys and tenants by their id, and nothing else at all", () => {
    expect(itemsFor("authorize", "GetItem")).toEqual(["tenant", "apiKey"]);
    expect(actionsOf("authorize").filter((action) => /dynamodb|s3|kms/.test(action))).toEqual([
      "dynamodb:GetItem",
    ]);
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
    const roles = production.all("AWS::IAM::Role").filter(({ id }) => /Handlers|Sealer|StageGuard/.test(id));
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

describe("the key of the authentication codes", () => {
  test("makes codes for the three functions that answer with receipts, and verifies for none", () => {
    const users = functions.filter((resource) => text(statementsOf(resource)).includes("kms:GenerateMac"));
    expect(users.map(({ Properties }) => Properties.Description.split(": ")[1]).sort()).toEqual([
      "one receipt with its proofs",
      "records a disclosure",
      "the receipts of a conversation",
    ]);
    for (const user of users) {
      const [statement] = statementsOf(user).filter(({ Action }) => text(Action).includes("kms:"));
      expect(statement).toMatchObject({
        Action: "kms:GenerateMac",
        Condition: { StringEquals: { "kms:MacAlgorithm": "HMAC_SHA_256" } },
      });
    }
  });
});

describe("the key of the checkpoints", () => {
  const ofKey = (actions: string): Statement[] =>
    functions.flatMap(statementsOf).filter(({ Action }) => list(Action).includes(actions));

  test("signs for the sealer alone, whole messages by Ed25519", () => {
    const { id } = production.one("AWS::KMS::Key", /LogKey/);
    expect(ofKey("kms:Sign")).toEqual([
      {
        Effect: "Allow",
        Action: "kms:Sign",
        Resource: { "Fn::GetAtt": [id, "Arn"] },
        Condition: {
          StringEquals: { "kms:MessageType": "RAW", "kms:SigningAlgorithm": "ED25519_SHA_512" },
        },
      },
    ]);
    expect(ofKey("kms:GetPublicKey")).toEqual([
      { Effect: "Allow", Action: "kms:GetPublicKey", Resource: { "Fn::GetAtt": [id, "Arn"] } },
    ]);
    expect(actionsOf("seal")).toEqual(expect.arrayContaining(["kms:GetPublicKey", "kms:Sign"]));
  });

  test("belongs to a log that has the public address for its name, or the one that was configured", () => {
    const originOf = (stack: Synthesized): unknown =>
      stack.one("AWS::Lambda::Function", /Sealerseal/).Properties.Environment.Variables.LOG_ORIGIN;
    expect(originOf(production)).toBe("receipts.operator.example/v1/metachain");
    const { id } = production.one("AWS::CloudFront::Distribution");
    expect(originOf(new Synthesized())).toEqual({
      "Fn::Join": ["", [{ "Fn::GetAtt": [id, "DomainName"] }, "/v1/metachain"]],
    });
    expect(originOf(new Synthesized({ ...VARIANTS.production, logOrigin: "log.example/1" }))).toBe(
      "log.example/1",
    );
    expect(text(originOf(new Synthesized({ cloudFront: false })))).toMatch(/execute-api.*\/v1\/metachain/);
  });
});

describe("the published roots", () => {
  const IMMUTABLE = [ROOT_KEYS, TIMESTAMP_KEYS, TILE_KEYS, CHECKPOINT_KEYS, SIGNED_ROOT_KEYS];
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
    for (const mutable of [HEAD_PATH, CHECKPOINT_PATH]) {
      expect(IMMUTABLE.filter((keys) => isLike(mutable, keys))).toEqual([]);
    }
  });

  test("are written by the sealer alone, under their prefixes alone", () => {
    const writers = functions.filter((resource) => text(statementsOf(resource)).includes("s3:Put"));
    expect(writers.map(({ id }) => id)).toEqual([functionOf("seal").id]);
    expect(keysFor("seal", "s3:PutObject").toSorted()).toEqual(
      [HEAD_PATH, CHECKPOINT_PATH, ...IMMUTABLE].toSorted(),
    );
    expect(keysFor("seal", "s3:PutObjectRetention").toSorted()).toEqual(IMMUTABLE.toSorted());
  });

  const READERS = ["verify-inclusion", "metachain", "root", "timestamp", "checkpoint", "seal-checkpoint"];
  test.each(READERS)("%s only reads them", (handler) => {
    const actions = actionsOf(handler).filter((action) => /dynamodb|s3|kms/.test(action));
    expect(actions).toEqual(["s3:GetObject", "s3:ListBucket"]);
    expect(keysFor(handler, "s3:GetObject").toSorted()).toEqual(ANSWERED_KEYS.toSorted());
  });
});

test("functions that make codes may make those of retired keys, to verify older receipts, and know their ids", () => {
  const id = "01234567-89ab-cdef-0123-456789abcdef";
  const retired = new Synthesized({ retiredMacKeyIds: [id] });
  const statements = retired
    .all("AWS::IAM::Policy")
    .map(({ Properties }) => JSON.stringify(Properties))
    .filter((policy) => policy.includes("kms:GenerateMac"));
  expect(statements).toHaveLength(3);
  for (const statement of statements) expect(statement).toContain(`:key/${id}`);
  const environments = retired.all("AWS::Lambda::Function").map((resource) => JSON.stringify(resource));
  expect(environments.filter((text) => text.includes(`"RETIRED_MAC_KEY_IDS":"${id}"`))).toHaveLength(3);
});
