// API Gateway's keys and usage plans, as far as operators use them. What the control plane has is let through only once
// the data plane has learned of it, which is when somebody pauses; what is deleted is refused at once.
import {
  APIGatewayClient,
  ConflictException,
  type CreateApiKeyCommandInput,
  type CreateUsagePlanKeyCommandInput,
  type DeleteApiKeyCommandInput,
  type GetApiKeysCommandInput,
  type GetUsagePlanKeysCommandInput,
  NotFoundException,
} from "@aws-sdk/client-api-gateway";

type Inputs = CreateApiKeyCommandInput &
  CreateUsagePlanKeyCommandInput &
  DeleteApiKeyCommandInput &
  GetApiKeysCommandInput &
  GetUsagePlanKeysCommandInput;

interface GatewayKey {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly enabled: boolean;
  readonly plans: Set<string>;
}

const FAULT = { $fault: "client", $metadata: {}, message: "" } as const;
/** Small, so that lists have pages. */
const PAGE = 2;

export class FakeGateway {
  readonly keys = new Map<string, GatewayKey>();
  readonly client: APIGatewayClient;
  #learned = new Set<string>();
  #nextId = 0;

  constructor() {
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const send = async (command: { constructor: { name: string }; input: Inputs }) =>
      this.answer(command.constructor.name.replace("Command", ""), command.input);
    this.client = Object.assign(new APIGatewayClient({ region: "test", credentials }), { send });
  }

  /** The names of all keys with their plans. */
  get entered(): string[] {
    return [...this.keys.values()].map(({ name, plans }) => `${name} in ${[...plans].join()}`).sort();
  }

  /** Whether a call that the authorizer names so is let through. */
  admits(value: string): boolean {
    const known = [...this.keys.values()].some(
      (key) => key.value === value && key.enabled && key.plans.size > 0,
    );
    return known && this.#learned.has(value);
  }

  learn(): void {
    const entered = [...this.keys.values()].filter(({ plans }) => plans.size > 0);
    this.#learned = new Set(entered.map(({ value }) => value));
  }

  /** Throws the exceptions of API Gateway. */
  answer(command: string, input: Partial<Inputs>): object {
    switch (command) {
      case "CreateApiKey":
        return this.#create(input);
      case "CreateUsagePlanKey":
        return this.#enter(input);
      case "DeleteApiKey":
        if (!this.keys.delete(input.apiKey ?? "")) throw new NotFoundException(FAULT);
        return {};
      case "GetApiKeys":
        return this.#page([...this.keys.values()], input);
      case "GetUsagePlanKeys":
        return this.#page(
          [...this.keys.values()].filter(({ plans }) => plans.has(input.usagePlanId ?? "")),
          input,
        );
      default:
        throw new Error(`no ${command} here`);
    }
  }

  #create({ name = "", value = "", enabled = false }: Partial<Inputs>): object {
    if ([...this.keys.values()].some((key) => key.value === value)) throw new ConflictException(FAULT);
    const id = `id-${this.#nextId++}`;
    this.keys.set(id, { id, name, value, enabled, plans: new Set() });
    return { id, name, value };
  }

  #enter({ usagePlanId = "", keyId = "" }: Partial<Inputs>): object {
    const key = this.keys.get(keyId);
    if (key === undefined) throw new NotFoundException(FAULT);
    if (key.plans.has(usagePlanId)) throw new ConflictException(FAULT);
    key.plans.add(usagePlanId);
    return {};
  }

  #page(
    keys: readonly GatewayKey[],
    { nameQuery = "", position = "0", includeValues }: Partial<Inputs>,
  ): object {
    const found = keys.filter(({ name }) => name.startsWith(nameQuery));
    const end = Number(position) + PAGE;
    return {
      items: found
        .slice(Number(position), end)
        .map(({ id, name, value }) => ({ id, name, ...(includeValues === true && { value }) })),
      ...(end < found.length && { position: String(end) }),
    };
  }
}
