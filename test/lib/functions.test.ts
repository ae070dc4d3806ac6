// The functions: what they run on, what they find in their environment, and how many of them run at once.
import { describe, expect, test } from "vitest";
import {
  authorityVariables,
  billsVariables,
  inlineStampVariables,
  ledgerVariables,
  macVariables,
  planVariables,
  rootsVariables,
  sealVariables,
  trustAnchorVariables,
} from "../../contract/environment-variables.ts";
import { DEFAULT_PLANS } from "../../contract/plans.ts";
import { ROUTES } from "../../contract/routes.ts";
import { Synthesized, VARIANTS } from "./synthesis.ts";

const stack = new Synthesized();
const firewall = new Synthesized(VARIANTS.firewall);

describe("the functions", () => {
  const functions = stack.all("AWS::Lambda::Function").filter(({ id }) => id.startsWith("Attestation"));

  /** A function's environment, with a stand-in for what only a deployment knows. */
  const environmentOf = (from: Synthesized, handler: string): NodeJS.ProcessEnv => {
    const { Variables } = from.one(
      "AWS::Lambda::Function",
      new RegExp(`(?:Handlers|Sealer|Biller)${handler}Function`),
    ).Properties.Environment;
    return Object.fromEntries(
      Object.entries(Variables).map(([name, value]) => [
        name,
        typeof value === "string" ? value : "reference",
      ]),
    );
  };

  test.each(functions)(
    "$id runs on arm64 and Node 24, untraced, with a log of its own lines that ends",
    ({ Properties }) => {
      expect(Properties).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "index.handler",
        LoggingConfig: { LogFormat: "JSON", SystemLogLevel: "WARN", ApplicationLogLevel: "INFO" },
      });
      expect(Properties).not.toHaveProperty("TracingConfig");
      const log = stack.resources.find(({ id }) => id === Properties.LoggingConfig.LogGroup.Ref);
      expect(log?.Properties.RetentionInDays).toBe(90);
    },
  );

  test.each(functions.filter(({ id }) => !/TrialEmptier|Biller/.test(id)))(
    "$id gives up before API Gateway does, or before the next run begins",
    ({ id, Properties }) => {
      // A production's sealer runs once at a time, so the next call waits for its end.
      const most = /Sealer/.test(id) && Properties.ReservedConcurrentExecutions === 1 ? 300 : 60;
      expect(Properties.Timeout).toBeLessThan(/Sealer|Webhooks/.test(id) ? most : 29);
    },
  );

  test.each([
    ["authorize", [ledgerVariables]],
    [
      "attest",
      [ledgerVariables, macVariables, authorityVariables, trustAnchorVariables, inlineStampVariables],
    ],
    ["report", [ledgerVariables, macVariables, rootsVariables, trustAnchorVariables]],
    ["interaction", [ledgerVariables, macVariables]],
    ["receipts", [ledgerVariables]],
    ["chainheads", [ledgerVariables]],
    ["chainentries", [ledgerVariables]],
    ["key", [ledgerVariables, planVariables]],
    ["usage", [ledgerVariables, billsVariables, planVariables]],
    ["bill", [ledgerVariables, billsVariables, planVariables]],
    ["verifyinclusion", [rootsVariables, trustAnchorVariables]],
    ["metachain", [rootsVariables]],
    ["root", [rootsVariables]],
    ["timestamp", [rootsVariables]],
    ["seal", [ledgerVariables, rootsVariables, authorityVariables, sealVariables, trustAnchorVariables]],
  ])("%s finds what it reads in its environment", (handler, schemas) => {
    const environment = environmentOf(stack, handler);
    for (const schema of schemas) expect(schema.safeParse(environment)).toMatchObject({ success: true });
  });

  test("are traced, and the API too, where the operator asks for it", () => {
    expect(firewall.one("AWS::Lambda::Function", /Handlersattest/).Properties.TracingConfig).toEqual({
      Mode: "Active",
    });
    const isTraced = (from: Synthesized) => from.one("AWS::ApiGateway::Stage").Properties.TracingEnabled;
    expect([isTraced(stack), isTraced(firewall)]).toEqual([false, true]);
  });

  test("that strangers reach leave the others of the account alone in production, and in a trial where asked", () => {
    const reservedIn = (from: Synthesized) =>
      Object.fromEntries(
        from
          .all("AWS::Lambda::Function")
          .filter(({ Properties }) => Properties.ReservedConcurrentExecutions !== undefined)
          .map(({ id, Properties }) => [
            id.match(/(?:Handlers|Sealer)([a-z]+)Function/)?.[1],
            Properties.ReservedConcurrentExecutions,
          ]),
      );
    const open = ROUTES.filter(({ access }) => access === "public").map(({ handler }) => handler);
    const reserved = (authorize: number, each: number) => ({
      authorize,
      ...Object.fromEntries(open.map((handler) => [handler.replaceAll("-", ""), each])),
    });
    expect(reservedIn(new Synthesized(VARIANTS.production))).toEqual({ ...reserved(100, 10), seal: 1 });
    expect(reservedIn(stack)).toEqual({});
    const asked = { authorize: 5, public: 0 };
    expect(reservedIn(new Synthesized({ reservedConcurrency: asked }))).toEqual({ authorize: 5 });
  });

  test("the configuration reaches the functions", () => {
    const environment = environmentOf(firewall, "attest");
    expect(inlineStampVariables.parse(environment).TSA_INLINE).toBe(false);
    expect(planVariables.parse(environment).PLANS).toEqual(DEFAULT_PLANS);
    expect(environmentOf(stack, "attest").TSA_INLINE).toBe("true");
  });
});
