// The operator's settings, each with a safe default. A wrong value is one clear line, before anything is deployed.
import * as z from "zod";
import { KEYED_THROTTLE } from "../../contract/limits.ts";
import { only } from "../../contract/only.ts";
import { DEFAULT_PLANS, planShape } from "../../contract/plans.ts";
import { PRODUCTION, STAGES } from "../../contract/stages.ts";
import { DEFAULT_WEB_CONCURRENCY, MAX_WEB_CONCURRENCY } from "../../contract/web-runtime.ts";
import { wholeNumber } from "../../contract/whole-number.ts";
import { Misconfigured } from "./misconfigured.ts";

const RUNTIMES = ["functions", "web"] as const;
/** An environment serves up to 128 requests at once, so these are many; Lambda takes no limit below two. */
const MAX_ENVIRONMENTS = 1_000;
const MIN_ENVIRONMENTS = 2;
const MAX_SECRETS = 1_000_000;
/** The values that CloudWatch Logs accepts. */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;
/** S3 locks for 36,500 days at most, and a century with its leap days has more. */
const MAX_RETENTION_YEARS = 99;
/** Every new table has so much. DynamoDB takes no less. */
const MIN_WARM_READ_UNITS = 12_000;
const MIN_WARM_WRITE_UNITS = 4_000;
/** DynamoDB's own limit for a table, unless AWS raised it. */
const MAX_TABLE_UNITS = 40_000;
const ROLLOUTS = ["canary", "at-once"] as const;
/** Lambda's own limit for all functions of an account and Region, unless AWS raised it. */
const MAX_RESERVED = 1_000;
const MAX_AUTHORITIES = 5;
const MAX_TRUST_ANCHOR_FILES = 16;
const MAX_RETIRED_KEYS = 16;
/** One for each country in which the service may be used. */
const MAX_POLICY_FILES = 64;
/** A function's environment has 4 KB in all, and its other variables take less than half. */
const MAX_PLANS_LENGTH = 2_048;
/** EventBridge Scheduler runs once a minute at most; a reader should not wait more than an hour. */
const MAX_SEAL_INTERVAL_MINUTES = 60;
/** US dollars. */
const MAX_MONTHLY_BUDGET = 10_000_000;
const EVENT_BUS = "must be the name of an EventBridge bus, or false";
const text = (pattern: RegExp, expected: string) => z.string(expected).regex(pattern, expected);
const flag = () => z.boolean("must be true or false");
const list = <T extends z.ZodType>(item: T, max: number, expected: string) =>
  z.array(item, expected).min(1, expected).max(max, expected);

const planSchema = only(planShape);

const domainSchema = only({
  name: text(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, "must be a host name"),
  certificateArn: text(
    /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
    "must be the ARN of an ACM certificate",
  ),
});

/** For the web runtime. */
const webSchema = only({
  /** Requests at once in one process; more make larger transactions. */
  concurrency: wholeNumber(1, MAX_WEB_CONCURRENCY),
  /** Processes at once of each server. Few are better: the processes of one chain race for its next place. */
  maxEnvironments: wholeNumber(MIN_ENVIRONMENTS, MAX_ENVIRONMENTS),
  /** The number of the secret by which the servers know CloudFront; the next number rotates it. */
  originSecret: wholeNumber(1, MAX_SECRETS),
});

const SLUG = "must be 1 to 32 of a-z, 0-9 and -, with a letter first";
const slug = text(/^[a-z][a-z0-9-]{0,31}$/, SLUG);

const plansSchema = z
  .record(slug, planSchema, {
    error: ({ code }) =>
      code === "invalid_key" ? `the name of a plan ${SLUG}` : "must be an object of plans",
  })
  .refine((plans) => Object.keys(plans).length > 0, "must hold at least one plan")
  .refine(
    (plans) => JSON.stringify(plans).length <= MAX_PLANS_LENGTH,
    `must be at most ${MAX_PLANS_LENGTH} characters of JSON without spaces, some 30 plans: functions get all of them`,
  );

