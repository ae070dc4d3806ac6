import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { jurisdictionPath, layerPath } from "../../../contract/policy-paths.ts";
import { canonicalize } from "../../../evidence/core/canonical-json.ts";
import { lookupLayer } from "../../../evidence/core/policy/policy.ts";
import { digestOfLayer, parsePolicyLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { hashWordingText } from "../../../evidence/policy/wordings.ts";
import { fileWith, receipts } from "./command-line.ts";

const germany = lookupLayer(policyLayers, "DE");
const [first] = germany.wordings;
if (first === undefined) throw new Error("there is no wording");

/** A deployment's layer with one wording, and with a member that this program does not know. */
const OTHER = { ...germany, wordings: [{ ...first, id: "de-other-1", tone: "warm" }] };
const OTHER_DIGEST = digestOfLayer(OTHER);

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** A host of these files, by their paths without a slash at their beginning. */
async function serve(files: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const body = files[url.slice(1)];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const indexOf = (current: string): string =>
  JSON.stringify({ jurisdiction: "DE", status: "active", current, layers: [] });

describe("wordings", () => {
  test("lists every text with its digest, its use and its state", async () => {
    const { status, stdout } = await receipts("wordings", "DE");
    expect(status).toBe(0);
    for (const { id, text, digest, use } of germany.wordings)
      for (const part of [id, text, digest, use]) expect(stdout).toContain(part);
    expect(stdout).toContain("in use since 2026-11-22");
    expect(stdout).toContain("2027-01-31");
    expect(stdout).toContain(digestOfLayer(germany));
  });

  test("lists all layers, where none is named", async () => {
    const { stdout } = await receipts("wordings");
    expect(stdout.match(/^[A-Z]{2}, \w+, version/gm)).toHaveLength(policyLayers.length);
  });

  test("prints a layer that can be used as a policy file", async () => {
    const { stdout } = await receipts("wordings", "DE", "--json");
    expect(digestOfLayer(parsePolicyLayer(JSON.parse(stdout)))).toBe(digestOfLayer(germany));
  });

  test("lists what a deployment publishes, verified by its digest", async () => {
    const files = {
      [jurisdictionPath("DE")]: indexOf(OTHER_DIGEST),
      [layerPath(OTHER_DIGEST)]: canonicalize(OTHER),
    };
    const service = await serve(files);
    const { status, stdout } = await receipts("wordings", "DE", "--service", service);
    expect(status).toBe(0);
    expect(stdout.match(/^\S+-other-1 /gm)).toHaveLength(1);
    expect(stdout).toContain(`${OTHER_DIGEST}\n`);
    const json = await receipts("wordings", "DE", "--service", `${service}/`, "--json");
    expect(JSON.parse(json.stdout)).toEqual(OTHER);
  });

  test("shows no layer that is another one than the deployment's index names", async () => {
    const service = await serve({
      [jurisdictionPath("DE")]: indexOf(OTHER_DIGEST),
      [layerPath(OTHER_DIGEST)]: canonicalize({ ...OTHER, status: "planned" }),
    });
    const { status, stdout, stderr } = await receipts("wordings", "DE", "--service", service);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`publishes another layer than ${OTHER_DIGEST}`);
  });

  test("says where a deployment has no layer, or does not publish the one that it names", async () => {
    const service = await serve({ [jurisdictionPath("DE")]: indexOf(OTHER_DIGEST) });
    const { stderr } = await receipts("wordings", "AT", "--service", service);
    expect(stderr).toContain("publishes no layer for AT");
    expect((await receipts("wordings", "DE", "--service", service)).stderr).toContain("does not publish it");
  });

  test.each([
    [["de"], "de is no jurisdiction"],
    [["DE", "AT"], "one jurisdiction"],
    [["XX"], "this program has no layer for XX"],
    [["--json"], "name its jurisdiction"],
    [["--service", "https://receipts.example"], "name its jurisdiction"],
    [["DE", "--service", "ftp://receipts.example"], "is no address"],
    [["check"], "takes one file"],
    [["check", "nowhere.json"], "there is no such file"],
    [["check", fileWith("no layer")], "JSON"],
    [["fill"], "the id of one wording"],
    [["fill", "de-voice-answer-1"], "--operator NAME is missing"],
    [["fill", "de-nothing-1", "--operator", "x"], "there is no wording de-nothing-1"],
    [["fill", "de-voice-clarify-1", "--operator", "x"], "the text has no gap {operator}"],
    [["fill", "de-voice-answer-1", "--operator", " "], "the name must not be empty"],
  ])("refuses %j with status 2", async (args, reason) => {
    const { status, stdout, stderr } = await receipts("wordings", ...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
  });
});

describe("wordings check", () => {
  test("finds no fault in the layer that ships", async () => {
    const { status, stdout } = await receipts("wordings", "check", fileWith(JSON.stringify(germany)));
    expect(status).toBe(0);
    expect(stdout).toContain(": 0 faults, ");
    expect(stdout).toContain(`The layer's digest is ${digestOfLayer(germany)}.`);
  });

  test("ends with 1 where there is a fault, and tells it in words and as JSON", async () => {
    const wordings = germany.wordings.map((wording, i) =>
      i === 0 ? { ...wording, text: "Hallo." } : wording,
    );
    const file = fileWith(JSON.stringify({ ...germany, wordings }));
    const { status, stdout } = await receipts("wordings", "check", file);
    expect(status).toBe(1);
    expect(stdout).toContain(`The digest of this text is ${hashWordingText("Hallo.")}.`);
    const json = await receipts("wordings", "check", file, "--json");
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout).findings).toContainEqual({
      level: "fault",
      subject: `Wording ${first.id}`,
      message: "The text does not say that it is an artificial intelligence.",
    });
  });
});

