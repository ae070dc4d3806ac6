// A local stack with its bridge, and the platforms that call it.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BridgeSettingsInput, Platform } from "../../../contract/bridge-settings.ts";
import { ApiClient } from "../../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../../support/local-stack.ts";
import { OPERATOR, SECRET, webhookOf } from "./platforms.ts";

export const SETTINGS: BridgeSettingsInput = {
  jurisdiction: "DE",
  operator: OPERATOR,
  agents: { agent_2: "Billing desk" },
};
export const SECRETS = { vapi: [SECRET], retell: ["the next one", SECRET], elevenlabs: [SECRET] };

export interface Answered {
  readonly status: number;
  readonly body: { readonly event_ids?: string[]; readonly missed?: number; readonly title?: string };
}

export class BridgeWorld {
  readonly stack: LocalStack;

  private constructor(stack: LocalStack) {
    this.stack = stack;
  }

  static async start(settings: Partial<BridgeSettingsInput> = {}): Promise<BridgeWorld> {
    const folder = newFolder();
    const write = (name: string, value: unknown): string => {
      const file = join(folder, name);
      writeFileSync(file, JSON.stringify(value));
      return file;
    };
    const environment = {
      BRIDGE_FILE: write("bridge.json", { ...SETTINGS, ...settings }),
      BRIDGE_SECRETS_FILE: write("secrets.json", SECRETS),
      LOG_LEVEL: "DEBUG",
    };
    return new BridgeWorld(await startLocalStack({ environment }));
  }

  /** Sends it again after a 503, as platforms do: a busy machine may not record all in the time that a message has. */
  async send(
    platform: Platform,
    message: unknown,
    webhook = webhookOf(platform, message),
  ): Promise<Answered> {
    const url = `${this.stack.url}/bridge/${platform}`;
    const answer = await fetch(url, { method: "POST", ...webhook });
    if (answer.status === 503) return this.send(platform, message, webhook);
    return { status: answer.status, body: (await answer.json()) as Answered["body"] };
  }

  /** What of a conversation's receipts tells which disclosure each is; none where nothing was recorded. */
  async receipts(interactionId: string) {
    const api = new ApiClient(this.stack);
    const { status } = await api.call("GET", `/v1/interactions/${interactionId}`);
    if (status === 404) return [];
    const { receipts, requests } = await api.interaction(interactionId);
    return receipts.map(({ turn, verdict, disclosure, policy, event_id }, i) => ({
      turn,
      verdict,
      method: disclosure.disclosure_method,
      wording: policy.wording_id,
      findings: policy.findings,
      agent: requests[i]?.agent_identity,
      eventId: event_id,
      disclosedAt: requests[i]?.disclosed_at,
    }));
  }

  /** Of these texts, those that are in a byte of the service's folder or of its output. */
  leaks(texts: readonly string[]): string[] {
    const files = readdirSync(this.stack.dataDir, { recursive: true, encoding: "utf8" })
      .map((name) => join(this.stack.dataDir, name))
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path));
    const all = Buffer.concat([...files, Buffer.from(this.stack.output)]);
    return texts.filter((text) => all.includes(text));
  }
}
