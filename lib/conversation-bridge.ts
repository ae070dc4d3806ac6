// The bridge for hosted voice platforms (Vapi, Retell, ElevenLabs) as a construct: one function with an address of its own
// and one secret, in the account of whoever has the platforms' accounts. The service may be in another one.
import { Duration, RemovalPolicy, Token } from "aws-cdk-lib";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  FunctionUrlAuthType,
  ParamsAndSecretsLayerVersion,
  ParamsAndSecretsLogLevel,
  ParamsAndSecretsVersions,
} from "aws-cdk-lib/aws-lambda";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import type * as z from "zod";
import { knownTexts } from "../clients/bridge/known-texts.ts";
import {
  BRIDGE_PATH,
  type BridgeSettings,
  type BridgeSettingsInput,
  bridgeSettingsSchema,
  type bridgeVariables,
  PLATFORMS,
  type Platform,
} from "../contract/bridge-settings.ts";
import { BRIDGE_HANDLER } from "../contract/routes.ts";
import { acknowledge } from "./parts/acknowledge.ts";
import { Assets } from "./parts/assets.ts";
import { HandlerFunction } from "./parts/handler.ts";
import { addOperatorAlarm } from "./parts/operator-alarm.ts";
import { type AttestationConfig, type Config, parseConfig } from "./settings/config.ts";
import { Misconfigured } from "./settings/misconfigured.ts";
import { AlarmTopic } from "./watch/alarm-topic.ts";
import { ownMetric } from "./watch/metrics.ts";

const DEFAULT_NAME = "conversation-bridge";
/** The bridge gives up after eight seconds; beside that it reads the secret. */
const SIZE = { memoryMiB: 512, timeoutSeconds: 15 };
/** A secret that was rotated is read anew after this time at most. */
const SECRET_TTL = Duration.minutes(5);
const SETTINGS_FILE = "bridge.json";
/** The made-up key to the service has this length. It makes the secret readable before the operator sets a real key. */
const PLACEHOLDER_LENGTH = 32;

export interface ConversationBridgeProps
  extends BridgeSettingsInput,
    Pick<AttestationConfig, "name" | "logRetentionDays" | "tracing" | "alarmEmail"> {
  /** The service's address, without `/v1`. */
  readonly serviceUrl: string;
  /** How many messages are answered at once at most. Default: what the account has left. */
  readonly reservedConcurrency?: number;
  /** The folder that `npm run bundle` built; by default the one that came with this package. */
  readonly assetsFolder?: string;
}

/** Throws `misconfigured`, in one line, for a wrong setting. */
export class ConversationBridge extends Construct {
  /** The address to which each platform sends its webhooks. */
  readonly urls: Readonly<Record<Platform, string>>;
  /** Holds the key to the service and the platforms' secrets, as JSON: docs/adapters/bridge.md shows it. */
  readonly secret: Secret;
  /** This topic is told of calls in which a disclosure was missed, and when there are no more such calls. */
  readonly alarmTopic: ITopic;

  constructor(scope: Construct, id: string, props: ConversationBridgeProps) {
    super(scope, id);
    const { name = DEFAULT_NAME, logRetentionDays, tracing, alarmEmail, ...rest } = props;
    const { serviceUrl, assetsFolder, reservedConcurrency, ...given } = rest;
    const settings = readSettings(given);
    requireAddress(serviceUrl);
    const config = parseConfig({ name, logRetentionDays, tracing, alarmEmail });
    this.secret = this.#secret(name);
    this.alarmTopic = this.#addAlarm(config);
    const environment = {
      BRIDGE_FILE: SETTINGS_FILE,
      BRIDGE_SECRET: this.secret.secretArn,
      SERVICE_URL: serviceUrl,
    } satisfies z.input<typeof bridgeVariables>;
    const handler = new HandlerFunction(this, BRIDGE_HANDLER, {
      assets: new Assets(assetsFolder),
      config,
      handler: BRIDGE_HANDLER,
      description: "attests what hosted voice platforms say was spoken",
      size: SIZE,
      environment,
      files: { [SETTINGS_FILE]: JSON.stringify(settings) },
      options: {
        paramsAndSecrets: ParamsAndSecretsLayerVersion.fromVersion(ParamsAndSecretsVersions.V1_0_103, {
          logLevel: ParamsAndSecretsLogLevel.ERROR,
          secretsManagerTtl: SECRET_TTL,
        }),
        ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
      },
    });
    this.#letRead(handler);
    // The signature shows who calls: platforms have no credentials of AWS.
    const { url } = handler.lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    const urlOf = (platform: Platform) => [platform, `${url}${BRIDGE_PATH.slice(1)}${platform}`] as const;
    this.urls = Object.fromEntries(PLATFORMS.map(urlOf)) as Record<Platform, string>;
  }

  #addAlarm(config: Config): ITopic {
    const { name } = config;
    const { topic } = new AlarmTopic(this, "AlarmTopic", config);
    const metric = ownMetric(name, "missedDisclosures", "Sum");
    addOperatorAlarm(this, { name, topic, section: "missed-disclosure", metric, threshold: 1 });
    return topic;
  }

  /** The secret can be read as it is made: it has no platform's secrets yet, so every webhook is refused. */
  #secret(name: string): Secret {
    const none = Object.fromEntries(PLATFORMS.map((platform) => [platform, []]));
    const secret = new Secret(this, "Secret", {
      description: `${name}: the key to the service, and the secrets of the platforms`,
      generateSecretString: {
        secretStringTemplate: JSON.stringify(none),
        generateStringKey: "apiKey",
        passwordLength: PLACEHOLDER_LENGTH,
        excludePunctuation: true,
      },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(secret, {
      "AwsSolutions-SMG4":
        "The platforms make these secrets up, and AWS can't rotate them: the operator puts the next ones beside them.",
    });
    return secret;
  }

  /** The function may read the secret, and whatever else the account allows, nobody but the function may. */
  #letRead(handler: HandlerFunction): void {
    const action = "secretsmanager:GetSecretValue";
    handler.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({ actions: [action], resources: [this.secret.secretArn] }),
    );
    this.secret.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: [action],
        resources: ["*"],
        conditions: { ArnNotEquals: { "aws:PrincipalArn": handler.lambda.role?.roleArn } },
      }),
    );
  }
}

function readSettings(given: unknown): BridgeSettings {
  const { data, error } = bridgeSettingsSchema.safeParse(given);
  if (data === undefined) {
    const issues = error.issues.map(({ path, message }) => `${path.join(".") || "settings"}: ${message}`);
    throw new Misconfigured(issues.join("; "));
  }
  try {
    knownTexts(data);
  } catch (cause) {
    throw new Misconfigured(cause instanceof Error ? cause.message : "the texts can't be read", cause);
  }
  return data;
}

/** The address of a service in the same app is known only when it is deployed. */
function requireAddress(serviceUrl: string): void {
  if (Token.isUnresolved(serviceUrl)) return;
  const url = URL.canParse(serviceUrl) ? new URL(serviceUrl) : null;
  if (url?.protocol !== "https:" || /\/v1\/?$/.test(url.pathname))
    throw new Misconfigured("serviceUrl: must be the address of a service, such as https://…, without /v1");
}
