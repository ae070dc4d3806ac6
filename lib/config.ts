// What an operator may choose, each with a safe default. A wrong value is one clear line, before anything is deployed.
import * as z from "zod";
import { DisclosureError } from "../core/errors.ts";

const STAGES = ["trial", "production"] as const;
/** What CloudWatch Logs accepts. */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;
/** S3 locks for 36,500 days at most, and a century with its leap days has more. */
const MAX_RETENTION_YEARS = 99;
/** What the authorizer can hand on with every call; service/tenants/tenant-registry.ts says how that is counted. */
const MAX_CHAINS = 128;
const MAX_AUTHORITIES = 5;
/** EventBridge Scheduler runs once a minute at most; a reader should not wait more than an hour. */
const MAX_SEAL_INTERVAL_MINUTES = 60;
/** API Gateway's own limits for an account, unless AWS raised them. */
const MAX_RATE = 10_000;
const MAX_BURST = 5_000;
/** API Gateway counts a quota in 32 bits; what is larger would fail in the middle of a deployment. */
const MAX_QUOTA = 2 ** 31 - 1;

const whole = (min: number, max: number) => z.int("must be a whole number").min(min).max(max);

const planSchema = z.strictObject({
  /** Requests a second, lasting. */
  rate: whole(1, MAX_RATE),
  /** Requests at once. */
  burst: whole(1, MAX_BURST),
  /** Requests a month. */
  monthlyQuota: whole(1, MAX_QUOTA),
});

const domainSchema = z.strictObject({
  name: z.string().regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, "must be a host name"),
  certificateArn: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/,
      "must be the ARN of an ACM certificate",
    ),
});

const DEFAULT_PLANS = {
  trial: { rate: 5, burst: 10, monthlyQuota: 10_000 },
  standard: { rate: 50, burst: 100, monthlyQuota: 1_000_000 },
  volume: { rate: 500, burst: 1_000, monthlyQuota: 100_000_000 },
};
const slug = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, "must be 1 to 32 of a-z, 0-9 and -, with a letter first");

export const configSchema = z
  .strictObject({
    /** Tells several deployments of one account apart, in names of alarms, plans and parameters. */
    name: slug.default("disclosure-receipts"),
    /** `trial`: everything can be torn down. `production`: evidence can't be, by anyone, for `retentionYears`. */
    stage: z.enum(STAGES, `must be ${STAGES.join(" or ")}`).default("trial"),
    /** How long production's Object Lock keeps each published root. */
    retentionYears: whole(1, MAX_RETENTION_YEARS).default(10),
    sealIntervalMinutes: whole(1, MAX_SEAL_INTERVAL_MINUTES).default(1),
    /** RFC 3161 over HTTP, asked in this order. None: those that the package knows the anchors of. */
    timestampAuthorities: z.array(z.url("must be a URL")).min(1).max(MAX_AUTHORITIES).optional(),
    /** PEM files with the certificates that the authorities' tokens must lead to. */
    trustAnchorFiles: z.array(z.string().min(1)).min(1).optional(),
    /**
     * How many tokens a seal gets, each from an authority with another trust anchor. None: two where two of the
     * authorities are known to have nothing to do with each other, else one.
     */
    sealTimestamps: whole(1, MAX_AUTHORITIES).optional(),
    /** Whether each attestation is timestamped in the call. Off: its token comes with the seal. */
    inlineTimestamps: z.boolean("must be true or false").default(true),
    /** How many chains a new tenant gets; a tenant's number can't be changed later. */
    chainsPerTenant: whole(1, MAX_CHAINS).default(1),
    /** Throttles and quotas by name. An API key of no plan can't call. */
    plans: z
      .record(slug, planSchema)
      .refine((plans) => Object.keys(plans).length > 0, "must hold a plan")
      .default(DEFAULT_PLANS),
    domain: domainSchema.optional(),
    logRetentionDays: z
      .literal(LOG_RETENTION_DAYS, `must be one of ${LOG_RETENTION_DAYS.join(", ")}`)
      .default(90),
    alarmEmail: z.email("must be an e-mail address").optional(),
    /** AWS WAF before the API. */
    waf: z.boolean("must be true or false").default(false),
    /** Off where CloudFront is not wanted or, as in emulators, not there: the API then serves the roots itself. */
    cloudFront: z.boolean("must be true or false").default(true),
    /** Whether this stack sets the role by which API Gateway may log, of which an account has one a region. */
    accountLogRole: z.boolean("must be true or false").default(true),
  })
  .check(({ value, issues }) => {
    const wrong = (path: string[], message: string) => {
      issues.push({ code: "custom", input: value, path, message });
    };
    if ((value.timestampAuthorities === undefined) !== (value.trustAnchorFiles === undefined)) {
      wrong(
        ["trustAnchorFiles"],
        "goes together with timestampAuthorities: tokens must lead to these anchors",
      );
    }
    const { domain, cloudFront } = value;
    if (domain !== undefined && cloudFront && !domain.certificateArn.includes(":us-east-1:")) {
      wrong(["domain", "certificateArn"], "must be in us-east-1, where CloudFront looks for certificates");
    }
  });

/** What an operator writes: everything may be left out. */
export type AttestationConfig = z.input<typeof configSchema>;
/** What the stack is built from. */
export type Config = z.output<typeof configSchema>;

/** Throws `misconfigured`, in one line, with every setting that is wrong. */
export function parseConfig(settings: unknown): Config {
  const result = configSchema.safeParse(settings);
  if (result.success) return result.data;
  const issues = result.error.issues.map(
    ({ path, message }) => `${path.join(".") || "settings"}: ${message}`,
  );
  throw new DisclosureError("misconfigured", issues.join("; "));
}
