// A conversation that comes in pages: fetched one after the other, each verified, and joined.
import { describe, expect, test } from "vitest";
import { joinPages } from "../../../clients/client/conversation.ts";
import { bundleEvidenceSchema } from "../../../evidence/core/formats/evidence.ts";
import { type EvidenceBundle, MAX_BUNDLED_LAYERS } from "../../../evidence/core/formats/evidence-bundle.ts";
import { verifyBundle } from "../../../evidence/core/verify/verify-bundle.ts";
import { disclosure } from "../../support/api-client.ts";
import { ascending } from "../../support/trees.ts";
import { readEvidence } from "../../support/vector-files.ts";
import { failure, start } from "./clients.ts";
import { respond } from "./service.ts";

const TURNS = 7;

/** A conversation of seven turns, among the turns of another, in pages of so many. */
async function newWorld(pageTurns: number) {
  const { served, client } = await start();
  served.service.pageTurns = pageTurns;
  for (let turn = 0; turn < TURNS; turn++) {
    await client.attest(disclosure({ interaction_id: "call" }));
    await client.attest(disclosure({ interaction_id: "another" }));
  }
  served.calls.length = 0;
  return { served, client };
}

const turnsOf = ({ receipts }: Pick<EvidenceBundle, "receipts">) => receipts.map(({ turn }) => turn);

describe("a conversation", () => {
  test.each([1, 2, 3, 6, 7, 8])("in pages of %i turns comes as one bundle, which verifies", async (count) => {
    const { served, client } = await newWorld(count);
    const conversation = await client.interaction("call");
    expect(served.calls).toHaveLength(Math.ceil(TURNS / count));
    const {
      auth_mechanism: _a,
      key_id: _k,
      signature: _s,
      ...whole
    } = unpaged(served.service).bundle("call");
    expect(conversation).toEqual(whole);
    expect((await verifyBundle(bundleEvidenceSchema.parse(conversation))).valid).toBe(true);
  });

  test("comes from a turn on, and page by page where that is asked for", async () => {
    const { client } = await newWorld(2);
    expect(turnsOf(await client.interaction("call", 4))).toEqual([4, 5, 6, 7]);
    const pages: EvidenceBundle[] = [];
    for await (const page of client.interactionPages("call", 2)) pages.push(page);
    expect(pages.map(turnsOf)).toEqual([
      [2, 3],
      [4, 5],
      [6, 7],
    ]);
    expect(pages.every(({ signature }) => signature !== "")).toBe(true);
  });

  test("behind its last turn has none", async () => {
    const { client } = await newWorld(2);
    expect(await client.interaction("call", TURNS + 1)).toMatchObject({
      interaction_id: "call",
      receipts: [],
    });
  });

  test("is fetched no further than its reader goes", async () => {
    const { served, client } = await newWorld(2);
    for await (const page of client.interactionPages("call")) if (page.receipts[0]?.turn === 3) break;
    expect(served.calls).toHaveLength(2);
  });

  const unpaged = <T extends { pageTurns: number }>(service: T): T =>
    Object.assign(service, { pageTurns: 500 });
});

describe("pages that don't follow each other are not believed:", () => {
  type Change = (page: EvidenceBundle, of: (fromTurn: number) => EvidenceBundle) => object;
  const CHANGES: [title: string, change: Change, reason: string][] = [
    ["a page that begins later", (_page, of) => of(4), "begins with another turn"],
    ["a page that comes twice", (_page, of) => of(1), "begins with another turn"],
    [
      "a page that leads back",
      (page) => ({ ...page, next_turn: 1 }),
      "leads on to another turn than its next",
    ],
    ["a page that leaves a gap behind it", (page) => ({ ...page, next_turn: 6 }), "leads on to another turn"],
  ];
  test.each(CHANGES)("%s", async (_title, change, reason) => {
    const { served, client } = await newWorld(2);
    served.trick = ({ path, response }) =>
      path.endsWith("=3") &&
      respond(
        response,
        200,
        change(served.service.bundle("call", 3), (turn) => served.service.bundle("call", turn)),
      );
    expect((await failure(client.interaction("call"), "receipt_invalid")).message).toContain(reason);
  });

  test("a first page that begins with another turn than was asked for", async () => {
    const { served, client } = await newWorld(2);
    served.trick = ({ response }) => respond(response, 200, served.service.bundle("call", 3));
    const error = await failure(client.interaction("call"), "receipt_invalid");
    expect(error.message).toContain("begins with another turn");
  });

  test("a page of another history, which verifies by itself", async () => {
    const { served, client } = await start();
    const fork = served.service.fork(0);
    for (const [service, agent] of [
      [served.service, "one"],
      [fork, "other"],
    ] as const) {
      service.pageTurns = 2;
      for (let i = 0; i < 4; i++)
        service.attest(disclosure({ interaction_id: "call", agent_identity: agent }), `${agent}-${i}`);
    }
    served.trick = ({ path, response }) =>
      path.endsWith("=3") && respond(response, 200, fork.bundle("call", 3));
    const error = await failure(client.interaction("call"), "receipt_invalid");
    expect(error.message).toMatch(/chain_links|turn_links/);
  });
});

