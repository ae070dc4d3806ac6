// What witnesses may answer, and what comes of it: a cosignature only where it holds, and never a wait beyond the budget.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MetricName } from "../../../contract/metric-names.ts";
import { utf8 } from "../../../evidence/core/bytes.ts";
import { isDisclosureError } from "../../../evidence/core/errors.ts";
import { formatCheckpoint, verifySignaturesBy } from "../../../evidence/core/log/checkpoint.ts";
import { formatSignatureLine, parseNote, type SignedNote } from "../../../evidence/core/log/note.ts";
import { parseWitnessPolicy } from "../../../evidence/core/log/witness-policy.ts";
import { type Listening, listen, type Reply } from "../../../host/server/http-server.ts";
import { formatSubmission, MAX_ANSWER_BYTES } from "../../../service/log/add-checkpoint.ts";
import { type CosignRequest, Witnesses, type WitnessesOptions } from "../../../service/log/witnesses.ts";
import { conflict, FakeWitness, type Spoil } from "../../support/fake-witness.ts";
import { cosign, newLog, newWitness, signCheckpoint } from "../../support/log-signer.ts";
import { leafHash, PROOF, treeOf } from "../../support/rfc9162.ts";

const ORIGIN = "receipts.example/v1/metachain";
const NOW = new Date("2026-11-21T10:20:30Z");
const MINUTE_MS = 60_000;
/** Long enough for every answer that comes at all. */
const BUDGET_MS = 30_000;
/** Too short for nobody who answers at all, and no long wait for one who does not. */
const SHORT_BUDGET_MS = 5_000;
const LOG = newLog(ORIGIN);
const mth = treeOf((index) => leafHash(utf8(`entry ${index}`)));

const noteOf = (size: number): SignedNote => parseNote(signCheckpoint(LOG, { size, root: mth(0, size) }));

function requestOf(size: number, previous: SignedNote | null = null) {
  const proofs: number[] = [];
  const prove: CosignRequest["prove"] = async (from) => {
    proofs.push(from);
    return PROOF(from, size, mth);
  };
  return { note: noteOf(size), size, previous, prove, proofs };
}

const witnesses: FakeWitness[] = [];
const servers: Listening[] = [];
beforeEach(async () => {
  for (const name of ["a", "b", "c"]) {
    witnesses.push(await new FakeWitness(`witness.example/${name}`, () => NOW).start());
  }
});
afterEach(async () => {
  await Promise.all(
    [...witnesses.splice(0), ...servers.splice(0).map(asStoppable)].map(({ stop }) => stop()),
  );
});
const asStoppable = ({ close }: Listening) => ({ stop: close });

/** Asks all three, two of whom are the quorum. */
function open(options: Partial<WitnessesOptions> = {}) {
  const metrics: Partial<Record<MetricName, number[]>> = {};
  const failures: Record<string, string> = {};
  const lines = [...witnesses.map(({ policyLine }) => policyLine), "group two 2 a b c", "quorum two"];
  const asking = new Witnesses({
    policy: parseWitnessPolicy(lines.join("\n"), { plainHttp: true }),
    clock: () => NOW,
    meter: (metric, value) => {
      metrics[metric] = [...(metrics[metric] ?? []), value];
    },
    onFailure: (name, error) => {
      failures[name] = isDisclosureError(error) ? `${error.code}: ${error.message}` : String(error);
    },
    budgetMs: BUDGET_MS,
    ...options,
  });
  return { asking, metrics, failures };
}

/** The first witness does what `spoil` says, and the two others what they should. */
function spoilt(spoil: Spoil): FakeWitness {
  const [first] = witnesses;
  if (first === undefined) throw new Error("there is no witness");
  first.spoil = spoil;
  return first;
}

