// `admin webhook`: sets a tenant's webhook, shows its secret, tries it, and sends again what was given up.
import { WEBHOOK_EVENTS, type WebhookEvent } from "../../../evidence/core/formats/webhooks.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import type { Operator } from "../../../service/operator.ts";
import { type DeadLetter, listDeadLetters } from "../../../service/webhooks/delivery-state.ts";
import { type OperateServices, retryDeadLetters, sendTest } from "../../../service/webhooks/operate.ts";
import { type Webhook, WebhookRegistry } from "../../../service/webhooks/webhook-registry.ts";
import { isDelivered, postFrom } from "../../../service/webhooks/webhook-sender.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, green, red, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import { firstOf, onlyOne, readTenantId, refuseMore } from "./arguments.ts";
import { inSnakeCase } from "./snake-case.ts";
import { onTarget, pasteable, readAdminArguments, type TargetValues } from "./target.ts";

const OPTIONS = { events: { type: "string" } } as const;
const EVENTS = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[];

interface WebhookCall {
  readonly services: OperateServices;
  readonly tenantId: string;
  readonly rest: readonly string[];
  readonly values: {
    readonly events?: string | undefined;
    readonly json?: boolean | undefined;
  } & TargetValues;
  readonly terminal: Terminal;
}

const ACTIONS: Readonly<Record<string, (call: WebhookCall) => Promise<ExitCode>>> = {
  set,
  show: showOne,
  off,
  secret,
  rotate,
  test,
  dead,
  retry,
};

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  const [name = "", ...subjects] = positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) throw new UsageError(`webhook takes one of ${Object.keys(ACTIONS).join(", ")}`);
  if (name !== "set" && values.events !== undefined) throw new UsageError("--events is for webhook set");
  const { first, rest } = firstOf(subjects, "a tenant");
  const tenantId = readTenantId(first);
  if (name !== "set") refuseMore(rest);
  return onTarget(values, (operator) =>
    action({ services: servicesOf(operator, values), tenantId, rest, values, terminal }),
  );
}

/** A local stack's webhooks may lead to the machine itself. */
function servicesOf(operator: Operator, { local }: TargetValues): OperateServices {
  const { table, registry, clock, webhookSecrets: secrets } = operator;
  const reach = local === undefined ? "public" : "loopback_too";
  const webhooks = new WebhookRegistry({ table, registry, clock, keyId: secrets.keyId, reach });
  return { table, registry, webhooks, secrets, clock, post: postFrom(reach) };
}

async function set(call: WebhookCall): Promise<ExitCode> {
  const { services, tenantId, rest, values, terminal } = call;
  const events = values.events === undefined ? EVENTS : readEvents(values.events);
  const webhook = await services.webhooks.set(tenantId, onlyOne(rest, "the address of the webhook"), events);
  show(call, webhook);
  if (values.json === true) return Exit.holds;
  terminal.note(`Its secret: ${pasteable(`webhook secret ${tenantId}`, values)}`);
  terminal.note(`To try it: ${pasteable(`webhook test ${tenantId}`, values)}`);
  return Exit.holds;
}

async function showOne(call: WebhookCall): Promise<ExitCode> {
  const { services, tenantId, values, terminal } = call;
  const webhook = await services.webhooks.get(tenantId);
  const letters = await listDeadLetters(services.table, tenantId);
  show(call, webhook, letters.length);
  if (values.json !== true && letters.length > 0)
    terminal.note(`To see them: ${pasteable(`webhook dead ${tenantId}`, values)}`);
  return letters.length > 0 || webhook.stoppedAt !== null ? Exit.doesNotHold : Exit.holds;
}

async function off(call: WebhookCall): Promise<ExitCode> {
  show(call, await call.services.webhooks.turnOff(call.tenantId));
  if (call.values.json !== true)
    call.terminal.note("What is published meanwhile is not sent when it is set again.");
  return Exit.holds;
}

/** The secret is alone on standard output, so that it can be piped to where secrets are kept. */
async function secret({ services, tenantId, values, terminal }: WebhookCall): Promise<ExitCode> {
  const webhook = await services.webhooks.get(tenantId);
  const text = await services.secrets.show(webhook.secret);
  if (values.json === true) terminal.printJson({ secret: text });
  else terminal.print(text);
  return Exit.holds;
}

