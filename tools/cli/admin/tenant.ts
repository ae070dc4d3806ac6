// `admin tenant`: creates tenants, lists and shows them, and changes their plan, state and stamping.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { count } from "../../../evidence/core/verify/count.ts";
import type { Operator } from "../../../service/operator.ts";
import {
  createTenant,
  type ListedTenant,
  listTenants,
  movePlan,
  resumeTenant,
  suspendTenant,
} from "../../../service/tenants/counted-tenants.ts";
import type { Tenant } from "../../../service/tenants/tenant-registry.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import {
  firstOf,
  onlyOne,
  readChains,
  readRetention,
  readStamping,
  readSwitch,
  readTenantId,
  refuseMore,
} from "./arguments.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, pasteable, readAdminArguments, type TargetValues } from "./target.ts";

const OPTIONS = {
  plan: { type: "string" },
  chains: { type: "string" },
  anchor: { type: "boolean" },
} as const;
const NAME_BYTES = 8;
/** API Gateway keeps the authorizer's answers for half of this; its documents don't say how soon it knows a key. */
const PAUSE_MS = 60_000;

interface TenantCall {
  readonly operator: Operator;
  readonly args: readonly string[];
  readonly values: {
    readonly plan?: string | undefined;
    readonly chains?: string | undefined;
    readonly anchor?: boolean | undefined;
    readonly json?: boolean | undefined;
  } & TargetValues;
  readonly terminal: Terminal;
}

const ACTIONS: Readonly<Record<string, (call: TenantCall) => Promise<void>>> = {
  create,
  list,
  show: showOne,
  suspend: (call) => change(call, suspendTenant),
  resume: (call) => change(call, resumeTenant),
  plan,
  chains,
  stamping,
  preview,
  retention,
};

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  const [name = "", ...rest] = positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) throw new UsageError(`tenant takes one of ${Object.keys(ACTIONS).join(", ")}`);
  if (name !== "create" && (values.plan ?? values.chains) !== undefined)
    throw new UsageError("--plan and --chains are for tenant create");
  if (name !== "show" && values.anchor === true) throw new UsageError("--anchor is for tenant show");
  const [tenantId] = rest;
  if (tenantId !== undefined) readTenantId(tenantId);
  await onTarget(values, (operator) => action({ operator, args: rest, values, terminal }));
  return Exit.holds;
}

/** With a name it can be repeated: it finds the same tenant. */
async function create(call: TenantCall): Promise<void> {
  const { operator, args, values, terminal } = call;
  const { deployment, gateway } = operator;
  const tenantId =
    args.length === 0 ? randomBytes(NAME_BYTES).toString("hex") : readTenantId(onlyOne(args, "a name"));
  const plans = Object.keys(deployment.plans);
  const { name: plan, chains: planned } = requirePlan(operator, values.plan ?? plans[0] ?? "");
  const chains = values.chains === undefined ? planned : readChains(values.chains);
  show(call, await createTenant(operator, { tenantId, plan, chains }));
  if (values.json === true) return;
  if (values.plan === undefined && plans.length > 1)
    terminal.note(`There are the plans ${plans.join(", ")}; without --plan it has the first.`);
  if (gateway !== null) terminal.note("API Gateway lets its calls through within a minute.");
  terminal.note(`Its first key: ${pasteable(`key create ${tenantId}`, values)}`);
}

async function list({ operator, args, values, terminal }: TenantCall): Promise<void> {
  refuseMore(args);
  const { tenants, deadKeys } = await listTenants(operator);
  if (values.json === true) return terminal.printJson(inSnakeCase({ tenants, deadKeys }));
  if (tenants.length === 0) terminal.print("no tenant yet");
  else {
    // The fingerprint is shown one by one: it would make every line of the list too long.
    const rows = [HEADINGS.map(dim), ...tenants.map(listedRowOf)];
    printTable(
      terminal,
      rows.map((row) => row.slice(0, -1)),
    );
  }
  const lost = tenants.find(({ isCounted }) => !isCounted);
  if (lost !== undefined) {
    const command = pasteable(`tenant plan ${lost.tenantId} ${lost.plan}`, values);
    terminal.note(`To enter a tenant that is not at API Gateway: ${command}`);
  }
  if (deadKeys.length > 0) {
    terminal.note(`API Gateway has keys by which no tenant is counted: ${deadKeys.join(", ")}.`);
    terminal.note("They open nothing. A tenant's own go when its plan is set again; delete others by hand.");
  }
}

/** The anchor is shown only where it is asked for: who has it finds every chain of the tenant. */
async function showOne(call: TenantCall): Promise<void> {
  const { operator, args, values, terminal } = call;
  const tenantId = readTenantId(onlyOne(args, "a tenant"));
  const tenant = await operator.registry.get(tenantId);
  const tenantAnchor = values.anchor === true ? await operator.registry.anchor(tenantId) : undefined;
  if (values.json === true) {
    const chainIds = (await operator.registry.chains(tenantId)).map(({ chainId }) => chainId);
    return terminal.printJson(inSnakeCase({ ...tenant, chainIds, ...(tenantAnchor && { tenantAnchor }) }));
  }
  show(call, tenant);
  if (tenantAnchor === undefined) return;
  terminal.print("anchor ", tenantAnchor);
  terminal.note(
    "Whoever has the anchor finds every chain of this tenant in the public log, and sees when each of them grew. It shows no receipt and opens no API. It can't be changed.",
  );
}