describe("witnesses that do as they should", () => {
  test("cosign, each with its own time, under the text that was sent", async () => {
    const { asking, metrics, failures } = open();
    const request = requestOf(5);
    const { signatures, hasQuorum } = await asking.cosign(request);
    expect(hasQuorum).toBe(true);
    expect(signatures.map(({ keyName }) => keyName)).toEqual(witnesses.map(({ signer }) => signer.key.name));
    const note = { text: request.note.text, signatures };
    for (const { signer } of witnesses) expect(await verifySignaturesBy(note, signer.key)).toEqual([NOW]);
    expect(metrics).toEqual({ cosignatures: [3], missedQuorums: [0] });
    expect(failures).toEqual({});
  });

  test("are sent the path from what the checkpoint before shows that they know, which is read once", async () => {
    const { asking } = open();
    const { signatures } = await asking.cosign(requestOf(5));
    const before = noteOf(5);
    const request = requestOf(8, { ...before, signatures: [...before.signatures, ...signatures] });
    expect((await asking.cosign(request)).signatures).toHaveLength(3);
    expect(witnesses.map(({ submissions }) => submissions.map(({ old }) => old))).toEqual([
      [0, 5],
      [0, 5],
      [0, 5],
    ]);
    expect(request.proofs).toEqual([5]);
  });

  test("give a newer time to the same tree", async () => {
    const { asking } = open();
    const { signatures } = await asking.cosign(requestOf(5));
    const request = requestOf(5, { ...noteOf(5), signatures });
    expect((await asking.cosign(request)).signatures).toHaveLength(3);
    expect(request.proofs).toEqual([]);
  });

  test("are asked again, once, where they know another size than was guessed", async () => {
    const { asking, failures } = open();
    await asking.cosign(requestOf(5));
    const request = requestOf(8);
    expect((await asking.cosign(request)).signatures).toHaveLength(3);
    expect(witnesses.map(({ submissions }) => submissions.map(({ old }) => old))).toEqual([
      [0, 0, 5],
      [0, 0, 5],
      [0, 0, 5],
    ]);
    expect(failures).toEqual({});
  });

  test("get the log's own signature alone, in less than what the smallest reader takes", () => {
    const proof = Array.from({ length: 63 }, () => new Uint8Array(32).fill(0xff));
    const { text, signatures } = noteOf(5);
    const note = { text: text.replace("\n5\n", `\n${2 ** 53 - 1}\n`), signatures };
    const old = 2 ** 53 - 2;
    expect(formatSubmission({ old, proof, note }).length).toBeLessThan(10 * 1024);
  });
});

const signedAt = (byMs: number): Spoil => {
  const clock = () => new Date(NOW.getTime() + byMs);
  return ({ text }, witness) => witness.cosignature(text, clock);
};

describe("a witness that does not", () => {
  const stranger = newWitness("witness.example/a");
  const seconds = NOW.getTime() / 1_000;
  const other = formatCheckpoint({ origin: ORIGIN, size: 5, root: mth(0, 4) });
  const line = (text: string, by = stranger): Reply => ({
    status: 200,
    body: formatSignatureLine(cosign(by, seconds, text)),
  });
  const NO_COSIGNATURE = "witness_failed: the answer has no cosignature of this witness and time";
  const NO_LINES = "witness_failed: the witness's answer is no list of signature lines";
  const REFUSED = "witness_failed: the witness did not cosign";
  const NO_SIZE = "witness_failed: the witness answered 409 without a size";
  const TOO_LONG = "witness_failed: the witness's answer is too long";

  const answers: [string, Spoil, string][] = [
    ["signs with another key of the same name", ({ text }) => line(text), NO_COSIGNATURE],
    ["signs another tree", (_, { signer }) => line(other, signer), NO_COSIGNATURE],
    ["signs for a time to come", signedAt(6 * MINUTE_MS), NO_COSIGNATURE],
    ["signs for a time long past", signedAt(-6 * MINUTE_MS), NO_COSIGNATURE],
    ["answers with a page", () => ({ status: 200, body: "<html>" }), NO_LINES],
    ["answers with nothing", () => ({ status: 200 }), NO_LINES],
    ["answers with ten megabytes", () => ({ status: 200, body: "\u2014 a ".repeat(2 ** 21) }), TOO_LONG],
    ["names a size of ten megabytes", () => ({ ...conflict(1), body: "1".repeat(2 ** 23) }), TOO_LONG],
    ["fails", () => ({ status: 500, body: "a secret" }), REFUSED],
    ["refuses", () => ({ status: 422 }), REFUSED],
    ["names no size", () => ({ status: 409, body: "3\n" }), NO_SIZE],
    ["names a negative size", () => ({ ...conflict(1), body: "-1\n" }), NO_SIZE],
    ["names a size without its newline", () => ({ ...conflict(1), body: "1" }), NO_SIZE],
    ["redirects", ({ text }) => ({ ...line(text), status: 307, headers: { location: "/" } }), "not reached"],
  ];
  test.each(answers)("%s is left out, and the others are not", async (_, spoil, failure) => {
    spoilt(spoil);
    const { asking, metrics, failures } = open();
    const { signatures, hasQuorum } = await asking.cosign(requestOf(5));
    expect(signatures.map(({ keyName }) => keyName)).toEqual(["witness.example/b", "witness.example/c"]);
    expect(hasQuorum).toBe(true);
    expect(failures).toEqual({ a: expect.stringContaining(failure) });
    expect(metrics).toEqual({ cosignatures: [2], missedQuorums: [0] });
  });

  test("redirects takes the checkpoint nowhere else", async () => {
    let requests = 0;
    const elsewhere = await listen(() => {
      requests += 1;
      return { status: 200 };
    });
    servers.push(elsewhere);
    spoilt(() => ({ status: 307, headers: { location: elsewhere.url } }));
    await open().asking.cosign(requestOf(5));
    expect(requests).toBe(0);
  });

  test("changes its mind with every answer is asked twice and no more", async () => {
    let size = 0;
    const witness = spoilt(() => conflict(++size));
    const { asking, failures } = open();
    expect((await asking.cosign(requestOf(9))).signatures).toHaveLength(2);
    expect(witness.submissions.map(({ old }) => old)).toEqual([0, 1]);
    expect(failures).toEqual({ a: "witness_failed: the witness named one size, then another" });
  });

  test.each([
    ["at once", 0],
    ["after another size", 1],
  ])("knows a larger tree, %s, raises its own metric", async (_, smaller) => {
    let answered = 0;
    spoilt(() => conflict(answered++ < smaller ? 3 : 6));
    const { asking, metrics, failures } = open();
    expect((await asking.cosign(requestOf(5))).signatures).toHaveLength(2);
    expect(metrics).toEqual({ largerTrees: [1], cosignatures: [2], missedQuorums: [0] });
    expect(failures).toEqual({
      a: "publication_conflict: a witness has cosigned a larger tree of this log",
    });
  });

  test("is right among strangers is heard, by its newest line", async () => {
    spoilt(({ text }, { signer }) => {
      const lines = [
        cosign(newWitness("witness.example/z"), seconds, text),
        cosign(signer, seconds - 60, text),
        cosign(signer, seconds - 30, text),
        cosign(signer, seconds, other),
      ];
      return { status: 200, body: lines.map(formatSignatureLine).join("") };
    });
    const request = requestOf(5);
    const [signature, ...others] = (await open().asking.cosign(request)).signatures;
    expect(others).toHaveLength(2);
    const note = { text: request.note.text, signatures: signature === undefined ? [] : [signature] };
    const [own] = witnesses.map(({ signer }) => signer.key);
    expect(own && (await verifySignaturesBy(note, own))).toEqual([new Date((seconds - 30) * 1_000)]);
  });
});

