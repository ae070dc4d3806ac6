// Messages of one chat that overlap, or are cut off around a hand-off: each that was not sent is told of at once.
import { expect, test } from "vitest";
import { disclosureMiddleware } from "../../../clients/adapters/ai-sdk.ts";
import { converse } from "./conversation.ts";

interface Part {
  readonly type: string;
}

function begin() {
  const conversation = converse({ wordings: { introduction: "de-chat-label-1" } });
  const middleware = disclosureMiddleware(conversation.disclosure);
  /** A message whose reader has taken its beginning. */
  const startMessage = async () => {
    const abort = new AbortController();
    const parts = ["text-start", "text-delta", "text-end", "finish"];
    const stream = new ReadableStream<Part>({
      pull: (controller) => {
        const type = parts.shift();
        if (type === undefined) controller.close();
        else controller.enqueue({ type });
      },
    });
    const result = await middleware.wrapStream({
      doStream: async () => ({ stream }),
      params: { abortSignal: abort.signal },
    });
    const reader = result.stream.getReader();
    await reader.read();
    return { abort, reader };
  };
  const missed = () =>
    conversation.missed.map(({ reason, willRepeat, agentIdentity }) => [reason, willRepeat, agentIdentity]);
  return { ...conversation, middleware, startMessage, missed };
}

test("a message that is aborted after it handed over is missed at once, and the next one is labelled for the other agent", async () => {
  const { middleware, startMessage, missed, added } = begin();
  const { abort } = await startMessage();
  middleware.handedOff("billing");
  abort.abort();
  expect(missed()).toEqual([
    ["interrupted", true, "agents/reception"],
    ["ended", false, "agents/reception"],
  ]);
  const { reader } = await startMessage();
  for (;;) if ((await reader.read()).done) break;
  expect(added.map(({ request }) => request.agent_identity)).toEqual(["billing"]);
});

test("of two messages that are aborted, both are missed at once, and one label is left to be said again", async () => {
  const { startMessage, missed, disclosure } = begin();
  const [first, second] = [await startMessage(), await startMessage()];
  first.abort.abort();
  second.abort.abort();
  expect(missed().map(([reason]) => reason)).toEqual(["interrupted", "interrupted", "ended"]);
  await disclosure.close();
  expect(missed()).toHaveLength(4);
});
