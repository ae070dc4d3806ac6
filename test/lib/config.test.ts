// The operator's settings: what is taken, what is refused, and in which words.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { MAX_CHAINS } from "../../contract/limits.ts";
import { trustAnchorsOf } from "../../evidence/core/timestamps/authorities.ts";
import { knownAuthorities } from "../../evidence/core/timestamps/known-authorities.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { TimestampTrust } from "../../lib/evidence/timestamp-trust.ts";
import { Assets } from "../../lib/parts/assets.ts";
import { configSchema, parseConfig } from "../../lib/settings/config.ts";
import { readSettings } from "../../lib/settings/context.ts";
import { certificateArn, fakeAssets, temporaryFolder } from "./synthesis.ts";

const VECTORS = join(import.meta.dirname, "..", "vectors", "timestamps");
const GOLD = { rate: 1, burst: 1, monthlyQuota: 1, chains: 1 };

/** The line that refuses these settings. */
function messageOf(settings: object): string {
  try {
    parseConfig(settings);
    return expect.fail(`${JSON.stringify(settings)} is not refused`);
  } catch (error) {
    return (error as Error).message;
  }
}

const settingsOf = (context: Record<string, unknown>) => readSettings(new App({ context }).node);

describe("without a setting", () => {
  test("a stack is a trial that can be torn down, sealed every minute, timestamped in the call", () => {
    expect(parseConfig({})).toMatchObject({
      stage: "trial",
      sealIntervalMinutes: 1,
      inlineTimestamps: true,
      cloudFront: true,
      waf: false,
      runtime: "functions",
      web: { concurrency: 64, maxEnvironments: 8, originSecret: 1 },
    });
  });

  test("every plan has a throttle, a quota and a number of chains", () => {
    for (const plan of Object.values(parseConfig({}).plans)) {
      expect(plan).toEqual({
        rate: expect.any(Number),
        burst: expect.any(Number),
        monthlyQuota: expect.any(Number),
        chains: expect.any(Number),
      });
    }
  });
});

test("a plan may give a tenant as many chains as the operator's program lets it have", () => {
  const plans = { gold: { ...GOLD, chains: MAX_CHAINS } };
  expect(parseConfig({ plans }).plans.gold?.chains).toBe(MAX_CHAINS);
});