describe("the budget", () => {
  const never = (): Promise<Reply> => new Promise(() => {});

  test("holds while a witness hangs, and the cosignatures of the others are kept", async () => {
    spoilt(never);
    const { asking, metrics, failures } = open({ budgetMs: SHORT_BUDGET_MS });
    expect((await asking.cosign(requestOf(5))).signatures).toHaveLength(2);
    expect(failures).toEqual({ a: "witness_failed: the witness did not answer in time" });
    expect(metrics).toEqual({ cosignatures: [2], missedQuorums: [0] });
  });

  test("holds while no path can be read", async () => {
    const { asking, failures } = open({ budgetMs: SHORT_BUDGET_MS / 20 });
    for (const witness of witnesses) witness.spoil = () => conflict(3);
    const request = { ...requestOf(5), prove: () => new Promise<never>(() => {}) };
    expect(await asking.cosign(request)).toEqual({ signatures: [], hasQuorum: false });
    expect(Object.values(failures)).toEqual(
      Array(3).fill("witness_failed: the witness did not answer in time"),
    );
  });

  test("without the quorum, what came is kept and the miss is counted", async () => {
    for (const witness of witnesses.slice(1)) witness.spoil = () => ({ status: 500 });
    const { asking, metrics } = open();
    const { signatures, hasQuorum } = await asking.cosign(requestOf(5));
    expect([signatures.length, hasQuorum]).toEqual([1, false]);
    expect(metrics).toEqual({ cosignatures: [1], missedQuorums: [1] });
  });

  test("a path that can't be read costs a cosignature, and throws nothing", async () => {
    spoilt(() => conflict(3));
    const { asking, failures } = open();
    const request = { ...requestOf(5), prove: () => Promise.reject(new Error("no table")) };
    expect((await asking.cosign(request)).signatures).toHaveLength(2);
    expect(failures).toEqual({ a: "Error: no table" });
  });

  test("an endless answer is cut off", async () => {
    let sent = 0;
    const endless = async () => {
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 1_024;
          controller.enqueue(new Uint8Array(1_024).fill(0x41));
        },
      });
      return new Response(body);
    };
    const { asking } = open({ fetch: endless });
    expect((await asking.cosign(requestOf(5))).signatures).toEqual([]);
    expect(sent).toBeLessThan(3 * (MAX_ANSWER_BYTES + 8 * 1_024));
  });
});
