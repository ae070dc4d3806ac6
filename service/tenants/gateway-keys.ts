// API keys at API Gateway, by which it counts calls: one for each tenant, in the usage plan of its plan. It grants no
// access: the authorizer reads the table. Every call is safe to repeat.
import {
  type APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  paginateGetApiKeys,
  paginateGetUsagePlanKeys,
} from "@aws-sdk/client-api-gateway";
import type { Deployment } from "../../contract/deployment.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { errorNameOf } from "../table/aws-error.ts";
import { usageKeyOf } from "./api-key-format.ts";

/** The error for a key that exists already. */
const CONFLICT = "ConflictException";
const GONE = "NotFoundException";
const PAGE_SIZE = 500;
/** A tenant's id may have this sign, the name of a deployment or plan has none: the last one parts id and plan. */
const SEPARATOR = "_";

/** A tenant as API Gateway's keys name it. The fingerprint tells it from one of the same id in another deployment. */
export interface CountedTenant {
  readonly tenantId: string;
  readonly fingerprint: string;
}

/** A key at API Gateway that bears this deployment's name. */
export interface GatewayKey {
  readonly id: string;
  readonly name: string;
  /** As its name says. */
  readonly tenantId: string;
  readonly plan: string;
  /** `usageKeyOf` its tenant and plan, or something else that nobody is counted by. */
  readonly value: string;
}

export class GatewayKeys {
  readonly #client: APIGatewayClient;
  readonly #deployment: Deployment;

  constructor(client: APIGatewayClient, deployment: Deployment) {
    this.#client = client;
    this.#deployment = deployment;
  }

  /** Enters a tenant in a plan, or finds it there. Throws `gateway_unavailable`. */
  async enter(tenant: CountedTenant, plan: string): Promise<void> {
    const usagePlanId = this.#planId(plan);
    const found = await this.#find(tenant, plan);
    // Where another run creates it in between, API Gateway refuses a second key of the same value.
    const id = found ?? (await this.#create(tenant, plan)) ?? (await this.#find(tenant, plan));
    if (id === null) throw unavailable(new Error("a key that exists already was not found"));
    // A crash here leaves a key that is in no plan: entering it again finds it by its name and continues.
    const input = { usagePlanId, keyId: id, keyType: "API_KEY" };
    await this.#ask(() => this.#client.send(new CreateUsagePlanKeyCommand(input)), CONFLICT);
  }

  /** Takes away every key of a tenant but that of the plan `except`. */
  async remove(tenant: CountedTenant, except: string | null = null): Promise<void> {
    for (const { id, plan, value } of await this.keysOf(tenant.tenantId)) {
      if (plan === except && value === usageKeyOf(tenant.fingerprint, plan)) continue;
      await this.#ask(() => this.#client.send(new DeleteApiKeyCommand({ apiKey: id })), GONE);
    }
  }

  /** Resolves to true if the tenant's calls are counted, and so let through, under this plan. */
  async isEntered(tenant: CountedTenant, plan: string): Promise<boolean> {
    const id = await this.#find(tenant, plan);
    return id !== null && (await this.#idsIn(plan, this.#nameOf(tenant.tenantId, plan))).has(id);
  }

  /** The keys of one tenant, of whichever plan, or of all. */
  async keysOf(tenantId?: string): Promise<GatewayKey[]> {
    const nameQuery = this.#nameOf(...(tenantId === undefined ? [] : [tenantId]), "");
    const input = { nameQuery, includeValues: true, limit: PAGE_SIZE };
    const keys = await this.#ask(async () => {
      const found: GatewayKey[] = [];
      for await (const { items = [] } of paginateGetApiKeys({ client: this.#client }, input)) {
        for (const { id = "", name = "", value = "" } of items) {
          const [tenant, plan] = this.#readName(name);
          if (tenantId === undefined || tenant === tenantId)
            found.push({ id, name, tenantId: tenant, plan, value });
        }
      }
      return found;
    });
    return keys ?? [];
  }

  /** The values of those among `keys` that are in the plans that their names say. */
  async valuesInPlans(keys: readonly GatewayKey[]): Promise<string[]> {
    const values: string[] = [];
    for (const plan of Object.keys(this.#deployment.plans)) {
      const ids = await this.#idsIn(plan, this.#nameOf(""));
      values.push(...keys.filter((key) => key.plan === plan && ids.has(key.id)).map(({ value }) => value));
    }
    return values;
  }

  /** The ids of the keys in a plan whose names begin so. */
  async #idsIn(plan: string, nameQuery: string): Promise<Set<string>> {
    const input = { usagePlanId: this.#planId(plan), nameQuery, limit: PAGE_SIZE };
    const ids = await this.#ask(async () => {
      const found = new Set<string>();
      for await (const { items = [] } of paginateGetUsagePlanKeys({ client: this.#client }, input)) {
        for (const { id = "" } of items) found.add(id);
      }
      return found;
    });
    return ids ?? new Set();
  }

  /** Null where it exists already. */
  async #create({ tenantId, fingerprint }: CountedTenant, plan: string): Promise<string | null> {
    const name = this.#nameOf(tenantId, plan);
    const input = { name, value: usageKeyOf(fingerprint, plan), enabled: true };
    const created = await this.#ask(() => this.#client.send(new CreateApiKeyCommand(input)), CONFLICT);
    return created?.id ?? null;
  }

  async #find({ tenantId, fingerprint }: CountedTenant, plan: string): Promise<string | null> {
    const value = usageKeyOf(fingerprint, plan);
    const keys = await this.keysOf(tenantId);
    return keys.find((key) => key.plan === plan && key.value === value)?.id ?? null;
  }

  /** The name in the console, or how it begins; ids of tenants are no secrets. */
  #nameOf(...parts: readonly string[]): string {
    return [this.#deployment.name, ...parts].join(SEPARATOR);
  }

  /** The tenant's id and the plan in a name that `#nameOf` made. */
  #readName(name: string): readonly [tenantId: string, plan: string] {
    const rest = name.slice(this.#nameOf("").length);
    const end = rest.lastIndexOf(SEPARATOR);
    return [rest.slice(0, Math.max(0, end)), rest.slice(end + 1)];
  }

  #planId(plan: string): string {
    const { plans } = this.#deployment;
    const id = plans[plan]?.usagePlanId ?? null;
    if (id !== null) return id;
    const message = `there is no plan ${plan}; there are ${Object.keys(plans).join(", ")}`;
    throw new DisclosureError("invalid_request", message);
  }

  /** Null where API Gateway answers with the error `expected`. */
  async #ask<T>(call: () => Promise<T>, expected?: string): Promise<T | null> {
    try {
      return await call();
    } catch (error) {
      if (expected !== undefined && errorNameOf(error) === expected) return null;
      throw unavailable(error);
    }
  }
}

const unavailable = (error: unknown): DisclosureError =>
  new DisclosureError(
    "gateway_unavailable",
    "API Gateway did not carry out the change; repeat the command",
    { error: errorNameOf(error) },
    error,
  );
