// A whole deployment on this machine, in processes that can be killed: the stand-ins for AWS, the fault proxy before
// them, the service's servers and sealers, and a public host before these.
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ORIGIN_SECRET_HEADER } from "../../../contract/web-runtime.ts";
import type { Operator } from "../../../service/operator.ts";
import type { Table } from "../../../service/table/table.ts";
import { fastFolder } from "../../measuring.ts";
import { openOperatorTable } from "../faults/operator-faults.ts";
import type { ArmedFault, ClientRole, FromProxy, ProxyCounts, ToProxy } from "../proxy/messages.ts";
import { environmentOf, witnessPolicy } from "./environment.ts";
import { startFront } from "./front.ts";
import { ServiceLines } from "./lines.ts";
import { Member } from "./member.ts";
import type { FromStandIns, OpenStandIns } from "./messages.ts";
import { forkOpen } from "./parent.ts";
import { accessKeyOf, createTenant, type LoadTenant, openOperator } from "./tenants.ts";

/** Several at once under faults, as where runs of the sealer overlap. */
const SEALERS = 2;
/** Tenants whose keys are revoked, and which are suspended, while others call. */
export const GUESTS = ["guest-keys", "guest-suspended"] as const;
const GUEST_CHAINS = 1;
const NOTHING: ProxyCounts = { requests: {}, units: {}, faults: {}, held: 0, shownOtherBytes: 0 };

export interface WorldOptions {
  readonly out: string;
  readonly processes: number;
  readonly tenants: number;
  readonly chains: number;
  readonly hasFaults: boolean;
}

export class World {
  readonly url: string;
  readonly tenants: readonly LoadTenant[];
  readonly guests: readonly LoadTenant[];
  readonly members: readonly Member[];
  readonly lines: ServiceLines;
  /** Its requests meet faults as well. */
  readonly operator: Operator;
  /** The table as the operator's program has it. */
  readonly operatorTable: Table;
  /** The same table past the proxy, as an insider writes it. */
  readonly insiderTable: Table;
  /** Callers send these headers along, as the public host does. */
  readonly headers: Readonly<Record<string, string>>;
  readonly trustAnchorsFile: string;
  readonly witnessKey: string;
  readonly #proxy: ChildProcess;
  readonly #stop: () => Promise<void>;
  #counts: ProxyCounts = NOTHING;

  constructor(parts: WorldParts) {
    this.url = parts.url;
    this.tenants = parts.tenants;
    this.guests = parts.guests;
    this.members = parts.members;
    this.lines = parts.lines;
    this.operator = parts.operator;
    this.operatorTable = parts.operatorTable;
    this.insiderTable = parts.insiderTable;
    this.headers = { [ORIGIN_SECRET_HEADER]: parts.secret };
    this.trustAnchorsFile = parts.trustAnchorsFile;
    this.witnessKey = parts.witnessKey;
    this.#proxy = parts.proxy;
    this.#stop = parts.stop;
    this.#proxy.on("message", (message: FromProxy) => {
      if (message.kind === "count") this.#counts = message.counts;
    });
  }

  get counts(): ProxyCounts {
    return this.#counts;
  }

  of(role: ClientRole): readonly Member[] {
    return this.members.filter((member) => member.role === role);
  }

  arm(fault: ArmedFault): void {
    this.#tellProxy({ kind: "arm", fault });
  }

  calm(): void {
    this.#tellProxy({ kind: "calm" });
  }

  #tellProxy(message: ToProxy): void {
    this.#proxy.send(message);
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}

interface WorldParts
  extends Pick<
    World,
    "url" | "tenants" | "guests" | "members" | "lines" | "operator" | "operatorTable" | "insiderTable"
  > {
  readonly secret: string;
  readonly trustAnchorsFile: string;
  readonly witnessKey: string;
  readonly proxy: ChildProcess;
  readonly stop: () => Promise<void>;
}

