// The adapter for the AI SDK with the SDK itself, of both versions that it is for.
import * as sdk7 from "ai";
import * as sdk6 from "ai6";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type AiSdkOptions,
  type DisclosureMiddleware,
  disclosureMiddleware,
} from "../../../clients/adapters/ai-sdk.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { modelOfVersion6, modelOfVersion7, type Told } from "./models.ts";
import { CALLER, CHAT, SECRETS } from "./wordings.ts";
import { World } from "./world.ts";

const LABEL = "KI-System, kein Mensch";
const PROMPT = `Ich heiße ${CALLER}.`;
const WORDS = ["Guten Tag, ", "Frau ", "Geheim."];

let world: World;
beforeAll(async () => {
  world = await World.start();
});

/** What of each version the tests call; the versions differ in their types alone. */
const VERSIONS = [
  {
    name: "6",
    generate: (middleware: DisclosureMiddleware, told: Told) => {
      const model = sdk6.wrapLanguageModel({ model: modelOfVersion6(told), middleware });
      return sdk6.generateText({ model, prompt: PROMPT });
    },
    stream: (middleware: DisclosureMiddleware, told: Told, abortSignal = new AbortController().signal) => {
      const model = sdk6.wrapLanguageModel({ model: modelOfVersion6(told), middleware });
      return sdk6.streamText({ model, prompt: PROMPT, abortSignal, onError: () => {} });
    },
  },
  {
    name: "7",
    generate: (middleware: DisclosureMiddleware, told: Told) => {
      const model = sdk7.wrapLanguageModel({ model: modelOfVersion7(told), middleware });
      return sdk7.generateText({ model, prompt: PROMPT });
    },
    stream: (middleware: DisclosureMiddleware, told: Told, abortSignal = new AbortController().signal) => {
      const model = sdk7.wrapLanguageModel({ model: modelOfVersion7(told), middleware });
      return sdk7.streamText({ model, prompt: PROMPT, abortSignal, onError: () => {} });
    },
  },
];

const WAIT = { waitForReceiptMs: PATIENCE_MS };
const LABELLED = { turn: 1, method: "visual_label", verdict: "ALLOW", agent: "agents/reception" };

describe.each(VERSIONS)("version $name", ({ name, generate, stream }) => {
  const begin = (test: string, options?: AiSdkOptions) => {
    const id = `chat-${name}-${test}`;
    const disclosure = world.converse(id, { wordings: CHAT });
    return { id, disclosure, middleware: disclosureMiddleware(disclosure, options) };
  };
  const read = async (texts: AsyncIterable<string>): Promise<string> => {
    let all = "";
    for await (const text of texts) all += text;
    return all;
  };

  test("a message that is generated has its label, and its receipt's id in the provider's metadata", async () => {
    const { id, middleware } = begin("whole", WAIT);
    const { text, providerMetadata } = await generate(middleware, { words: WORDS });
    expect(text).toBe(`${LABEL}\n\n${WORDS.join("")}`);
    const [receipt, ...more] = await world.receipts(id);
    expect([receipt, more]).toMatchObject([LABELLED, []]);
    expect(providerMetadata?.disclosure).toEqual({ eventId: receipt?.eventId });
  });

  test("a message that is streamed to its end has the same", async () => {
    const { id, middleware } = begin("streamed", WAIT);
    const result = stream(middleware, { words: WORDS });
    expect(await read(result.textStream)).toBe(`${LABEL}\n\n${WORDS.join("")}`);
    const [receipt, ...more] = await world.receipts(id);
    expect([receipt, more]).toMatchObject([LABELLED, []]);
    expect((await result.providerMetadata)?.disclosure).toEqual({ eventId: receipt?.eventId });
  });

  test("a message waits for no receipt by default, and its metadata gets the id when it comes", async () => {
    const { id, middleware } = begin("later");
    const result = stream(middleware, { words: WORDS });
    await read(result.textStream);
    const metadata = (await result.providerMetadata)?.disclosure;
    const [receipt] = await world.receipts(id);
    expect(metadata).toEqual({ eventId: receipt?.eventId });
  });

  test("a page that shows the label itself gets the text as it is", async () => {
    const { id, middleware } = begin("page", { labelIn: "page" });
    const result = stream(middleware, { words: WORDS });
    expect(await read(result.textStream)).toBe(WORDS.join(""));
    expect(await world.receipts(id)).toMatchObject([LABELLED]);
  });

  test("each message has its receipt, in order", async () => {
    const { id, middleware } = begin("two");
    await generate(middleware, { words: WORDS });
    await read(stream(middleware, { words: WORDS }).textStream);
    expect((await world.receipts(id)).map(({ turn, method }) => [turn, method])).toEqual([
      [1, "visual_label"],
      [2, "visual_label"],
    ]);
  });

  test("after a hand-off the next message has the label of the agent that takes over, as turn 2", async () => {
    const { id, middleware } = begin("handoff");
    await generate(middleware, { words: WORDS });
    middleware.handedOff("Billing desk");
    expect(await read(stream(middleware, { words: WORDS }).textStream)).toContain(LABEL);
    await generate(middleware, { words: WORDS });
    expect((await world.receipts(id)).map(({ turn, agent }) => [turn, agent])).toEqual([
      [1, "agents/reception"],
      [2, "Billing-desk"],
      [3, "Billing-desk"],
    ]);
    expect(world.missed).toEqual([]);
  });

  test("a message whose reader goes away has no receipt, and is missed when the chat ends", async () => {
    const { id, disclosure, middleware } = begin("cut");
    const reader = stream(middleware, { words: WORDS }).textStream.getReader();
    await reader.read();
    // The SDK tees its stream, so a reader that goes away does not end it: an abort signal does.
    await reader.cancel();
    await disclosure.close();
    expect(await world.receipts(id)).toEqual([]);
    expect(world.missed).toMatchObject([{ statement: "introduction", reason: "ended", willRepeat: false }]);
  });

  test("a message that is aborted has no receipt and is missed", async () => {
    const { id, middleware } = begin("aborted");
    const abort = new AbortController();
    const { textStream } = stream(middleware, { words: WORDS }, abort.signal);
    const reader = textStream.getReader();
    await reader.read();
    abort.abort();
    expect(await world.receipts(id)).toEqual([]);
    expect(world.missed).toMatchObject([{ reason: "interrupted" }]);
  });

  test("the message after one that was cut off has its label and one receipt", async () => {
    const { id, middleware } = begin("again");
    await read(stream(middleware, { words: WORDS, failure: "broken stream" }).textStream).catch(() => {});
    expect(await read(stream(middleware, { words: WORDS }).textStream)).toContain(LABEL);
    expect(await world.receipts(id)).toMatchObject([LABELLED]);
    expect(world.missed).toMatchObject([{ reason: "failed", willRepeat: true }]);
  });

  test.each(["error part", "broken stream", "error finish"] as const)(
    "a message that ends with a failure (%s) has no receipt and is missed",
    async (failure) => {
      const { id, middleware } = begin(failure.replace(" ", "-"));
      await read(stream(middleware, { words: WORDS, failure }).textStream).catch(() => {});
      expect(await world.receipts(id)).toEqual([]);
      expect(world.missed).toMatchObject([{ reason: "failed" }]);
    },
  );
});

test("no word or name is with the service, in its output, or in the queue's folder", () => {
  expect(world.leaks(["agents/reception"])).toEqual(["agents/reception"]);
  expect(world.leaks(["Frau", ...SECRETS])).toEqual([]);
});