describe("a wrong setting is named in one line", () => {
  test.each([
    [{ stage: "prod" }, "stage: must be trial or production"],
    [{ stgae: "trial" }, 'settings: "stgae" is no setting'],
    [{ name: "My Service" }, /^name: must be 1 to 32 of a-z/],
    [{ retentionYears: 0 }, "retentionYears: must be a whole number from 1 to 99"],
    [{ retentionYears: 100 }, "retentionYears: must be a whole number from 1 to 99"],
    [{ sealIntervalMinutes: 0 }, "sealIntervalMinutes: must be a whole number from 1 to 60"],
    [{ sealIntervalMinutes: 0.5 }, "sealIntervalMinutes: must be a whole number from 1 to 60"],
    [{ sealIntervalMinutes: 61 }, "sealIntervalMinutes: must be a whole number from 1 to 60"],
    [{ sealTimestamps: 0 }, "sealTimestamps: must be a whole number from 1 to 5"],
    [{ sealTimestamps: 6 }, "sealTimestamps: must be a whole number from 1 to 5"],
    [{ sealTimestamps: 1.5 }, "sealTimestamps: must be a whole number from 1 to 5"],
    [{ chainsPerTenant: 2 }, 'settings: "chainsPerTenant" is no setting'],
    [
      { plans: { gold: { ...GOLD, chains: MAX_CHAINS + 1 } } },
      `plans.gold.chains: must be a whole number from 1 to ${MAX_CHAINS}`,
    ],
    [{ logRetentionDays: 31 }, /^logRetentionDays: must be one of 1, 3, /],
    [{ alarmEmail: "nobody" }, "alarmEmail: must be an e-mail address"],
    [{ monthlyBudget: 0 }, "monthlyBudget: must be a whole number from 1 to 10000000"],
    [{ monthlyBudget: 99.5 }, "monthlyBudget: must be a whole number from 1 to 10000000"],
    [{ waf: "yes" }, "waf: must be true or false"],
    [{ keyedThrottle: { rate: 1 } }, "keyedThrottle.burst: must be a whole number from 1 to 5000"],
    [
      { keyedThrottle: { rate: 499, burst: 999 } },
      "keyedThrottle.rate: must be at least 500, as the plan volume sells; keyedThrottle.burst: must be at least 1000, as the plan volume sells",
    ],
    [{ maxWriteUnits: 0 }, "maxWriteUnits: must be a whole number from 1 to 40000"],
    [
      { warmUnits: { read: 12_000, write: 3_999 } },
      "warmUnits.write: must be a whole number from 4000 to 40000",
    ],
    [
      { reservedConcurrency: { authorize: 1_001, public: 0 } },
      "reservedConcurrency.authorize: must be a whole number from 0 to 1000",
    ],
    [{ plans: {} }, "plans: must hold at least one plan"],
    [{ plans: { gold: { ...GOLD, rate: 0 } } }, "plans.gold.rate: must be a whole number from 1 to 10000"],
    [
      { plans: { gold: { rate: 1, burst: 1 } } },
      "plans.gold.monthlyQuota: must be a whole number from 1 to 2147483647",
    ],
    // API Gateway counts in 32 bits.
    [{ plans: { gold: { ...GOLD, monthlyQuota: 2 ** 31 } } }, /^plans\.gold\.monthlyQuota: must be a whole/],
    [
      { plans: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`plan-${i}`, GOLD])) },
      /^plans: must be at most 2048 characters/,
    ],
    [{ plans: { gold: { ...GOLD, cost: 1 } } }, 'plans.gold: "cost" is no setting'],
    [{ plans: { Gold: GOLD } }, "plans.Gold: the name of a plan must be 1 to 32 of a-z"],
    [{ timestampAuthorities: "http://x" }, "timestampAuthorities: must be a JSON list of 1 to 5 URLs"],
    [
      { timestampAuthorities: ["tsa.example"], trustAnchorFiles: ["a.pem"] },
      "timestampAuthorities.0: must be a URL",
    ],
    [{ timestampAuthorities: ["http://tsa.example"] }, /^trustAnchorFiles: goes together with/],
    [{ policyFiles: "de.json" }, "policyFiles: must be a JSON list of 1 to 64 file names"],
    [{ logOrigin: "https://log.example" }, "logOrigin: must be a host and a path, without https://"],
    [{ logOrigin: "log.example/a+b" }, "logOrigin: must be a host and a path, without https://"],
    [{ logOrigin: "log.example/" }, "logOrigin: must be a host and a path, without https://"],
    [{ trustAnchorFiles: ["a.pem"] }, /^trustAnchorFiles: goes together with/],
    [
      { domain: { name: "x", certificateArn: certificateArn("us-east-1") } },
      "domain.name: must be a host name",
    ],
    [
      { domain: { name: "x.example", certificateArn: certificateArn("eu-central-1") } },
      "domain.certificateArn: must be in us-east-1, where CloudFront looks for certificates",
    ],
    [{ runtime: "container" }, "runtime: must be functions or web"],
    [
      { runtime: "web", cloudFront: false },
      "cloudFront: must be true: the web runtime is reached through it",
    ],
    [
      { runtime: "web", waf: true },
      "waf: must be false: the web runtime has no API Gateway that it could protect",
    ],
    [
      { runtime: "web", rollout: "canary" },
      "rollout: must be at-once or left out: new code of the web runtime takes all calls at once",
    ],
    [
      { web: { concurrency: 129, maxEnvironments: 2, originSecret: 1 } },
      "web.concurrency: must be a whole number from 1 to 128",
    ],
    [
      { web: { concurrency: 128, maxEnvironments: 1, originSecret: 1 } },
      "web.maxEnvironments: must be a whole number from 2 to 1000",
    ],
  ])("%j", (settings, message) => {
    expect(() => parseConfig(settings)).toThrowError(expect.objectContaining({ code: "misconfigured" }));
    expect(() => parseConfig(settings)).toThrowError(message);
  });

  test("a certificate in the stack's own region is right where the API itself is the public host", () => {
    const domain = { name: "x.example", certificateArn: certificateArn("eu-central-1") };
    expect(parseConfig({ domain, cloudFront: false }).domain).toEqual(domain);
  });

  // A schema without a message of ours would answer in zod's words.
  test.each(Object.keys(configSchema.shape))("%s is refused in our words, whatever its value", (name) => {
    const wrong = [
      null,
      "",
      "?",
      -1,
      1.5,
      1e300,
      Number.NaN,
      [],
      [null],
      {},
      { x: null },
      { "?": {} },
      () => {},
    ];
    for (const value of wrong) {
      const message = messageOf({ [name]: value });
      expect(message).toMatch(new RegExp(`^${name}(?:\\.[^:]*)?: (?:must|goes|the name|")[^\\n]*$`));
      expect(message).not.toMatch(/invalid|expected|received|too (?:small|big)|unrecognized/i);
    }
  });

  test("several wrong settings are all named", () => {
    expect(() => parseConfig({ stage: "prod", waf: 1 })).toThrowError(/^stage: [^\n]*; waf: [^\n]*$/);
  });
});

describe("the context of the app", () => {
  test("texts of the command line become numbers, switches and objects where the setting is one", () => {
    const plans = { gold: { rate: 1, burst: 2, monthlyQuota: 3, chains: 4 } };
    const settings = settingsOf({
      stage: "production",
      sealIntervalMinutes: "5",
      waf: "true",
      monthlyBudget: "200",
      plans: JSON.stringify(plans),
      name: "123",
    });
    expect(settings).toMatchObject({
      stage: "production",
      sealIntervalMinutes: 5,
      waf: true,
      monthlyBudget: 200,
      plans,
      name: "123",
    });
  });

  test("a misspelt setting is not passed over", () => {
    expect(() => parseConfig(settingsOf({ stgae: "production" }))).toThrowError(/stgae/);
  });

  test("what the CDK keeps in the context is no setting", () => {
    expect(settingsOf({ "@aws-cdk/aws-iam:minimizePolicies": true, "aws:cdk:bundling-stacks": [] })).toEqual(
      {},
    );
  });

  test("a file gives an environment's settings, and the command line goes before it", () => {
    const config = join(temporaryFolder(), "acme.json");
    writeFileSync(config, JSON.stringify({ name: "acme", waf: true }));
    expect(settingsOf({ config, waf: "false" })).toEqual({ name: "acme", waf: false });
  });

  test("a file that is not there is named", () => {
    const config = join(temporaryFolder(), "none.json");
    expect(() => settingsOf({ config })).toThrowError(`config: ${config} can't be read as a JSON file`);
  });
});

