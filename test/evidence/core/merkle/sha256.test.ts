// SHA-256 in JavaScript and by Node: the same hashes, whichever of them a program gets.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatHex, utf8 } from "../../../../evidence/core/bytes.ts";
import { sha256 as inJavaScript } from "../../../../evidence/core/merkle/sha256.ts";
import { sha256 as byNode } from "../../../../evidence/core/merkle/sha256-node.ts";

/** The longest message that fits no more blocks than this, and some beyond. */
const MAX_LENGTH = 600;

describe.each([
  ["in JavaScript", inJavaScript],
  ["by Node", byNode],
])("SHA-256 %s", (_name, sha256) => {
  // FIPS 180-4, the examples that NIST publishes beside it.
  test.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ])("of NIST's example %#", (text, expected) => {
    expect(formatHex(sha256(utf8(text)))).toBe(expected);
  });

  test("a part of a longer buffer is hashed alone", () => {
    const whole = utf8("before abc after");
    expect(sha256(whole.subarray(7, 10))).toEqual(sha256(utf8("abc")));
  });

  test("a hash that was given stays as it is when others are made", () => {
    const [first, copy] = [sha256(utf8("first")), sha256(utf8("first"))];
    sha256(utf8("second"));
    expect(first).toEqual(copy);
  });

  test("anything but bytes is refused, and spoils no hash after it", () => {
    expect(() => sha256(["text"] as unknown as Uint8Array)).toThrow();
    expect(sha256(utf8("abc"))).toEqual(byNode(utf8("abc")));
  });
});

test("both give the same hash of any bytes, of every length up to some blocks", () => {
  for (let length = 0; length <= MAX_LENGTH; length++) {
    const message = new Uint8Array(length).fill(length % 251);
    expect(formatHex(inJavaScript(message))).toBe(formatHex(byNode(message)));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: MAX_LENGTH }), (message) => {
      expect(inJavaScript(message)).toEqual(byNode(message));
    }),
  );
});

test("a program that Node runs gets Node's", () => {
  const script = "console.log(import.meta.resolve('#sha256'))";
  const options = { cwd: import.meta.dirname, encoding: "utf8" } as const;
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", script], options)).toContain(
    "/core/merkle/sha256-node.ts",
  );
});

test.each([
  ["node", "evidence/core/merkle/sha256-node.ts"],
  ["browser", "evidence/core/merkle/sha256.ts"],
  ["neutral", "evidence/core/merkle/sha256.ts"],
] as const)("a bundle for the platform %s gets %s", async (platform, file) => {
  const { metafile } = await build({
    absWorkingDir: join(import.meta.dirname, "../../../.."),
    entryPoints: ["evidence/core/merkle/hash.ts"],
    mainFields: ["module", "main"],
    bundle: true,
    write: false,
    metafile: true,
    platform,
  });
  expect(Object.keys(metafile.inputs).filter((input) => input.includes("sha256"))).toEqual([file]);
});
