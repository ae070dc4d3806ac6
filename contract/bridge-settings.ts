// The settings of the bridge for hosted voice platforms, as an operator writes them: checked when a stack is made, and read
// when the bridge starts.
import * as z from "zod";
import { only } from "./only.ts";

export const PLATFORMS = ["vapi", "retell", "elevenlabs"] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The path before a platform's name, on the local stack and in the construct's address. */
export const BRIDGE_PATH = "/bridge/";

/**
 * The method of what a platform tells after the call. The layers know it as one that is only reported: its receipts get
 * MODIFY.
 */
export const REPORTED_METHOD = "reported_after_call";

/**
 * Bytes of a webhook's body. A report of a long call has hundreds of KB; Lambda itself takes no more than 6 MB, and audio
 * is nothing that the bridge could use.
 */
export const MAX_WEBHOOK_BODY_BYTES = 4 * 1024 * 1024;

const MAX_TEXTS = 64;
const MAX_TEXT_LENGTH = 1_000;
const MAX_AGENTS = 256;
const MAX_NAME_LENGTH = 200;
const METHOD = "must be 1 to 64 of a-z 0-9 _";

const name = z.string().trim().min(1, "must not be empty").max(MAX_NAME_LENGTH);

export const bridgeSettingsSchema = only({
  /** ISO 3166-1 alpha-2. */
  jurisdiction: z
    .string("must be two upper-case letters")
    .regex(/^[A-Z]{2}$/, "must be two upper-case letters"),
  /** The one for whom the agents speak: this name fills `{operator}` in the texts listened for, and is in no digest. */
  operator: name.optional(),
  /** Texts that the operator registered as its own, as they are registered. */
  texts: z
    .array(
      only({
        text: z.string().trim().min(1, "must not be empty").max(MAX_TEXT_LENGTH),
        method: z.string(METHOD).regex(/^[a-z0-9_]{1,64}$/, METHOD),
      }),
    )
    .max(MAX_TEXTS)
    .default([]),
  /** The names of agents in receipts, by the platform's id of each. An agent without an entry is named by that id. */
  agents: z
    .record(z.string(), name)
    .refine((agents) => Object.keys(agents).length <= MAX_AGENTS, `must be at most ${MAX_AGENTS} agents`)
    .default({}),
  /**
   * Says which of Vapi's messages count. `report`: the one after the call, with every voice. `live`: those while the
   * audio plays, which count the words spoken, with voices that tell them.
   */
  vapi: z.enum(["report", "live"], "must be report or live").default("report"),
});

export type BridgeSettings = z.output<typeof bridgeSettingsSchema>;
/** All but the jurisdiction may be left out. */
export type BridgeSettingsInput = z.input<typeof bridgeSettingsSchema>;

const MAX_SECRETS = 8;
/** Every secret in the list is accepted, so that a new one can be there before the platform uses it. */
const platformSecrets = z
  .array(z.string().min(1, "must not be empty"), "must be a list of texts")
  .max(MAX_SECRETS)
  .default([]);

/** The secrets by which the platforms sign. A platform without one is refused. */
export const webhookSecretsSchema = only({
  vapi: platformSecrets,
  retell: platformSecrets,
  elevenlabs: platformSecrets,
});
export type PlatformSecrets = z.output<typeof webhookSecretsSchema>;

/** The secret of the deployed bridge: those of the platforms, and the key to the service. */
export const bridgeSecretSchema = only({
  ...webhookSecretsSchema.shape,
  apiKey: z.string("is missing").min(1, "must not be empty"),
});

/** Environment variables of the deployed bridge. */
export const bridgeVariables = z.object({
  BRIDGE_FILE: z.string("is missing").min(1, "must not be empty"),
  BRIDGE_SECRET: z.string("is missing").min(1, "must not be empty"),
  SERVICE_URL: z.url({ protocol: /^https$/, error: "must be a URL with https" }),
});