export const configSchema = only({
  /** Distinguishes several deployments of one account, in names of alarms, plans and parameters. */
  name: slug.default("disclosure-receipts"),
  /** `trial`: everything can be deleted. `production`: nobody can delete evidence for `retentionYears`. */
  stage: z.enum(STAGES, `must be ${STAGES.join(" or ")}`).default("trial"),
  /** `functions`: API Gateway and a Lambda function for each handler. `web`: two Lambda Web Functions. */
  runtime: z.enum(RUNTIMES, `must be ${RUNTIMES.join(" or ")}`).default("functions"),
  web: webSchema.default({ concurrency: DEFAULT_WEB_CONCURRENCY, maxEnvironments: 8, originSecret: 1 }),
  /** How long production's Object Lock keeps each published root. */
  retentionYears: wholeNumber(1, MAX_RETENTION_YEARS).default(10),
  sealIntervalMinutes: wholeNumber(1, MAX_SEAL_INTERVAL_MINUTES).default(1),
  /** RFC 3161 over HTTP, asked in this order. Default: the authorities whose roots ship with the package. */
  timestampAuthorities: list(
    z.url({ protocol: /^https?$/, error: "must be a URL with http or https" }),
    MAX_AUTHORITIES,
    `must be a JSON list of 1 to ${MAX_AUTHORITIES} URLs`,
  ).optional(),
  /** PEM files with the certificates that the authorities' tokens must lead to. */
  trustAnchorFiles: list(
    text(/./, "must be a file name"),
    MAX_TRUST_ANCHOR_FILES,
    `must be a JSON list of 1 to ${MAX_TRUST_ANCHOR_FILES} file names`,
  ).optional(),
  /**
   * How many tokens a seal gets, each from an authority with a different trust anchor. Default: two where two of the
   * authorities are known to be independent, else one.
   */
  sealTimestamps: wholeNumber(1, MAX_AUTHORITIES).optional(),
  /** True: each attestation is timestamped in the call. False: its token comes with the seal. */
  inlineTimestamps: flag().default(true),
  /** Rates, quotas and the number of chains by name. A tenant without a plan can't call. */
  plans: plansSchema.default(DEFAULT_PLANS),
  /** Calls a second and at once of one method that needs a key, for all tenants together. */
  keyedThrottle: only({ rate: planShape.rate, burst: planShape.burst }).default(KEYED_THROTTLE),
  /** A ceiling for what the table writes a second, and with it for the bill. Default: the account's. */
  maxWriteUnits: wholeNumber(1, MAX_TABLE_UNITS).optional(),
  /** The table can do this at once from its first second on. Default: what DynamoDB gives a new table. */
  warmUnits: only({
    read: wholeNumber(MIN_WARM_READ_UNITS, MAX_TABLE_UNITS),
    write: wholeNumber(MIN_WARM_WRITE_UNITS, MAX_TABLE_UNITS),
  }).optional(),
  domain: domainSchema.optional(),
  /** The name of the transparency log: a host and a path, without scheme. Default: the public address and its path. */
  logOrigin: text(
    /^[a-z0-9.-]{1,100}(?::\d{1,5})?(?:\/[\w.~-]{1,50}){0,8}$/,
    "must be a host and a path, without https://",
  ).optional(),
  /** A tlog-policy (C2SP) with the witnesses that the log asks to cosign its checkpoints. Default: none. */
  witnessPolicyFile: text(/\w/, "must be a file name").optional(),
  /** Whole wording policy layers, each in place of the one that ships for its country, or beside those that ship. */
  policyFiles: list(
    text(/./, "must be a file name"),
    MAX_POLICY_FILES,
    `must be a JSON list of 1 to ${MAX_POLICY_FILES} file names`,
  ).optional(),
  /** Ids of KMS keys of this account and region that made codes of older receipts, and make none any more. */
  retiredMacKeyIds: list(
    text(/^(?:[0-9a-f-]{36}|mrk-[0-9a-f]{32})$/, "must be the id of a KMS key"),
    MAX_RETIRED_KEYS,
    `must be a JSON list of 1 to ${MAX_RETIRED_KEYS} ids of KMS keys`,
  ).optional(),
  logRetentionDays: z
    .literal(LOG_RETENTION_DAYS, `must be one of ${LOG_RETENTION_DAYS.join(", ")}`)
    .default(90),
  alarmEmail: z.email("must be an e-mail address").optional(),
  /** The month's budget for this deployment at AWS, in whole US dollars. The alarm topic is told when it runs low. */
  monthlyBudget: wholeNumber(1, MAX_MONTHLY_BUDGET).optional(),
  /** The EventBridge bus of this account and region that events go to, by its name; false: events go nowhere. */
  eventBus: z
    .union(
      [z.literal(["false", false]).transform((): false => false), text(/^[\w./-]{1,256}$/, EVENT_BUS)],
      EVENT_BUS,
    )
    .default("default"),
  /** The id of this deployment's CloudFront distribution: a second stack in us-east-1 then has the alarm on it. */
  edgeAlarms: text(
    /^E[0-9A-Z]{6,20}$/,
    "must be the id of a CloudFront distribution, such as E2QWRUHEXAMPLE",
  ).optional(),
  /** AWS WAF in front of the API. */
  waf: flag().default(false),
  /** Without CloudFront (because it is not wanted, or not there, as in emulators) the API serves the roots itself. */
  cloudFront: flag().default(true),
  /** True: this stack sets the role by which API Gateway may log. An account has one such role for each region. */
  accountLogRole: flag().default(false),
  /**
   * How new code that attests comes into use: for one call in ten first, or for all at once. Default: in production
   * `canary`, in a trial `at-once`.
   */
  rollout: z.enum(ROLLOUTS, `must be ${ROLLOUTS.join(" or ")}`).optional(),
  /** AWS X-Ray for the API and its functions. */
  tracing: flag().default(false),
  /**
   * How many runs at once are kept for, and are the most of, the authorizer and each function that needs no key; 0 for
   * no such limit. Default: in production these, in a trial none.
   */
  reservedConcurrency: only({
    authorize: wholeNumber(0, MAX_RESERVED),
    public: wholeNumber(0, MAX_RESERVED),
  }).optional(),
});