describe("trust anchors", () => {
  const trust = (trustAnchorFiles: string[]) => {
    const config = parseConfig({ timestampAuthorities: ["http://tsa.example"], trustAnchorFiles });
    return new TimestampTrust(config, new Assets(fakeAssets()));
  };

  test("all certificates of all files are taken, and nothing else that stands in them", () => {
    const files = ["openssl-p256-ca.pem", "openssl-rsa-ca.pem"].map((name) => join(VECTORS, name));
    const { anchors } = trust(files);
    expect(anchors.match(/^-----BEGIN CERTIFICATE-----$/gm)).toHaveLength(2);
    expect(anchors.replaceAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g, "")).toBe("");
  });

  test.each([
    ["is none", "no certificate"],
    ["is damaged", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"],
  ])("a file whose certificate %s is named", (_, text) => {
    const file = join(temporaryFolder(), "ca.pem");
    writeFileSync(file, text);
    expect(() => trust([file])).toThrowError(`trustAnchorFiles: ${file} holds no PEM certificates`);
  });

  test("a file that is not there is named", () => {
    const file = join(temporaryFolder(), "ca.pem");
    expect(() => trust([file])).toThrowError(`trustAnchorFiles: there is no file ${file}`);
  });

  test("the public authorities come with an anchor each", () => {
    const { anchors, environment } = new TimestampTrust(parseConfig({}), new Assets(fakeAssets()));
    expect(anchors.match(/BEGIN CERTIFICATE/g)).toHaveLength(environment.TSA_URLS.split(",").length);
  });
});

describe("tokens of a seal", () => {
  const anchorFiles = ["openssl-p256-ca.pem", "openssl-rsa-ca.pem"].map((name) => join(VECTORS, name));
  const tokensOf = (settings: object): string =>
    new TimestampTrust(parseConfig(settings), new Assets(fakeAssets())).sealEnvironment.SEAL_TIMESTAMPS;
  const of = (timestampAuthorities: string[], trustAnchorFiles = anchorFiles) => ({
    timestampAuthorities,
    trustAnchorFiles,
  });
  const known = knownAuthorities.map(({ url }) => url);

  test("are two with the public authorities, and as many as the operator wants", () => {
    expect(tokensOf({})).toBe("2");
    expect(tokensOf({ sealTimestamps: 1 })).toBe("1");
    expect(tokensOf({ ...of(["http://a.example", "http://b.example"]), sealTimestamps: 2 })).toBe("2");
  });

  test("are two with two known authorities of the operator's choice, and one where they are unknown", () => {
    for (const url of known.slice(1)) expect(tokensOf(of([known[0] ?? "", url]))).toBe("2");
    expect(tokensOf(of(known.slice(0, 2), anchorFiles.slice(0, 1)))).toBe("1");
    expect(tokensOf(of(["http://a.example", "http://b.example"]))).toBe("1");
    expect(tokensOf(of([known[0] ?? "", known[0] ?? ""]))).toBe("1");
  });

  test.each([
    [{ sealTimestamps: 3 }, "there are 2 timestampAuthorities and 2 certificates in trustAnchorFiles"],
    [
      { ...of(["http://a.example"]), sealTimestamps: 2 },
      "there are 1 timestampAuthorities and 2 certificates",
    ],
    [
      {
        ...of(["http://a.example", "http://b.example"], [...anchorFiles.slice(1), ...anchorFiles.slice(1)]),
        sealTimestamps: 2,
      },
      "there are 2 timestampAuthorities and 1 certificates",
    ],
  ])("can't be more than there are authorities and anchors: %#", (settings, message) => {
    expect(() => tokensOf(settings)).toThrowError(/^sealTimestamps: \d need as many authorities/);
    expect(() => tokensOf(settings)).toThrowError(message);
  });

  test("the default authorities are two of those that core knows, with their anchors", () => {
    const { environment, anchors } = new TimestampTrust(parseConfig({}), new Assets(fakeAssets()));
    const urls = environment.TSA_URLS.split(",");
    const chosen = knownAuthorities.filter(({ url }) => urls.includes(url));
    expect(chosen.map(({ url }) => url)).toEqual(urls);
    expect(new Set(urls).size).toBe(2);
    expect(chosen.map(({ limits }) => limits)).toEqual(urls.map(() => null));
    expect(parseCertificatesPem(anchors)).toEqual(trustAnchorsOf(chosen));
  });
});
