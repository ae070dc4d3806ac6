// One conversation in each stack: it discloses itself, and once more.
import type { Disclosure } from "../../../clients/adapters/core.ts";

type Talk = (disclosure: Disclosure) => Promise<void>;

/** Each loads its stack when it is called: a program that needs one of them waits for no other. */
export const TALKS: Readonly<Record<string, Talk>> = {
  "ai-sdk": async (disclosure) => {
    const { generateText, wrapLanguageModel } = await import("ai");
    const { disclosureMiddleware } = await import("../../../clients/adapters/ai-sdk.ts");
    const { modelOfVersion7 } = await import("./models.ts");
    const { CALLER } = await import("./wordings.ts");
    const middleware = disclosureMiddleware(disclosure);
    const model = wrapLanguageModel({ model: modelOfVersion7({ words: [`Hallo, ${CALLER}.`] }), middleware });
    for (const prompt of ["eins", "zwei"]) await generateText({ model, prompt });
  },
  livekit: async (disclosure) => {
    const { LiveKitDisclosure } = await import("../../../clients/adapters/livekit.ts");
    const { startCall } = await import("./livekit-parts.ts");
    const { session } = await startCall();
    const adapter = new LiveKitDisclosure(session, disclosure);
    await adapter.introduce();
    await adapter.remind();
  },
  "openai-realtime": async (disclosure) => {
    const { RealtimeDisclosure } = await import("../../../clients/adapters/openai-realtime.ts");
    const { connect, startApi } = await import("./realtime-api.ts");
    const { url } = await startApi();
    const adapter = new RealtimeDisclosure(await connect(url), disclosure);
    await adapter.introduce();
    await adapter.remind();
  },
  twilio: async (disclosure) => {
    const { call, dial, startProgram } = await import("./relay.ts");
    const { port, calls } = await startProgram(() => disclosure);
    await call(dial(port, "CA1"), { cuts: 0, tells: "tokens" });
    const adapter = calls.get("CA1");
    await adapter?.introduced;
    await adapter?.remind();
  },
};
