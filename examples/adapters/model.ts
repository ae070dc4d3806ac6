// A model that needs no provider, so that the example runs at once. Put yours here: `export const model = openai("…")`.
import { MockLanguageModelV4 } from "ai/test";

export const model = new MockLanguageModelV4({
  doGenerate: {
    content: [{ type: "text", text: "Wir haben von neun bis siebzehn Uhr geöffnet." }],
    finishReason: { unified: "stop", raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
    warnings: [],
  },
});