/** No call fails meanwhile; see `movePlan`. */
async function plan(call: TenantCall): Promise<void> {
  const { operator, args, terminal } = call;
  const { first, rest } = firstOf(args, "a tenant");
  const tenantId = readTenantId(first);
  const next = requirePlan(operator, onlyOne(rest, "a plan"));
  const { chains: before } = await operator.registry.get(tenantId);
  await movePlan(operator, tenantId, next, (what) => {
    terminal.note(`waiting a minute, until ${what}`);
    return sleep(PAUSE_MS);
  });
  const tenant = await operator.registry.get(tenantId);
  show(call, tenant);
  if (tenant.chains > before)
    terminal.note(`The plan gives it ${tenant.chains} chains: its new conversations are spread over them.`);
}

async function chains(call: TenantCall): Promise<void> {
  const { first, rest } = firstOf(call.args, "a tenant");
  const wanted = readChains(onlyOne(rest, "a number of chains"));
  await change({ ...call, args: [first] }, async ({ registry }, tenantId) => {
    const { chains: present } = await registry.get(tenantId);
    if (wanted < present)
      throw new UsageError(`${tenantId} has ${count(present, "chain")}; their number never shrinks`);
    await registry.raiseChains(tenantId, wanted);
  });
}

function stamping(call: TenantCall): Promise<void> {
  const { first, rest } = firstOf(call.args, "a tenant");
  const rate = readStamping(onlyOne(rest, "on, off, or how many a minute,"));
  return change({ ...call, args: [first] }, ({ registry }, tenantId) =>
    registry.setInlineStamps(tenantId, rate),
  );
}

function preview(call: TenantCall): Promise<void> {
  const { first, rest } = firstOf(call.args, "a tenant");
  const isPreview = readSwitch(onlyOne(rest, "on or off"));
  return change({ ...call, args: [first] }, ({ registry }, tenantId) =>
    registry.setPreview(tenantId, isPreview),
  );
}

function retention(call: TenantCall): Promise<void> {
  const { first, rest } = firstOf(call.args, "a tenant");
  const months = readRetention(onlyOne(rest, "a number of months, or off,"));
  return change({ ...call, args: [first] }, ({ registry }, tenantId) =>
    registry.setRetention(tenantId, months),
  );
}

async function change(
  call: TenantCall,
  make: (operator: Operator, tenantId: string) => Promise<void>,
): Promise<void> {
  const tenantId = readTenantId(onlyOne(call.args, "a tenant"));
  await make(call.operator, tenantId);
  show(call, await call.operator.registry.get(tenantId));
  if (call.values.json !== true) call.terminal.note("It takes effect for its keys within a minute.");
}

/** The plan's name, and how many chains it gives a tenant. */
function requirePlan({ deployment: { plans } }: Operator, name: string): { name: string; chains: number } {
  const plan = Object.hasOwn(plans, name) ? plans[name] : undefined;
  if (plan !== undefined) return { name, chains: plan.chains };
  throw new UsageError(`there is no plan ${name}; there are ${Object.keys(plans).join(", ")}`);
}

function show({ values, terminal }: TenantCall, tenant: Tenant): void {
  if (values.json === true) terminal.printJson(inSnakeCase(tenant));
  else {
    terminal.print("tenant ", bold(tenant.tenantId));
    const [, ...cells] = rowOf(tenant);
    const headings = [...HEADINGS.slice(1), "preview", "retention"];
    const kept = tenant.retentionMonths === null ? "off" : count(tenant.retentionMonths, "month");
    printTable(
      terminal,
      [...cells, tenant.isPreview ? "on" : "off", kept].map((cell, i) => [dim(headings[i] ?? ""), cell]),
    );
  }
}

const HEADINGS = ["tenant", "plan", "chains", "state", "stamping", "created", "fingerprint"];

const rowOf = ({
  tenantId,
  plan,
  chains,
  suspendedAt,
  inlineStampsPerMinute,
  createdAt,
  fingerprint,
}: Tenant): StyledText[] => [
  tenantId,
  plan,
  String(chains),
  suspendedAt === null ? "active" : yellow(`suspended ${suspendedAt}`),
  stampingOf(inlineStampsPerMinute),
  createdAt,
  fingerprint,
];

function listedRowOf(tenant: ListedTenant): StyledText[] {
  const cells = rowOf(tenant);
  const state = red("not at API Gateway: its keys open nothing");
  return tenant.isCounted ? cells : cells.with(HEADINGS.indexOf("state"), state);
}

function stampingOf(perMinute: number | null): string {
  if (perMinute === null) return "on";
  return perMinute === 0 ? "off" : `${perMinute} a minute`;
}
