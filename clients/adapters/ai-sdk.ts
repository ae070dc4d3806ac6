// The adapter for the Vercel AI SDK: a middleware that puts the label on each message of a model, and attests it when the
// message was sent. It names no type of the SDK: what it needs of one is stated here, and compiled against it in a test.
import type { Disclosure } from "./core.ts";
import {
  type AiSdkOptions,
  LabelledMessages,
  type MessageEnd,
  type MessagePart,
} from "./labelled-messages.ts";

export type { AiSdkOptions, DisclosureMetadata } from "./labelled-messages.ts";
export * from "./public.ts";

interface CallParameters {
  readonly responseFormat?: { readonly type: string } | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Fits `wrapLanguageModel({ model, middleware })`. */
export interface DisclosureMiddleware {
  readonly specificationVersion: "v3";
  /** The next message is of another agent: it has the label `wordings.handoff`, and is attested in that agent's name. */
  readonly handedOff: (to: string) => void;
  readonly wrapGenerate: <R extends MessageEnd & { content: MessagePart[] }>(call: {
    readonly doGenerate: () => PromiseLike<R>;
    readonly params: CallParameters;
  }) => Promise<R>;
  readonly wrapStream: <P extends MessagePart, R extends { stream: ReadableStream<P> }>(call: {
    readonly doStream: () => PromiseLike<R & { stream: ReadableStream<P> }>;
    readonly params: CallParameters;
  }) => Promise<R>;
}

/** The middleware for the messages of one conversation: the introduction of its wordings is the label. */
export function disclosureMiddleware(
  disclosure: Disclosure,
  options: AiSdkOptions = {},
): DisclosureMiddleware {
  const messages = new LabelledMessages(disclosure, options);
  return {
    specificationVersion: "v3",
    handedOff: (to) => messages.handedOff(to),
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      const hasText = result.content.some(({ type }) => type === "text");
      if (!hasText || isData(params)) return result;
      const playback = messages.begin();
      // The caller gets the whole message now, and shows it with its label.
      const metadata = await messages.end(playback, result);
      const label = messages.labelOf(playback).map((text) => ({ type: "text", text }));
      return { ...result, content: [...label, ...result.content], ...metadata };
    },
    wrapStream: async ({ doStream, params }) => {
      const result = await doStream();
      if (isData(params)) return result;
      return { ...result, stream: messages.label(result.stream, params.abortSignal) };
    },
  };
}

/** An object that a program reads is no message to a person. */
const isData = ({ responseFormat }: CallParameters): boolean => responseFormat?.type === "json";