async function rotate(call: WebhookCall): Promise<ExitCode> {
  const { services, tenantId, values, terminal } = call;
  const webhook = await services.webhooks.rotate(tenantId);
  await secret(call);
  if (values.json !== true)
    terminal.note(`Messages are signed with the former secret, too, until ${webhook.formerSecret?.until}.`);
  return Exit.holds;
}

async function test({ services, tenantId, values, terminal }: WebhookCall): Promise<ExitCode> {
  const posted = await sendTest(services, tenantId);
  const isTaken = isDelivered(posted);
  if (values.json === true) terminal.printJson({ delivered: isTaken, status: posted.status });
  else terminal.print("webhook.test: ", isTaken ? green("taken") : red("not taken"), ` (${posted.status})`);
  return isTaken ? Exit.holds : Exit.doesNotHold;
}

async function dead({ services, tenantId, values, terminal }: WebhookCall): Promise<ExitCode> {
  await services.webhooks.get(tenantId);
  const letters = await listDeadLetters(services.table, tenantId);
  if (values.json === true) terminal.printJson(inSnakeCase({ letters }));
  else if (letters.length === 0) terminal.print("no message was given up");
  else {
    printTable(terminal, [
      ["chain", "from", "message", "status", "given up"].map(dim),
      ...letters.map(rowOf),
    ]);
    terminal.note(`To send them again: ${pasteable(`webhook retry ${tenantId}`, values)}`);
  }
  return letters.length === 0 ? Exit.holds : Exit.doesNotHold;
}

async function retry({ services, tenantId, values, terminal }: WebhookCall): Promise<ExitCode> {
  const sent: { chainId: string; sequence: number; status: number | string; delivered: boolean }[] = [];
  await retryDeadLetters(services, tenantId, ({ letter: { chainId, sequence }, posted }) =>
    sent.push({ chainId, sequence, status: posted.status, delivered: isDelivered(posted) }),
  );
  const failed = sent.filter(({ delivered }) => !delivered);
  if (values.json === true) terminal.printJson(inSnakeCase({ letters: sent }));
  else {
    terminal.print(`${count(sent.length, "message")} sent again, ${failed.length} not taken`);
    for (const status of new Set(failed.map(({ status }) => status))) terminal.note(`not taken: ${status}`);
    terminal.note("What waits for another try is sent within a minute.");
  }
  return failed.length === 0 ? Exit.holds : Exit.doesNotHold;
}

const rowOf = ({ chainId, sequence, step, lastStatus, givenUpAt }: DeadLetter): StyledText[] => [
  chainId,
  String(sequence),
  step === 0 ? WEBHOOK_EVENTS.sealed : WEBHOOK_EVENTS.verdict,
  red(lastStatus),
  givenUpAt,
];

function readEvents(text: string): WebhookEvent[] {
  const events = EVENTS.filter((event) => text.split(",").includes(event));
  if (events.length === text.split(",").length) return events;
  throw new UsageError(`--events is ${EVENTS.join(" or ")}, or both with a comma`);
}

function show({ values, terminal }: WebhookCall, webhook: Webhook, letters = 0): void {
  const { tenantId, url, events, createdAt, offAt, stoppedAt, formerSecret } = webhook;
  if (values.json === true) {
    const formerSecretUntil = formerSecret?.until ?? null;
    const members = { tenantId, url, events, createdAt, offAt, stoppedAt, formerSecretUntil };
    terminal.printJson(inSnakeCase({ ...members, deadLetters: letters }));
    return;
  }
  terminal.print("webhook of ", bold(tenantId));
  printTable(terminal, [
    [dim("address"), url],
    [dim("events"), events.map((event) => WEBHOOK_EVENTS[event]).join(", ")],
    [dim("state"), stateOf(webhook)],
    [dim("created"), createdAt],
    [dim("given up"), letters === 0 ? "none" : red(count(letters, "message"))],
  ]);
}

function stateOf({ offAt, stoppedAt }: Webhook): StyledText {
  if (offAt !== null) return yellow(`off since ${offAt}`);
  return stoppedAt === null ? green("on") : red(`stopped: the receiver answered 410 Gone on ${stoppedAt}`);
}
