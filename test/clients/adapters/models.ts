// Models of the AI SDK that need no network: they say what they are told, as a whole or in parts.
import { MockLanguageModelV4 } from "ai/test";
import { MockLanguageModelV3 } from "ai6/test";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const STOP = { unified: "stop", raw: undefined } as const;

export interface Told {
  readonly words: readonly string[];
  /** What comes in place of the end. */
  readonly failure?: "error part" | "broken stream" | "error finish";
}

function partsOf({ words, failure }: Told) {
  const text = [
    { type: "text-start", id: "1" } as const,
    ...words.map((delta) => ({ type: "text-delta", id: "1", delta }) as const),
    { type: "text-end", id: "1" } as const,
  ];
  const finishReason = failure === "error finish" ? ({ unified: "error", raw: undefined } as const) : STOP;
  const finish = { type: "finish", usage: USAGE, finishReason } as const;
  const error = { type: "error", error: new Error("the model failed") } as const;
  if (failure === "broken stream") return text;
  return [
    { type: "stream-start" as const, warnings: [] },
    ...text,
    ...(failure === "error part" ? [error] : []),
    finish,
  ];
}

function streamOf(told: Told) {
  const parts = partsOf(told);
  return new ReadableStream<(typeof parts)[number]>({
    pull(controller) {
      const part = parts.shift();
      if (part !== undefined) controller.enqueue(part);
      else if (told.failure === "broken stream") controller.error(new Error("the connection broke"));
      else controller.close();
    },
  });
}

const settings = (told: Told) => ({
  doGenerate: async () => ({
    content: [{ type: "text" as const, text: told.words.join("") }],
    finishReason: STOP,
    usage: USAGE,
    warnings: [],
  }),
  doStream: async () => ({ stream: streamOf(told) }),
});

export const modelOfVersion6 = (told: Told) => new MockLanguageModelV3(settings(told));
export const modelOfVersion7 = (told: Told) => new MockLanguageModelV4(settings(told));
