// The emulators that the service runs on enforce no policy. So here the service runs with its calls recorded, and each
// function's policy is asked whether AWS would have let it.
import { afterAll, expect, test } from "vitest";
import { readChainPage, readChainTile } from "../../service/reports/chain-history.ts";
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import { Tenants } from "../../service/tenants/tenants.ts";
import type { Call, Interceptor } from "../support/faults.ts";
import { MINUTE, startLedgerStack } from "../support/ledger-stack.ts";
import { requestOf } from "../support/test-process.ts";
import { Policies, type Request } from "./iam.ts";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const policies = new Policies(new Synthesized(VARIANTS.production));
const stack = await startLedgerStack();
afterAll(stack.close);

interface Keyed {
  readonly pk: { readonly S: string };
}
interface Input {
  readonly Key?: Keyed | string;
  readonly Item?: Keyed;
  readonly RequestItems?: Record<string, { readonly Keys: readonly Keyed[] }>;
  readonly TransactItems?: readonly { readonly Put: { readonly Item: Keyed } }[];
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, { readonly S: string }>;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly MacAlgorithm?: string;
  readonly SigningAlgorithm?: string;
  readonly MessageType?: string;
  readonly IfNoneMatch?: string;
  readonly ObjectLockMode?: string;
}

const onTable = (operation: string, items: readonly (Keyed | undefined)[], more = {}): Request => ({
  action: `dynamodb:${operation}`,
  context: { "dynamodb:LeadingKeys": items.map((item) => item?.pk.S ?? "no key"), ...more },
});

/** The attributes that an update names, by themselves or through a placeholder. */
function attributesOf({
  UpdateExpression = "",
  ConditionExpression = "",
  ExpressionAttributeNames = {},
}: Input) {
  const names = `${UpdateExpression} ${ConditionExpression}`.match(/(?<![:\w])#?[a-z]\w*(?!\w*\()/g) ?? [];
  return ["pk", "sk", ...names.map((name) => ExpressionAttributeNames[name] ?? name)];
}

const signing = ({ SigningAlgorithm, MessageType }: Input) => ({
  "kms:SigningAlgorithm": [String(SigningAlgorithm)],
  "kms:MessageType": [String(MessageType)],
});

/** What IAM is asked when the SDK makes a call. */
function requestsOf(name: string, input: Input): Request[] {
  const item = typeof input.Key === "object" ? input.Key : input.Item;
  const suffix = String(input.Key);
  switch (name) {
    case "GetItem":
    case "PutItem":
      return [onTable(name, [item])];
    case "UpdateItem":
      return [onTable(name, [item], { "dynamodb:Attributes": attributesOf(input) })];
    case "BatchGetItem":
      return [
        onTable(
          name,
          Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) => Keys),
        ),
      ];
    case "Query":
      return [onTable(name, [{ pk: input.ExpressionAttributeValues?.[":pk"] ?? { S: "no key" } }])];
    case "TransactWriteItems": {
      const enclosing = { "dynamodb:EnclosingOperation": [name] };
      return (input.TransactItems ?? []).map(({ Put }) => onTable("PutItem", [Put.Item], enclosing));
    }
    case "GenerateMac":
      return [{ action: "kms:GenerateMac", context: { "kms:MacAlgorithm": [String(input.MacAlgorithm)] } }];
    case "Sign":
      return [{ action: "kms:Sign", context: signing(input) }];
    case "GetPublicKey":
      return [{ action: "kms:GetPublicKey" }];
    case "GetObject":
      return [{ action: "s3:GetObject", suffix }];
    case "PutObject": {
      const lock = input.ObjectLockMode === undefined ? [] : [{ action: "s3:PutObjectRetention", suffix }];
      return [{ action: "s3:PutObject", suffix }, ...lock];
    }
    case "Stamp":
      return [];
    default:
      throw new Error(`nobody has said which right ${name} takes`);
  }
}

/** Records the calls of a process, and lists those that the function's policy refuses. */
class Recorder {
  readonly calls: Call[] = [];
  readonly intercept: Interceptor = (call, send) => {
    this.calls.push(call);
    return send();
  };

  refusedTo(handler: string): Request[] {
    const requests = this.calls.flatMap(({ name, input }) => requestsOf(name, input as Input));
    expect(requests.length).toBeGreaterThan(0);
    return requests.filter((request) => !policies.allows(handler, request));
  }
}

/** A ledger with a tenant, some receipts of two conversations, and two published seals. */
async function newWorld() {
  const ledger = await stack.newLedger();
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  for (const id of ["call-1", "call-1", "call-2"]) await process.attest(caller, requestOf(id));
  await process.seal();
  const { event_id } = await process.attest(caller, requestOf("call-2"), "key");
  ledger.now += MINUTE;
  await process.seal();
  return { ledger, caller, eventId: event_id };
}

test("attest may make every call that it makes: new, again in another process, and by the same Idempotency-Key", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  await ledger.newProcess(recorder.intercept).attest(caller, requestOf("call-3"), "other");
  await ledger.newProcess(recorder.intercept).attest(caller, requestOf("call-2"), "key");
  expect(recorder.calls.map(({ name }) => name)).toContain("BatchGetItem");
  expect(recorder.refusedTo("attest")).toEqual([]);
});

test("attest may read what the quota is held against, and the receipt of a repeat once it is used up", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  const plans = { test: { rate: 1, burst: 1, monthlyQuota: 3, chains: 1 } };
  const process = ledger.newProcess(recorder.intercept, { plans });
  ledger.now += 24 * 60 * MINUTE;
  await expect(process.attest(caller, requestOf("call-3"), "other")).rejects.toMatchObject({
    code: "quota_exceeded",
  });
  expect(recorder.calls.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Query", "BatchGetItem", "GetItem"]),
  );
  expect(recorder.refusedTo("attest")).toEqual([]);
});

