// `sheet`: inputs that belong to other evidence end with 3, as for `verify`, and each file is named with the digest of what
// was examined.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ANCHORS, fileWith, newFolder, REPORT, REQUEST, receipts, vector } from "./command-line.ts";
import { serveMetachain } from "./metachain-server.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/receipts.ts", import.meta.url));
const CONVERSATION = vector("bundles/conversation.json");
const OTHER_REQUEST = vector("requests/greeting.json");
/** A receipt under a layer that this program does not have. */
const OWN = vector("policy/allow-own.json");

const digestOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

async function sheet(...args: string[]) {
  const page = join(newFolder(), "sheet.html");
  const ended = await receipts("sheet", ...args, "-o", page, "--tsa-ca", ANCHORS);
  return { ...ended, html: readFileSync(page, "utf8") };
}

describe.concurrent("sheet", () => {
  test.each<[string, string[], string]>([
    ["a request of another call", [REPORT, "--request", OTHER_REQUEST], OTHER_REQUEST],
    ["one next to the right one", [REPORT, "--request", REQUEST, "--request", OTHER_REQUEST], OTHER_REQUEST],
    ["a request beside a bundle of another call", [CONVERSATION, "--request", REPORT], REPORT],
    ["another layer", [OWN, "--layer", vector("layers/example.json")], vector("layers/example.json")],
    ["another layer among the files", [OWN, vector("layers/example.json")], vector("layers/example.json")],
  ])("ends with 3 for %s, and names it", async (_, args, stray) => {
    const { status, stderr } = await sheet(...args);
    expect([status, stderr]).toEqual([3, expect.stringContaining(stray)]);
    expect((await receipts("verify", ...args, "--tsa-ca", ANCHORS)).status).toBe(3);
  });

  test("ends with 0 for what belongs to it", async () => {
    expect((await sheet(REPORT, "--request", REQUEST)).status).toBe(0);
    expect((await sheet(CONVERSATION)).status).toBe(0);
  });

  test("has the digest of the bytes that were examined, though the file was replaced meanwhile", async () => {
    const content = readFileSync(REPORT);
    const file = fileWith(content);
    const server = await serveMetachain(() => {
      writeFileSync(file, "another file");
      return false;
    });
    const { status, html } = await sheet(file, "--metachain", server.url);
    expect(readFileSync(file, "utf8")).toBe("another file");
    expect([status, html.includes(digestOf(content))]).toEqual([0, true]);
  });

  test("reads a file that can be read only once", () => {
    const page = join(newFolder(), "sheet.html");
    const script = 'cat "$1" | "$2" "$3" sheet /dev/stdin -o "$4"';
    execFileSync("sh", ["-c", script, "sh", REPORT, process.execPath, PROGRAM, page], { stdio: "pipe" });
    expect(readFileSync(page, "utf8")).toContain(digestOf(readFileSync(REPORT)));
  });

  test("names every file that took part", async () => {
    const layer = vector("layers/service.json");
    const { html } = await sheet(REPORT, "--request", REQUEST, "--layer", layer);
    for (const file of [REPORT, REQUEST, layer, ANCHORS]) {
      expect(html).toContain(file);
      expect(html).toContain(digestOf(readFileSync(file)));
    }
  });
});