const checkedSchema = configSchema.check(({ value, issues }) => {
  const wrong = (path: string[], message: string) => {
    issues.push({ code: "custom", input: value, path, message });
  };
  if ((value.timestampAuthorities === undefined) !== (value.trustAnchorFiles === undefined)) {
    wrong(["trustAnchorFiles"], "goes together with timestampAuthorities: tokens must lead to these anchors");
  }
  const { domain, cloudFront, plans, keyedThrottle, runtime, waf, rollout } = value;
  for (const [name, plan] of Object.entries(plans)) {
    for (const limit of ["rate", "burst"] as const) {
      if (plan[limit] > keyedThrottle[limit])
        wrong(["keyedThrottle", limit], `must be at least ${plan[limit]}, as the plan ${name} sells`);
    }
  }
  if (runtime === "web" && !cloudFront)
    wrong(["cloudFront"], "must be true: the web runtime is reached through it");
  if (runtime === "web" && waf)
    wrong(["waf"], "must be false: the web runtime has no API Gateway that it could protect");
  if (runtime === "web" && rollout === "canary")
    wrong(["rollout"], "must be at-once or left out: new code of the web runtime takes all calls at once");
  if (domain !== undefined && cloudFront && !domain.certificateArn.includes(":us-east-1:")) {
    wrong(["domain", "certificateArn"], "must be in us-east-1, where CloudFront looks for certificates");
  }
});

/** The settings as an operator writes them: all may be left out. */
export type AttestationConfig = z.input<typeof configSchema>;
export type ParsedSettings = z.output<typeof configSchema>;
/** The settings that the constructs are built from. */
export type Config = ParsedSettings & { readonly isProduction: boolean };

/** Throws `misconfigured`, in one line, with every setting that is wrong. */
export function parseConfig(settings: unknown): Config {
  const { data, error } = checkedSchema.safeParse(settings);
  if (data !== undefined) return { ...data, isProduction: data.stage === PRODUCTION };
  const issues = error.issues.map(({ path, message }) => `${path.join(".") || "settings"}: ${message}`);
  throw new Misconfigured(issues.join("; "));
}