describe("wordings fill", () => {
  const TEXT = "Ich bin kein Mensch. Ich bin eine künstliche Intelligenz und spreche für die Stadtwerke.";

  test("prints the text, its digest, and the command that registers it", async () => {
    const { status, stdout, stderr } = await receipts(
      ...["wordings", "fill", "de-voice-answer-1", "--operator", "die Stadtwerke"],
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`  ${TEXT}\n  ${hashWordingText(TEXT)}\n`);
    expect(stdout).toContain(
      `admin wording add TENANT --jurisdiction DE --modality voice --methods spoken_answer,reported_after_call --language de --digest ${hashWordingText(TEXT)} --approved-by "legal department" --template de-voice-answer-1\n`,
    );
  });

  test("says what to attest where the name is a person's", async () => {
    const { stdout } = await receipts("wordings", "fill", "de-voice-answer-1", "--operator", "Doktor Meier");
    const template = germany.wordings.find(({ id }) => id === "de-voice-answer-1");
    expect(stdout).toContain(
      `Do not register it. Attest the wording with its gap, whatever name is said: ${template?.digest}`,
    );
    expect(stdout).toContain("Hash the registered text, never the spoken one.");
  });

  test("warns of a name that voices can't say", async () => {
    const { stderr } = await receipts("wordings", "fill", "de-voice-answer-1", "--operator", "Haus 24 GmbH");
    expect(stderr).toContain("voices differ in how they read GmbH");
    expect(stderr).toContain("write its numbers out in words");
  });

  test("fills a wording of another layer", async () => {
    const text = "Hier spricht eine künstliche Intelligenz, kein Mensch, für {operator}.";
    const wordings = [
      { ...first, id: "de-mine-1", text, digest: hashWordingText(text), retired_on: "2027-05-31" },
    ];
    const file = fileWith(JSON.stringify({ ...germany, wordings }));
    const args = ["wordings", "fill", "de-mine-1", "--operator", "uns", "--layer", file];
    const { stdout } = await receipts(...args);
    expect(stdout).toContain("kein Mensch, für uns.");
    expect(stdout).toContain("--template de-mine-1 --until 2027-05-31\n");
  });
});
