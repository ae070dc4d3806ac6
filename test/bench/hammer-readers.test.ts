// The hammer's readers under a service that can't answer: for a while that is no finding, for good it is one.
import { expect, onTestFinished, test } from "vitest";
import { HadConversations } from "../../bench/hammer/load/conversations.ts";
import { Findings } from "../../bench/hammer/load/findings.ts";
import { readLog } from "../../bench/hammer/load/log-reader.ts";
import { Measures } from "../../bench/hammer/load/measures.ts";
import { type ReaderParts, readOn } from "../../bench/hammer/load/reading.ts";
import { ClientError } from "../../clients/client/errors.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { listen } from "../../host/server/http-server.ts";

const OUTAGES = [
  new ClientError("undeliverable", "the service can't take the call now: 500"),
  new DisclosureError("publication_unavailable", "503"),
];
const none = new DOMException("it is over", "AbortError");

function newRun(url = "http://receipts.invalid") {
  const [ending, over] = [new AbortController(), new AbortController()];
  const reading: ReaderParts = {
    url,
    out: "",
    run: "",
    tenants: [],
    trustAnchorsPem: "",
    trustAnchors: [],
    conversations: new HadConversations(),
    measures: new Measures(),
    findings: new Findings(),
    random: () => 0,
    ending: ending.signal,
    over: over.signal,
  };
  return { reading, ending, over };
}

/** The reader's findings, where its tries come out so, the last again and again; the load ends after the first. */
async function foundBy(...tries: readonly (boolean | Error)[]): Promise<readonly string[]> {
  const { reading, ending, over } = newRun();
  let tried = 0;
  await readOn(reading, "bundle", () => {
    const outcome = tries[tried++] ?? tries.at(-1) ?? false;
    ending.abort();
    if (tried > tries.length) over.abort();
    return typeof outcome === "boolean" ? Promise.resolve(outcome) : Promise.reject(outcome);
  });
  return reading.findings.kept.map(({ by, what }) => `${by}: ${what}`);
}

test.each(OUTAGES)("what could never be read is a finding: $code", async (outage) => {
  expect(await foundBy(outage)).toEqual(["bundle: it could not be read once: all 2 tries failed"]);
});

test.each(OUTAGES)(
  "what can be read after the load's end is none, though it could not before: $code",
  async (outage) => {
    expect(await foundBy(outage, outage, true, new Error("it is not asked again"))).toEqual([]);
  },
);

test("what was read once, or was never there, is none", async () => {
  expect(await foundBy(true)).toEqual([]);
  expect(await foundBy(false)).toEqual([]);
  expect(await foundBy(none)).toEqual([]);
});

test("what does not hold is found at once", async () => {
  expect(await foundBy(new Error("it has changed"))).toEqual(["bundle: it has changed"]);
});

test("a log that always answers 500 is found in each of its parts", async () => {
  const { url, close } = await listen(() => ({ status: 500 }));
  onTestFinished(close);
  const { reading, ending, over } = newRun(url);
  const read = readLog(reading);
  for (const controller of [ending, over]) controller.abort();
  await read;
  expect(reading.findings.kept.map(({ by }) => by).sort()).toEqual(["checkpoint", "policy", "roots"]);
});