describe("joined pages", () => {
  const bundle = readEvidence("bundles/conversation.json") as EvidenceBundle;
  const token = bundle.seals[0]?.tsa_timestamp ?? expect.unreachable();
  const pageOf = (changes: Partial<EvidenceBundle>): EvidenceBundle => ({
    ...bundle,
    receipts: [],
    requests: [],
    proofs: [],
    ...changes,
  });

  test("have each seal once, in the order of their index", () => {
    const [first, second] = [bundle.seals.slice(0, 1), bundle.seals];
    const joined = joinPages([pageOf({ seals: first }), pageOf({ seals: second }), pageOf({ seals: first })]);
    expect(joined.seals).toEqual(bundle.seals);
  });

  test("have the later tokens that the last of them knows of", () => {
    const [{ index: seal_index } = { index: 0 }] = bundle.seals;
    const later = (count: number) => ascending(count, () => ({ seal_index, tsa_timestamp: token }));
    const pages = [1, 2].map((count) => pageOf({ later_timestamps: later(count) }));
    expect(joinPages(pages).later_timestamps).toEqual(later(2));
    expect(joinPages([pageOf({ seals: [] })])).not.toHaveProperty("later_timestamps");
  });

  test("have each layer that any of them has, once, and no more than a bundle may have", () => {
    const layers = ascending(MAX_BUNDLED_LAYERS + 1, (version) => ({ version }));
    const pages = [0, 1].map((begin) => pageOf({ policy_layers: layers.slice(begin, begin + 3) }));
    expect(joinPages(pages).policy_layers).toEqual(layers.slice(0, 4));
    const { next_turn: _, ...many } = joinPages([
      bundle,
      ...layers.map((layer) => pageOf({ policy_layers: [layer] })),
    ]);
    expect(many.policy_layers).toHaveLength(MAX_BUNDLED_LAYERS);
    expect(bundleEvidenceSchema.safeParse(many).success).toBe(true);
    expect(joinPages([pageOf({ policy_layers: undefined })])).not.toHaveProperty("policy_layers");
  });

  test("have a tombstone, or null, for each turn, and no list where no turn has one", () => {
    const erasure = {
      erased_at: "2026-11-24T00:00:00.000Z",
      erased_by: "an officer",
      ground: "request",
    } as const;
    const turns = (first: number, last: number, erasures?: EvidenceBundle["erasures"]) =>
      pageOf({ receipts: bundle.receipts.slice(first - 1, last), erasures });
    const joined = joinPages([turns(1, 2), turns(3, 4, [erasure, null])]);
    expect(joined.erasures).toEqual([null, null, erasure, null]);
    expect(joinPages([turns(1, 1, [erasure]), turns(2, 3)]).erasures).toEqual([erasure, null, null]);
    expect(joinPages([turns(1, 2, [null, null]), turns(3, 4)])).not.toHaveProperty("erasures");
  });

  test("are refused where they have different seals under one index", () => {
    const other = bundle.seals.map((seal) => ({ ...seal, receipt_count: seal.receipt_count + 1 }));
    expect(() => joinPages([pageOf({}), pageOf({ seals: other })])).toThrow(
      expect.objectContaining({
        code: "receipt_invalid",
        message: expect.stringContaining("has another seal"),
      }),
    );
  });
});
