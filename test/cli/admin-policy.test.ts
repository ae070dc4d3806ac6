// The policy in docs/admin.md is what the operator's commands need, and opens no conversation: each call that they make
// on the table is held against it, as IAM would.
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { TimestampVerifier } from "../../core/timestamps/timestamp-verifier.ts";
import { LedgerAudit } from "../../service/audit/ledger-audit.ts";
import { readLedgerStatus } from "../../service/audit/ledger-status.ts";
import { conversationPartition, idempotencyKey, leafKey, newsKey } from "../../service/table/keys.ts";
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import {
  createTenant,
  listTenants,
  movePlan,
  resumeTenant,
  suspendTenant,
} from "../../service/tenants/counted-tenants.ts";
import { listKeys, rotateKey } from "../../service/tenants/tenant-keys.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { isLike, list, type Statement } from "../lib/iam.ts";
import type { Call, Interceptor } from "../support/faults.ts";
import { startLedgerStack } from "../support/ledger-stack.ts";
import { requestOf } from "../support/test-process.ts";

const stack = await startLedgerStack();
afterAll(stack.close);

const text = readFileSync(new URL("../../docs/admin.md", import.meta.url), "utf8");
const [, json = ""] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
const { Statement: statements } = JSON.parse(json) as { Statement: Statement[] };

interface Keyed {
  readonly pk: { readonly S: string };
}
interface Input {
  readonly Key?: Keyed;
  readonly Item?: Keyed;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Keyed[] }>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly S?: string }>>;
  readonly TransactItems?: readonly Readonly<
    Partial<Record<"Put" | "ConditionCheck", { readonly Item?: Keyed; readonly Key?: Keyed }>>
  >[];
}

/** What IAM is asked: an action, and the partition keys of the items. */
type Request = readonly [action: string, partitions: readonly string[]];

const isAllowed = ([action, partitions]: Request): boolean =>
  statements.some(({ Effect, Action, Condition }) => {
    const patterns = list(Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"] ?? []);
    const isMeant = Effect === "Allow" && list(Action).includes(action);
    return isMeant && partitions.every((pk) => patterns.some((pattern) => isLike(pk, pattern)));
  });

const TRANSACTED = { Put: "PutItem", ConditionCheck: "ConditionCheckItem" } as const;
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
  await process.attest(caller, requestOf("call"), "key");
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
  const { keyId } = await keys.create({ tenantId: "acme", scopes: ["attest"], expiresAt: null });
  await rotateKey(services, { keyId, graceMs: 1 }, () => {});
  await keys.revoke(keyId);
  await listKeys(services, "acme");
  await movePlan(services, "acme", { name: "standard", chains: 8 }, async () => {});
  await listTenants(services);
  const verifier = new TimestampVerifier([]);
  const chainIds = (await registry.allChains()).map(({ chainId }) => chainId);
  await readLedgerStatus({ table, roots, verifier, clock, witnessPolicy: null }, chainIds, () => {});
  const audit = await LedgerAudit.begin({ table, roots, macs: null }, registry, {
    tenantId: null,
    chainId: null,
  });
  expect((await audit.run(() => {})).faults).toEqual([]);

  expect(requests.filter((request) => !isAllowed(request))).toEqual([]);
  const actions = new Set(requests.map(([action]) => action));
  const granted = statements
    .flatMap(({ Action }) => list(Action))
    .filter((action) => action.startsWith("dynamodb:"));
  expect(actions).toEqual(new Set(granted));
});

test("no conversation can be read with it, and nothing of the ledger written", () => {
  const conversation = conversationPartition("tenant", "call");
  const hidden = [conversation, idempotencyKey("tenant", "key").pk.S, newsKey(1, "chain").pk.S];
  for (const pk of hidden) expect(isAllowed(["dynamodb:Query", [pk]])).toBe(false);
  for (const pk of [...hidden, leafKey("chain", 0).pk.S, "seals", "sealed#chain"]) {
    for (const action of ["PutItem", "UpdateItem", "DeleteItem"]) {
      expect(isAllowed([`dynamodb:${action}`, [pk]]), `${action} ${pk}`).toBe(false);
    }
  }
});