/** Starts all of it, or throws. The data is in a temporary folder. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const folder = temporaryFolder();
  const standIns = await forkOpen<FromStandIns>(new URL("./stand-ins.ts", import.meta.url), [folder]);
  const first: ToProxy = { kind: "open", upstreams: standIns.opened.upstreams };
  const proxy = await forkOpen<FromProxy>(new URL("../proxy/proxy.ts", import.meta.url), [], first);
  const lines = new ServiceLines();
  standIns.child.on("message", (message: FromStandIns) => {
    if (message.kind === "finding") lines.findings.push(message.finding);
  });
  const secret = randomUUID();
  const witnessPolicyFile = join(folder, "witness-policy");
  writeFileSync(witnessPolicyFile, witnessPolicy(standIns.opened.witnessKey, proxy.opened.urls.seal));
  const { opened } = standIns;
  const members = membersOf(options, lines, (role) =>
    environmentOf(role, { standIns: opened, proxy: proxy.opened.urls[role], secret, witnessPolicyFile }),
  );
  await Promise.all(members.map((member) => member.start()));
  const trustAnchorsFile = join(options.out, "ca.pem");
  copyFileSync(opened.environment.TSA_CA_FILE ?? "", trustAnchorsFile);
  const front = await openFront(opened, members, { secret, trustAnchorsFile });
  const operator = openOperator(opened, proxy.opened.urls.operate);
  const { tenants, guests } = await createTenants(operator, options);
  const stop = async (): Promise<void> => {
    operator.close();
    await front.close();
    await Promise.all(members.map((member) => member.stop()));
    for (const { child } of [proxy, standIns]) {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const { url } = front;
  const [operatorTable, insiderTable] = [proxy.opened.urls.operate, opened.upstreams.table].map((endpoint) =>
    openOperatorTable(endpoint, accessKeyOf(opened.environment)),
  ) as [Table, Table];
  const tables = { operatorTable, insiderTable };
  const parts = { url, tenants, guests, members, lines, operator, ...tables, secret, trustAnchorsFile };
  return new World({ ...parts, witnessKey: opened.witnessKey, proxy: proxy.child, stop });
}

/** Removed when this process ends, too, however early. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(fastFolder(), "disclosure-receipts-hammer-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function membersOf(
  { out, processes, hasFaults }: WorldOptions,
  lines: ServiceLines,
  environment: (role: ClientRole) => Record<string, string>,
): Member[] {
  const logs = join(out, "logs");
  mkdirSync(logs);
  const member = (role: ClientRole, program: string) => (_: unknown, at: number) =>
    new Member({
      name: `${role}-${at}`,
      role,
      program: new URL(program, import.meta.url),
      environment: environment(role),
      logFile: join(logs, `${role}-${at}.log`),
      onLine: ({ name }, line) => lines.hear(name, line),
    });
  return [
    ...Array.from({ length: processes }, member("attest", "../../../host/server/attest-server.ts")),
    ...Array.from({ length: 1 }, member("read", "../../../host/server/read-server.ts")),
    ...Array.from({ length: hasFaults ? SEALERS : 1 }, member("seal", "./sealer.ts")),
  ];
}

function openFront(
  { upstreams, environment }: OpenStandIns,
  members: readonly Member[],
  { secret, trustAnchorsFile }: { readonly secret: string; readonly trustAnchorsFile: string },
) {
  let turn = 0;
  const urlOf = (role: ClientRole) => (): string => {
    const urls = members.filter((member) => member.role === role).map(({ url }) => url);
    return urls[turn++ % urls.length] ?? "";
  };
  return startFront({
    secret,
    trustAnchorsFile,
    objects: upstreams.objects,
    accessKey: accessKeyOf(environment),
    attestUrl: urlOf("attest"),
    readUrl: urlOf("read"),
  });
}

async function createTenants(operator: Operator, { tenants, chains, hasFaults }: WorldOptions) {
  const create = (name: string, index: number, of: number) =>
    createTenant(operator, { index, name, chains: of });
  const names = Array.from({ length: tenants }, (_, at) => `t${at}`);
  const guests = hasFaults ? GUESTS : [];
  return {
    tenants: await Promise.all(names.map((name, at) => create(name, at, chains))),
    guests: await Promise.all(guests.map((name, at) => create(name, tenants + at, GUEST_CHAINS))),
  };
}
