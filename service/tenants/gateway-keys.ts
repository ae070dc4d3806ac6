// API keys at API Gateway, where throttles and quotas count: for each of our keys one of API Gateway's own, in the usage
// plan of its tenant. It grants no access: the authorizer reads the table. Every call is safe to repeat.
import {
  type APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  paginateGetApiKeys,
  paginateGetUsagePlanKeys,
} from "@aws-sdk/client-api-gateway";
import type { Deployment } from "../../contract/deployment.ts";
import { DisclosureError } from "../../core/errors.ts";
import { errorNameOf } from "../table/aws-error.ts";
import { usageKeyOf } from "./api-key-format.ts";

/** The error for a key that exists already. */
const CONFLICT = "ConflictException";
const GONE = "NotFoundException";
const PAGE_SIZE = 500;

export class GatewayKeys {
  readonly #client: APIGatewayClient;
  readonly #deployment: Deployment;

  constructor(client: APIGatewayClient, deployment: Deployment) {
    this.#client = client;
    this.#deployment = deployment;
  }

  /** Enters a key in a plan, or finds it there. Throws `gateway_unavailable`. */
  async enter(keyId: string, plan: string): Promise<void> {
    const usagePlanId = this.#planId(plan);
    const found = await this.#find(keyId, plan);
    // Where another run creates it in between, API Gateway refuses a second key of the same value.
    const id = found ?? (await this.#create(keyId, plan)) ?? (await this.#find(keyId, plan));
    if (id === null) throw unavailable(new Error("a key that exists already was not found"));
    // A crash here leaves a key that is in no plan: entering it again finds it by its name and continues.
    const input = { usagePlanId, keyId: id, keyType: "API_KEY" };
    await this.#ask(() => this.#client.send(new CreateUsagePlanKeyCommand(input)), CONFLICT);
  }

  /** Takes a key out of every plan but `except`. */
  async remove(keyId: string, except: string | null = null): Promise<void> {
    for (const plan of this.#plans().filter((name) => name !== except)) {
      const apiKey = await this.#find(keyId, plan);
      if (apiKey === null) continue;
      await this.#ask(() => this.#client.send(new DeleteApiKeyCommand({ apiKey })), GONE);
    }
  }

  /** Whether calls with the key are counted, and so let through, under this plan. */
  async isEntered(keyId: string, plan: string): Promise<boolean> {
    const name = this.#nameOf(keyId, plan);
    const input = { usagePlanId: this.#planId(plan), nameQuery: name, limit: PAGE_SIZE };
    const found = await this.#ask(async () => {
      for await (const { items = [] } of paginateGetUsagePlanKeys({ client: this.#client }, input)) {
        if (items.some((item) => item.name === name)) return true;
      }
      return false;
    });
    return found ?? false;
  }

  /** Null where it exists already. */
  async #create(keyId: string, plan: string): Promise<string | null> {
    const name = this.#nameOf(keyId, plan);
    const input = { name, value: usageKeyOf(keyId, plan), enabled: true };
    const created = await this.#ask(() => this.#client.send(new CreateApiKeyCommand(input)), CONFLICT);
    return created?.id ?? null;
  }

  async #find(keyId: string, plan: string): Promise<string | null> {
    const name = this.#nameOf(keyId, plan);
    const found = await this.#ask(async () => {
      const query = { nameQuery: name, limit: PAGE_SIZE };
      for await (const { items = [] } of paginateGetApiKeys({ client: this.#client }, query)) {
        const key = items.find((item) => item.name === name);
        if (key !== undefined) return key;
      }
      return null;
    });
    return found?.id ?? null;
  }

  /** The name in the console; the key id is no secret. */
  #nameOf(keyId: string, plan: string): string {
    return `${this.#deployment.name}-${keyId}-${plan}`;
  }

  #plans(): string[] {
    return Object.keys(this.#deployment.plans);
  }

  #planId(plan: string): string {
    const id = this.#deployment.plans[plan]?.usagePlanId ?? null;
    if (id !== null) return id;
    const message = `there is no plan ${plan}; there are ${this.#plans().join(", ")}`;
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
    "API Gateway did not carry out the change",
    { error: errorNameOf(error) },
    error,
  );
