// `admin key`: issues API keys, lists, revokes and rotates them. A key's secret passes through here once and is not kept.

import type { Operator } from "../../../service/operator.ts";
import type { NewApiKey } from "../../../service/tenants/api-keys.ts";
import { type KeyState, type ListedKey, listKeys, rotateKey } from "../../../service/tenants/tenant-keys.ts";
import { SCOPES } from "../../../service/tenants/tenants.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, green, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import { onlyOne, readDuration, readExpiry, readKeyId, readScopes, readTenantId } from "./arguments.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, pasteable, readAdminArguments, type TargetValues } from "./target.ts";

const OPTIONS = {
  scopes: { type: "string" },
  expires: { type: "string" },
  grace: { type: "string" },
} as const;
const DEFAULT_GRACE = "24h";
/** The options that each action takes. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  create: ["scopes", "expires"],
  rotate: ["grace", "expires"],
};

interface KeyCall {
  readonly operator: Operator;
  /** A tenant's id, or a key's; empty for the keys of all tenants. */
  readonly subject: string;
  readonly values: {
    readonly scopes?: string | undefined;
    readonly expires?: string | undefined;
    readonly grace?: string | undefined;
    readonly json?: boolean | undefined;
  } & TargetValues;
  readonly terminal: Terminal;
}

const ACTIONS: Readonly<Record<string, (call: KeyCall) => Promise<void>>> = { create, list, revoke, rotate };

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  const [name = "", ...rest] = positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) throw new UsageError(`key takes one of ${Object.keys(ACTIONS).join(", ")}`);
  for (const option of Object.keys(OPTIONS)) {
    if (Object.hasOwn(values, option) && !ALLOWED[name]?.includes(option))
      throw new UsageError(`--${option} is not for key ${name}`);
  }
  const subject = readSubject(name, rest);
  await onTarget(values, (operator) => action({ operator, subject, values, terminal }));
  return Exit.holds;
}

function readSubject(action: string, args: readonly string[]): string {
  if (action === "list" && args.length === 0) return "";
  return action === "create" || action === "list"
    ? readTenantId(onlyOne(args, "a tenant"))
    : readKeyId(onlyOne(args, "the id of a key"));
}

async function create({ operator, subject: tenantId, values, terminal }: KeyCall): Promise<void> {
  const scopes = values.scopes === undefined ? SCOPES : readScopes(values.scopes);
  const newKey = { tenantId, scopes, expiresAt: readEnd(operator, values.expires) ?? null };
  const issued = { ...newKey, ...(await operator.keys.create(newKey)) };
  if (values.json === true) terminal.printJson(inSnakeCase(issued));
  else show(issued, terminal);
}

async function rotate({ operator, subject: keyId, values, terminal }: KeyCall): Promise<void> {
  const expiresAt = readEnd(operator, values.expires);
  const rotation = {
    keyId,
    graceMs: readDuration(values.grace ?? DEFAULT_GRACE),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const end = await rotateKey(operator, rotation, (issued) => {
    if (values.json === true) terminal.printJson(inSnakeCase({ ...issued, replaces: keyId }));
    else show(issued, terminal);
  });
  if (values.json !== true) terminal.note(`The old key ${keyId} works until ${end}.`);
}

const readEnd = ({ clock }: Operator, expires: string | undefined): string | undefined =>
  expires === undefined ? undefined : readExpiry(expires, clock());

/** The key is alone on standard output, so that it can be piped to where secrets are kept. */
function show(
  { keyId, apiKey, tenantId, scopes, expiresAt }: NewApiKey & { keyId: string; apiKey: string },
  terminal: Terminal,
): void {
  terminal.print(apiKey);
  terminal.note("This is shown once: only a hash of it is stored. Keep it where you keep secrets.");
  const end = expiresAt === null ? "" : `, until ${expiresAt}`;
  terminal.note(`Key ${keyId} of tenant ${tenantId}: ${scopes.join(", ")}${end}.`);
}

async function list({ operator, subject, values, terminal }: KeyCall): Promise<void> {
  const tenantIds =
    subject === "" ? (await operator.registry.list()).map(({ tenantId }) => tenantId) : [subject];
  const keys: ListedKey[] = [];
  // One tenant after the other: API Gateway answers some five such questions a second.
  for (const tenantId of tenantIds) keys.push(...(await listKeys(operator, tenantId)));
  if (values.json === true) return terminal.printJson(inSnakeCase({ keys }));
  if (keys.length === 0) return terminal.print(subject === "" ? "no key yet" : `${subject} has no key yet`);
  const rows = [HEADINGS.map(dim), ...keys.map(rowOf)];
  printTable(terminal, subject === "" ? rows : rows.map(([_tenant, ...cells]) => cells));
  const lost = keys.flatMap(({ tenantId, state }) => (state === "not_at_gateway" ? [tenantId] : []));
  for (const tenantId of new Set(lost)) {
    const { plan } = await operator.registry.get(tenantId);
    const command = pasteable(`tenant plan ${tenantId} ${plan}`, values);
    terminal.note(`${tenantId} is not at API Gateway, so its keys open nothing. To enter it: ${command}`);
  }
}

async function revoke({ operator, subject: keyId, values, terminal }: KeyCall): Promise<void> {
  await operator.keys.revoke(keyId);
  const key = await operator.keys.get(keyId);
  if (values.json === true) return terminal.printJson(inSnakeCase({ ...key, state: "revoked" }));
  terminal.print("key ", bold(keyId), " is revoked; calls with it are refused within a minute");
}

const HEADINGS = ["tenant", "key", "scopes", "state", "last used", "created"];

const rowOf = (key: ListedKey): StyledText[] => [
  key.tenantId,
  key.keyId,
  key.scopes.join(","),
  STATES[key.state](key),
  key.lastUsedOn ?? dim("never"),
  key.createdAt,
];

const STATES: Readonly<Record<KeyState, (key: ListedKey) => StyledText>> = {
  active: ({ expiresAt }) => (expiresAt === null ? green("active") : green(`until ${expiresAt}`)),
  expired: ({ expiresAt }) => yellow(`ended ${expiresAt}`),
  revoked: ({ revokedAt }) => yellow(`revoked ${revokedAt}`),
  not_at_gateway: () => red("not at API Gateway: opens nothing"),
};
