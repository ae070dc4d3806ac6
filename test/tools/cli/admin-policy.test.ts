// The policy in docs/admin.md is what the operator's commands need, and opens no conversation: each call that they make
// on the table is held against it, as IAM would.
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { CONSOLE_PATHS, CONSOLE_REPORTS_PATH } from "../../../contract/console.ts";
import { lookupLayer } from "../../../evidence/core/policy/policy.ts";
import { TimestampVerifier } from "../../../evidence/core/timestamps/timestamp-verifier.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { LedgerAudit } from "../../../service/audit/ledger-audit.ts";
import { readLedgerStatus } from "../../../service/audit/ledger-status.ts";
import { erase } from "../../../service/erasure/erase.ts";
import { readRetainedChains } from "../../../service/erasure/retained-chains.ts";
import { runRetention } from "../../../service/erasure/retention.ts";
import { isRetentionOverdue } from "../../../service/erasure/retention-progress.ts";
import { RECEIPT_ATTRIBUTES, REMOVED_LEAF } from "../../../service/ledger/chain-leaf.ts";
import { REMOVAL } from "../../../service/ledger/leaf-states.ts";
import { WordingRegistry } from "../../../service/policy/wording-registry.ts";
import { findByEventId } from "../../../service/reports/find-receipts.ts";
import { setAside } from "../../../service/sealing/set-aside.ts";
import { conversationPartition, idempotencyKey, leafKey, newsKey } from "../../../service/table/keys.ts";
import { ApiKeys } from "../../../service/tenants/api-keys.ts";
import {
  createTenant,
  listTenants,
  movePlan,
  resumeTenant,
  suspendTenant,
} from "../../../service/tenants/counted-tenants.ts";
import { listKeys, rotateKey } from "../../../service/tenants/tenant-keys.ts";
import { TenantRegistry } from "../../../service/tenants/tenant-registry.ts";
import { asking, operatorOf } from "../../host/console/world.ts";
import { isLike, list, type Statement } from "../../lib/iam.ts";
import type { Call, Interceptor } from "../../support/faults.ts";
import { HOUR, startLedgerStack } from "../../support/ledger-stack.ts";
import { ownWordingOf } from "../../support/own-wording.ts";
import { plantEntry } from "../../support/planted.ts";
import { requestOf } from "../../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const GERMAN = lookupLayer(policyLayers, "DE");
const OWN = ownWordingOf();

const text = readFileSync(new URL("../../../docs/admin.md", import.meta.url), "utf8");
/** Of whoever operates the deployment, of whoever erases and removes, and what setting aside takes beside the first. */
const [statements = [], removing = [], settingAside = []] = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, json = ""]) => (JSON.parse(json) as { Statement: Statement[] }).Statement,
);

interface Keyed {
  readonly pk: { readonly S: string };
}
interface Input {
  readonly Key?: Keyed;
  readonly Item?: Keyed;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Keyed[] }>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly S?: string }>>;
  readonly TransactItems?: readonly Readonly<
    Partial<Record<keyof typeof TRANSACTED, { readonly Item?: Keyed; readonly Key?: Keyed }>>
  >[];
}

/** What IAM is asked: an action, and the partition keys of the items. */
type Request = readonly [action: string, partitions: readonly string[]];

const isAllowed = ([action, partitions]: Request, by = statements): boolean =>
  by.some(({ Effect, Action, Condition }) => {
    const patterns = list(Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
    const isMeant = Effect === "Allow" && list(Action).includes(action);
    if (Condition === undefined) return isMeant;
    return isMeant && partitions.every((pk) => patterns.some((pattern) => isLike(pk, pattern)));
  });

const TRANSACTED = {
  Put: "PutItem",
  ConditionCheck: "ConditionCheckItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
} as const;
const S3 = ["GetObject"];

function requestsOf(name: string, input: Input): Request[] {
  const pkOf = (item: Keyed | undefined): string => item?.pk.S ?? "no key";
  if (name === "TransactWriteItems") {
    return (input.TransactItems ?? []).flatMap((write) =>
      Object.entries(TRANSACTED).flatMap(([kind, action]): Request[] => {
        const part = write[kind as keyof typeof TRANSACTED];
        return part === undefined ? [] : [[`dynamodb:${action}`, [pkOf(part.Item ?? part.Key)]]];
      }),
    );
  }
  const batch = Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) => Keys.map(pkOf));
  if (name === "BatchGetItem") return [["dynamodb:BatchGetItem", batch]];
  if (name === "Query") return [["dynamodb:Query", [input.ExpressionAttributeValues?.[":pk"]?.S ?? ""]]];
  return [[`dynamodb:${name}`, [pkOf(input.Key ?? input.Item)]]];
}

