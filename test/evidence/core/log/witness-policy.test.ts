// The policy by which a log asks its witnesses: whom it asks where, and what is refused before anything is asked.
import { describe, expect, test } from "vitest";
import { formatNoteKey, noteKey, SIGNATURE_TYPE } from "../../../../evidence/core/log/note.ts";
import {
  askedWitnesses,
  MAX_ASKED_WITNESSES,
  parseWitnessPolicy,
} from "../../../../evidence/core/log/witness-policy.ts";
import { leafHash } from "../../../support/rfc9162.ts";

const vkey = (n: number, type: number = SIGNATURE_TYPE.cosignature): string =>
  formatNoteKey(noteKey(`witness.example/${n}`, type, leafHash(Uint8Array.of(n))));
const line = (n: number, url = `https://witness.example/${n}`): string => `witness w${n} ${vkey(n)} ${url}`;
const parse = (lines: readonly string[], plainHttp = false) =>
  parseWitnessPolicy([...lines, ""].join("\n"), { plainHttp });

describe("a log's policy", () => {
  test("names the address of each witness, behind whatever path its prefix has", () => {
    const bastion = `https://bastion.example/${"ab".repeat(32)}/`;
    const policy = parse([line(1), line(2, bastion), `witness w3 ${vkey(3)}`, "quorum w1"]);
    expect(askedWitnesses(policy).map(({ name, url }) => [name, url])).toEqual([
      ["w1", "https://witness.example/1/add-checkpoint"],
      ["w2", `${bastion}add-checkpoint`],
    ]);
  });

  test("may ask over plain HTTP where that is allowed, and nowhere else", () => {
    const lines = [line(1, "http://127.0.0.1:7380"), "quorum w1"];
    expect(askedWitnesses(parse(lines, true)).map(({ url }) => url)).toEqual([
      "http://127.0.0.1:7380/add-checkpoint",
    ]);
    expect(() => parse(lines)).toThrowError("must begin with https://");
  });

  const many = (count: number) => Array.from({ length: count }, (_, n) => line(n));
  test("has as many witnesses as fit a note that every reader takes", () => {
    expect(askedWitnesses(parse([...many(MAX_ASKED_WITNESSES), "quorum w0"]))).toHaveLength(12);
  });

  test.each([
    ["asks nobody", ["quorum none"], "the policy has no witness with a URL"],
    ["asks too many", [...many(13), "quorum w0"], "more than 12 witnesses with a URL"],
    ["waits for one that is not asked", [line(1), `witness w2 ${vkey(2)}`, "quorum w2"], "have no URL"],
    ["has an address that is none", [line(1, "witness.example"), "quorum w1"], "the URL of the witness w1"],
    ["asks a file", [line(1, "file:///etc"), "quorum w1"], "must begin with https://"],
    [
      "has a password",
      [line(1, "https://me:pw@witness.example"), "quorum w1"],
      "more than a host and a path",
    ],
    ["has a query", [line(1, "https://witness.example/?a"), "quorum w1"], "more than a host and a path"],
    [
      "asks for signatures that can't be verified",
      [`witness w1 ${vkey(1, 0x06)} https://witness.example`, "quorum w1"],
      "is of a type that this program can't verify",
    ],
    [
      "leaves a second log room",
      [line(1), line(2), "group g any w1 w2", "quorum g"],
      "does not exclude a second log",
    ],
    ["asks for no cosignature", [line(1), "quorum none"], "does not exclude a second log"],
    ["is none", ["witness"], "line 1 of the policy"],
  ])("that %s is refused", (_, lines, message) => {
    expect(() => parse(lines, true)).toThrowError(expect.objectContaining({ code: "malformed" }));
    expect(() => parse(lines)).toThrowError(message);
  });
});
