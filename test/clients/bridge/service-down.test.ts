// A service that is down, slow or refuses, and a key that is wrong: what the platform is told, and what is recorded once it
// sends again.
import { beforeAll, describe, expect, test } from "vitest";
import { Bridge, type BridgeNote, type BridgeOptions } from "../../../clients/bridge/bridge.ts";
import { bridgeSettingsSchema, type Platform } from "../../../contract/bridge-settings.ts";
import { type Listening, listen, readBody } from "../../../host/server/http-server.ts";
import {
  agentSays,
  callerSays,
  INTRODUCTION,
  PRIVATE,
  REMINDER,
  receivedOf,
  reportOf,
  WORDINGS,
  webhookOf,
} from "./platforms.ts";
import { BridgeWorld, SECRETS, SETTINGS } from "./world.ts";

const MAX_BODY = 64 * 1024;

/** What stands between bridge and service: it can be down for some calls, or lose the answers of some. */
const line = { downFor: 0, losesAnswers: 0, calls: 0 };
let world: BridgeWorld;
let proxy: Listening;

beforeAll(async () => {
  world = await BridgeWorld.start();
  proxy = await listen(async (incoming) => {
    line.calls++;
    if (line.downFor-- > 0) return { status: 503 };
    const { authorization = "", "idempotency-key": key = "" } = incoming.headers;
    const headers = { authorization, "idempotency-key": String(key), "content-type": "application/json" };
    const body = new TextDecoder().decode(await readBody(incoming, MAX_BODY));
    const answer = await fetch(`${world.stack.url}${incoming.url}`, { method: "POST", headers, body });
    const text = await answer.text();
    if (line.losesAnswers-- > 0) return { status: 502 };
    return { status: answer.status, headers: { "content-type": "application/json" }, body: text };
  });
  return () => proxy.close();
});

function open(options: Partial<BridgeOptions> = {}) {
  Object.assign(line, { downFor: 0, losesAnswers: 0, calls: 0 });
  const notes: BridgeNote[] = [];
  const bridge = new Bridge({
    settings: bridgeSettingsSchema.parse(SETTINGS),
    secrets: SECRETS,
    serviceUrl: proxy.url,
    apiKey: world.stack.apiKey,
    onNote: (note) => void notes.push(note),
    ...options,
  });
  return { bridge, notes };
}

const BEGAN = Date.now() - 10 * 60_000;
const received = (platform: Platform, message: unknown, secret?: string) =>
  receivedOf(webhookOf(platform, message, secret));
const webhook = (id: string) =>
  received(
    "retell",
    reportOf.retell({ id, began: BEGAN, said: [agentSays(INTRODUCTION), callerSays(), agentSays(REMINDER)] }),
  );
const wordingsOf = async (id: string): Promise<(string | null)[]> =>
  (await world.receipts(id)).map(({ wording }) => wording);
const BOTH = [WORDINGS.introduction, WORDINGS.reminder];

describe("a service", () => {
  test("that is down for a moment is asked again, and has each receipt once", async () => {
    const { bridge } = open();
    line.downFor = 2;
    expect(await bridge.answer("retell", webhook("moment"))).toMatchObject({ status: 200 });
    expect(await wordingsOf("moment")).toEqual(BOTH);
  });

  test("whose answers are lost has each receipt once", async () => {
    const { bridge } = open();
    line.losesAnswers = 2;
    expect(await bridge.answer("retell", webhook("lost"))).toMatchObject({ status: 200 });
    expect(await wordingsOf("lost")).toEqual(BOTH);
  });

  test("that stays down is told to the platform by 503, and has each receipt once when it sends again", async () => {
    const { bridge, notes } = open({ deadlineMs: 500 });
    line.downFor = Number.POSITIVE_INFINITY;
    expect(await bridge.answer("retell", webhook("down"))).toMatchObject({ status: 503 });
    expect(await wordingsOf("down")).toEqual([]);
    expect(notes).toMatchObject([{ kind: "failed", code: "undeliverable" }]);
    // Another process: it remembers nothing of the first message.
    const again = open();
    expect(await again.bridge.answer("retell", webhook("down"))).toMatchObject({ status: 200 });
    expect(await again.bridge.answer("retell", webhook("down"))).toMatchObject({ status: 200 });
    expect(await wordingsOf("down")).toEqual(BOTH);
  });

  test("is not asked again for what this process recorded", async () => {
    const { bridge } = open();
    const first = await bridge.answer("retell", webhook("known"));
    const { calls } = line;
    expect(await bridge.answer("retell", webhook("known"))).toEqual(first);
    expect(line.calls).toBe(calls);
  });

  test("that refuses the key is told to the platform by 502, for it may send again", async () => {
    const wrong = `dr_live_${"a".repeat(20)}_${"5ec3e7".repeat(10)}5ec3`;
    const { bridge, notes } = open({ apiKey: wrong });
    expect(await bridge.answer("retell", webhook("refused"))).toMatchObject({ status: 502 });
    expect(notes).toMatchObject([{ kind: "failed", code: "refused", status: 401 }]);
    expect(await wordingsOf("refused")).toEqual([]);
  });
});

test("two deliveries at the same time have each receipt once", async () => {
  const [one, other] = [open(), open()];
  const answers = await Promise.all(
    [one, other].map(({ bridge }) => bridge.answer("retell", webhook("twice"))),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await wordingsOf("twice")).toEqual(BOTH);
});

test("no note of all that went wrong holds a word of the call, a name or an id", async () => {
  const { bridge, notes } = open({ deadlineMs: 300 });
  line.downFor = Number.POSITIVE_INFINITY;
  const cut = { id: "noted", began: BEGAN, said: [agentSays(INTRODUCTION, { cutAfter: 9 }), callerSays()] };
  const answers = [
    await bridge.answer("retell", webhook("noted")),
    await bridge.answer("elevenlabs", received("elevenlabs", reportOf.elevenlabs(cut))),
    await bridge.answer(
      "vapi",
      received("vapi", { message: { type: "end-of-call-report", call: "Amalie Geheim" } }),
    ),
    await bridge.answer("vapi", received("vapi", "Amalie Geheim", "another")),
  ];
  expect(answers.map(({ status }) => status)).toEqual([503, 200, 422, 401]);
  expect(notes.map(({ kind }) => kind)).toEqual(["failed", "attested", "unreadable", "refused"]);
  const told = JSON.stringify([notes, answers]);
  for (const text of [...PRIVATE, "Guten Tag", "noted", "agent_1"]) expect(told).not.toContain(text);
});