test("every call on the table is one that the policy allows", async () => {
  const ledger = await stack.newLedger();
  const process = ledger.newProcess();
  const caller = await ledger.newTenant("before");
  const { event_id } = await process.attest(caller, requestOf("call"), "key");
  await process.seal();

  const requests: Request[] = [];
  const record: Interceptor = (call: Call, send) => {
    if (!S3.includes(call.name)) requests.push(...requestsOf(call.name, call.input as Input));
    return send();
  };
  const { table, roots } = ledger.newProcess(record);
  const { clock } = ledger;
  const registry = new TenantRegistry(table, clock);
  const keys = new ApiKeys(table, clock);
  const services = { registry, keys, gateway: null, clock };
  for (let i = 0; i < 2; i++) await createTenant(services, { tenantId: "acme", plan: "trial", chains: 2 });
  await suspendTenant(services, "acme");
  await resumeTenant(services, "acme");
  await registry.setInlineStamps("acme", 1);
  await registry.setPreview("acme", true);
  const wordings = new WordingRegistry(table);
  await wordings.add("acme", GERMAN, OWN);
  await wordings.retire("acme", OWN.id, OWN.approved_on);
  const { keyId } = await keys.create({ tenantId: "acme", scopes: ["attest"], expiresAt: null });
  await rotateKey(services, { keyId, graceMs: 1 }, () => {});
  await keys.revoke(keyId);
  await listKeys(services, "acme");
  await findByEventId({ table, registry }, event_id);
  await movePlan(services, "acme", { name: "standard", chains: 8 }, async () => {});
  await listTenants(services);
  const verifier = new TimestampVerifier([]);
  const chainIds = (await registry.allChains()).map(({ chainId }) => chainId);
  const { macs } = process;
  await readLedgerStatus({ table, roots, macs, verifier, clock, witnessPolicy: null }, chainIds, () => {});
  await isRetentionOverdue(table, [{ createdAt: "2000-01-01T00:00:00.000Z", retentionMonths: 3 }]);
  const audit = await LedgerAudit.begin({ table, roots, macs: null }, registry, {
    tenantId: null,
    chainId: null,
  });
  expect((await audit.run(() => {})).faults).toEqual([]);
  const ask = asking({ ...operatorOf(ledger), table, roots, registry });
  for (const path of Object.values(CONSOLE_PATHS)) await ask(`${path}?tenant=before`);
  await ask(`${CONSOLE_PATHS.receipts}?watch=1`);
  await ask(`${CONSOLE_REPORTS_PATH}/${event_id}`);

  expect(requests.filter((request) => !isAllowed(request))).toEqual([]);
  const actions = new Set(requests.map(([action]) => action));
  const granted = statements
    .flatMap(({ Action }) => list(Action))
    .filter((action) => action.startsWith("dynamodb:"));
  expect(actions).toEqual(new Set(granted));
});

test("no conversation can be read with it, and nothing of the ledger written", () => {
  const conversation = conversationPartition("tenant", "call");
  const hidden = [conversation, idempotencyKey("tenant", "key").pk.S];
  for (const pk of hidden) expect(isAllowed(["dynamodb:Query", [pk]])).toBe(false);
  for (const pk of [
    ...hidden,
    newsKey(1, "chain").pk.S,
    leafKey("chain", 0).pk.S,
    "seals",
    "sealed#chain",
    "layers",
  ]) {
    for (const action of ["PutItem", "UpdateItem", "DeleteItem"]) {
      expect(isAllowed([`dynamodb:${action}`, [pk]]), `${action} ${pk}`).toBe(false);
    }
  }
});

test("every call of an erasure and of retention is one that their own policy allows", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  const process = ledger.newProcess();
  for (const call of ["erased", "removed", "newest"]) await process.attest(caller, requestOf(call));
  await process.seal();
  await new TenantRegistry(process.table, ledger.clock).setRetention("tenant", 3);
  ledger.now += 200 * 24 * HOUR;

  const requests: Request[] = [];
  const { table } = ledger.newProcess((call, send) => {
    requests.push(...requestsOf(call.name, call.input as Input));
    return send();
  });
  const registry = new TenantRegistry(table, ledger.clock);
  const by = { tenantId: "tenant", erased_by: "officer", ground: "order" } as const;
  await registry.get("tenant");
  await erase(table, { ...by, interactionId: "erased" });
  const chains = await readRetainedChains(table, await registry.retained(null));
  const whole = { isDryRun: false, isResumable: true, onProgress: () => {} };
  expect(await runRetention(table, { chains, ...whole })).toMatchObject({ conversations: 2 });

  expect(requests.filter((request) => !isAllowed(request, removing))).toEqual([]);
  const actions = new Set(requests.map(([action]) => action));
  expect(actions).toEqual(new Set(removing.flatMap(({ Action }) => list(Action))));
  for (const pk of ["chain#metachain", "seals", "sealer", "tenant#tenant", "layers"])
    for (const action of ["PutItem", "UpdateItem", "DeleteItem"])
      expect(isAllowed([`dynamodb:${action}`, [pk]], removing), `${action} ${pk}`).toBe(false);
});

test("every call of setting an entry aside is one that the first policy and its own allow", async () => {
  const ledger = await stack.newLedger({ isSigned: false });
  const caller = await ledger.newTenant("tenant");
  await ledger.newProcess().attest(caller, requestOf("call"));
  const place = await plantEntry(ledger, {
    chain_id: caller.chainIds[0] ?? "",
    head_index: 7,
    tree_size: 9,
    root: `0x${"5a".repeat(32)}`,
  });
  await expect(ledger.newProcess().seal()).rejects.toMatchObject({ code: "publication_conflict" });
  const requests: Request[] = [];
  const process = ledger.newProcess((call, send) => {
    if (![...S3, "GenerateMac"].includes(call.name))
      requests.push(...requestsOf(call.name, call.input as Input));
    return send();
  });
  await setAside(process, place);
  const both = [...statements, ...settingAside];
  expect(requests.filter((request) => !isAllowed(request, both))).toEqual([]);
  const deletions = requests.filter(([action]) => action === "dynamodb:DeleteItem").map(([, [pk]]) => pk);
  expect(new Set(deletions)).toEqual(
    new Set(["chain#metachain", `sealed#${caller.chainIds[0]}`, "seals", "sealer"]),
  );
});

test("what retention takes from a leaf, and an erasure writes to it, is all that their policy opens", () => {
  const update = removing.find(({ Action }) => Action === "dynamodb:UpdateItem");
  const opened = list(update?.Condition?.["ForAllValues:StringEquals"]?.["dynamodb:Attributes"] ?? []);
  expect(opened.sort()).toEqual(["pk", "sk", REMOVAL, REMOVED_LEAF, ...RECEIPT_ATTRIBUTES].sort());
});