test("the sealer may make every call that it makes: the first seal, a later one, and one that another run finished", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  await (await stack.newLedger()).newProcess(recorder.intercept).seal();
  await ledger.newProcess().attest(caller, requestOf("call-4"));
  ledger.now += MINUTE;
  const runs = [1, 2].map(() => ledger.newProcess(recorder.intercept).seal());
  await Promise.all(runs);
  expect(recorder.calls.map(({ name }) => name)).toEqual(expect.arrayContaining(["UpdateItem", "PutObject"]));
  expect(recorder.refusedTo("seal")).toEqual([]);
});

test("the sealer may publish a seal without a token and complete it later, each token with condition and lock", async () => {
  const { ledger, caller } = await newWorld();
  await ledger.newProcess().attest(caller, requestOf("call-4"));
  const recorder = new Recorder();
  const outage: Interceptor = (call, send) =>
    call.name === "Stamp" ? Promise.reject(new Error("no answer")) : recorder.intercept(call, send);
  for (let run = 0; run < 3; run++) {
    ledger.now += MINUTE;
    await ledger.newProcess(outage).seal();
  }
  await ledger.newProcess(recorder.intercept).seal();
  expect(recorder.refusedTo("seal")).toEqual([]);
  const tokens = recorder.calls
    .filter(({ name }) => name === "PutObject")
    .map(({ input }) => input as Input)
    .filter(({ Key }) => String(Key).includes("/timestamps/"));
  expect(tokens).toMatchObject([1, 2].map(() => ({ IfNoneMatch: "*", ObjectLockMode: "COMPLIANCE" })));
});

test("report may make every call that it makes, for a receipt that is there and for one that is not", async () => {
  const { ledger, caller, eventId } = await newWorld();
  const elsewhere = await stack.newLedger();
  await elsewhere.newTenant("tenant");
  const recorder = new Recorder();
  await ledger.newProcess(recorder.intercept).report(caller, eventId);
  await expect(elsewhere.newProcess(recorder.intercept).report(caller, eventId)).rejects.toThrow();
  expect(recorder.refusedTo("report")).toEqual([]);
});

test("interaction may make every call that it makes", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  await ledger.newProcess(recorder.intercept).interaction(caller, "call-2");
  expect(recorder.refusedTo("interaction")).toEqual([]);
});

test("chain and chain-tile may make every call that they make, for a sealed size and for an earlier one", async () => {
  const { ledger, caller } = await newWorld();
  const [chainId = ""] = caller.chainIds;
  const [heads, leaves] = [new Recorder(), new Recorder()];
  await readChainPage(ledger.newProcess(heads.intercept).table, caller, chainId, 0);
  for (const width of [1, 3])
    await readChainTile(ledger.newProcess(leaves.intercept).table, caller, chainId, { index: 0, width });
  expect(heads.refusedTo("chain")).toEqual([]);
  expect(leaves.refusedTo("chain-tile")).toEqual([]);
  expect(leaves.calls.map(({ name }) => name)).toContain("BatchGetItem");
});

test("the authorizer may make every call that it makes", async () => {
  const { ledger } = await newWorld();
  await ledger.newTenant("holder");
  const { apiKey } = await new ApiKeys(ledger.newProcess().table, ledger.clock).create({
    tenantId: "holder",
    scopes: ["attest"],
    expiresAt: null,
  });
  const recorder = new Recorder();
  await new Tenants(ledger.newProcess(recorder.intercept).table, ledger.clock).authenticate(apiKey);
  expect(recorder.refusedTo("authorize")).toEqual([]);
});

test("those who read roots may read head and roots, and learn what is not there", async () => {
  const { ledger } = await newWorld();
  const recorder = new Recorder();
  const { roots } = ledger.newProcess(recorder.intercept);
  await roots.head();
  expect(await roots.sealText(99)).toBeNull();
  expect(await roots.timestampText(0, 0)).toBeNull();
  for (const handler of ["metachain", "root", "timestamp", "verify-inclusion", "seal"]) {
    expect(recorder.refusedTo(handler)).toEqual([]);
    // Without it S3 hides behind AccessDenied that a key is not there.
    expect(policies.allows(handler, { action: "s3:ListBucket" })).toBe(true);
  }
});

test("every root is written with what the bucket demands: the condition, and the lock", async () => {
  const { ledger, caller } = await newWorld();
  const recorder = new Recorder();
  await ledger.newProcess().attest(caller, requestOf("call-5"));
  ledger.now += MINUTE;
  await ledger.newProcess(recorder.intercept).seal();
  const puts = recorder.calls
    .filter(({ name }) => name === "PutObject")
    .map(({ input }) => input as Input)
    .filter(({ Key }) => String(Key).includes("/roots/"));
  expect(puts).toEqual([expect.objectContaining({ IfNoneMatch: "*", ObjectLockMode: "COMPLIANCE" })]);
});

test("a call that a function should not make would be found", async () => {
  const { ledger, caller, eventId } = await newWorld();
  const recorder = new Recorder();
  const process = ledger.newProcess(recorder.intercept);
  await process.report(caller, eventId);
  await process.attest(caller, requestOf("call-6"));
  expect(recorder.refusedTo("report").map(({ action }) => action)).toContain("dynamodb:PutItem");
});
