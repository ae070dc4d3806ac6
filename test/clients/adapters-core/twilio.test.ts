// The relay's messages as they come, one at a time and many in a tick, and the signature by Twilio's own example.
import { createHmac } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { isSignedByTwilio, TwilioDisclosure } from "../../../clients/adapters/twilio.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { converse } from "./conversation.ts";

function begin() {
  const sent: { token: string; interruptible: boolean }[] = [];
  const conversation = converse();
  const relay = new TwilioDisclosure(conversation.disclosure, (text) => void sent.push(JSON.parse(text)));
  const tell = (message: unknown): void => relay.message(JSON.stringify(message));
  const play = (text: string): void => tell({ type: "info", name: "tokensPlayed", value: text });
  return { ...conversation, relay, sent, tell, play };
}

const GREETING =
  "Guten Tag. Sie sprechen mit einer künstlichen Intelligenz, nicht mit einem Menschen. Ich nehme Ihren Anruf für das Haus Hafenstraße entgegen.";

describe("a relay", () => {
  test("that tells word by word has said a text once all of its words were played", async () => {
    const { relay, methods, tell, play } = begin();
    tell({ type: "setup" });
    const words = GREETING.split(" ");
    for (const word of words.slice(0, -1)) play(word);
    tell({ type: "info", name: "agentSpeaking", value: "off" });
    expect(methods()).toEqual([]);
    play(words.at(-1) ?? "");
    expect(await relay.introduced).toBe(true);
    expect(methods()).toEqual(["spoken_introduction"]);
  });

  test("that tells of two texts in one tick has said both", async () => {
    const { relay, methods, sent, tell, play } = begin();
    tell({ type: "setup" });
    const reminded = relay.remind();
    play(GREETING);
    play(sent[0]?.token ?? "");
    expect(await Promise.all([relay.introduced, reminded])).toEqual([true, true]);
    expect(methods()).toEqual(["spoken_introduction", "spoken_reminder"]);
  });

  test("that was interrupted after the last word has said it, and before it has not", async () => {
    const whole = begin();
    whole.tell({ type: "setup" });
    whole.tell({ type: "interrupt", utteranceUntilInterrupt: GREETING });
    expect(await whole.relay.introduced).toBe(true);
    const cut = begin();
    cut.tell({ type: "setup" });
    cut.tell({ type: "interrupt", utteranceUntilInterrupt: GREETING.slice(0, -12) });
    await vi.waitFor(() => expect(cut.sent).toHaveLength(1), PATIENCE_MS);
    await cut.relay.close();
    expect(await cut.relay.introduced).toBe(false);
    expect(cut.missed.map(({ reason }) => reason)).toEqual(["interrupted", "ended"]);
  });

  test("is sent the repetition so that nobody can interrupt it", async () => {
    const { relay, sent, tell, play } = begin();
    tell({ type: "setup" });
    tell({ type: "interrupt", utteranceUntilInterrupt: "Guten" });
    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE_MS);
    expect(sent).toMatchObject([{ type: "text", last: true, interruptible: false, preemptible: false }]);
    play(sent[0]?.token ?? "");
    expect(await relay.introduced).toBe(true);
  });

  test("that can't be sent to is told of, and has said nothing", async () => {
    const { disclosure, added, errors, missed } = converse();
    const relay = new TwilioDisclosure(disclosure, () => {
      throw new Error("the socket is closed");
    });
    expect(await relay.remind()).toBe(false);
    expect([added, errors.length, missed.length]).toEqual([[], 2, 2]);
  });

  test("whose call has ended says nothing any more, and keeps nobody waiting", async () => {
    const { relay, sent, missed } = begin();
    await relay.close();
    expect(await Promise.all([relay.remind(), relay.handedOff("billing")])).toEqual([false, false]);
    expect([sent, missed.map(({ reason }) => reason)]).toEqual([[], ["ended", "ended"]]);
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "7"],
    ["a message of another type", '{"type":"prompt","voicePrompt":"Amalie Geheim"}'],
    ["a message of another shape", '{"type":"info","name":7}'],
    ["words of nothing", '{"type":"info","name":"tokensPlayed","value":"Hallo"}'],
    ["an interruption of nothing", '{"type":"interrupt"}'],
  ])("passes over %s", (_, text) => {
    const { relay, added, missed, errors } = begin();
    relay.message(text);
    expect([added, missed, errors]).toEqual([[], [], []]);
  });

  test("that tells of an error has it told, without what it says", () => {
    const { errors, tell } = begin();
    tell({ type: "error", description: "Amalie Geheim" });
    expect(errors.map(String)).toEqual(["Error: Twilio told of an error in the relay"]);
  });
});

// The example of Twilio's page "Webhooks Security".
test("the signature of Twilio's example is right, and with any of it changed wrong", () => {
  const parameters = {
    Digits: "1234",
    CallSid: "CA1234567890ABCDE",
    To: "+18005551212",
    Caller: "+12349013030",
    From: "+12349013030",
  };
  const example = {
    authToken: "12345",
    signature: "0/KCTR6DLpKmkAf8muzZqo1nDgQ=",
    url: "https://mycompany.com/myapp.php?foo=1&bar=2",
    parameters,
  };
  expect(isSignedByTwilio(example)).toBe(true);
  expect(isSignedByTwilio({ ...example, authToken: "12346" })).toBe(false);
  expect(isSignedByTwilio({ ...example, url: "https://mycompany.com/myapp.php?foo=1&bar=3" })).toBe(false);
  expect(isSignedByTwilio({ ...example, parameters: { ...parameters, Digits: "1235" } })).toBe(false);
  const unset = createHmac("sha1", "").update(example.url).digest("base64");
  expect(isSignedByTwilio({ authToken: "", signature: unset, url: example.url })).toBe(false);
  expect(isSignedByTwilio({ ...example, signature: "1/KCTR6DLpKmkAf8muzZqo1nDgQ=" })).toBe(false);
});
