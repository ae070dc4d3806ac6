// The examples against the service itself: what the documentation shows must work.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { hashWordingText } from "../../clients/client/index.ts";
import type { ComplianceReceipt } from "../../evidence/core/formats/compliance-receipt.ts";
import { verifyReceipt } from "../../evidence/core/verify/verify-receipt.ts";
import { ApiClient } from "../support/api-client.ts";
import { type LocalStack, newFolder, startLocalStack } from "../support/local-stack.ts";
import { EXAMPLES, run, startChat } from "./programs.ts";

let stack: LocalStack;
beforeAll(async () => {
  stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
});

const read = (name: string): string => readFileSync(join(EXAMPLES, name), "utf8");

describe("the voice agent", () => {
  const runAgent = (service: { url: string; apiKey: string }) =>
    run(process.execPath, [`${EXAMPLES}voice-agent.ts`], service);

  test("records the disclosures of its call in order, as approved wordings", async () => {
    const { status, stdout, stderr } = await runAgent(stack);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const callId = /^call +(\S+)$/m.exec(stdout)?.[1] ?? "";
    const { receipts } = await new ApiClient(stack).interaction(callId);
    expect(receipts.map(({ disclosure, verdict }) => [disclosure.disclosure_method, verdict])).toEqual([
      ["spoken_introduction", "ALLOW"],
      ["spoken_reminder", "ALLOW"],
      ["spoken_handoff", "ALLOW"],
    ]);
    // The name is said, and the digests are those of the texts with the unfilled gap.
    expect(stdout.match(/on behalf of the Harbour Street Practice/g)).toHaveLength(2);
    for (const { event_id } of receipts) expect(stdout).toContain(event_id);
    // A busy machine may send the last of them after the line that says so; nothing is left in the end.
    expect(stdout).toMatch(/^sent +everything$|^waiting +\d on disk, sent later$/m);
    expect(stdout).not.toMatch(/^left/m);
  });

  test("ends its call as usual where the key is refused, and keeps the disclosures", async () => {
    const { status, stdout, stderr } = await runAgent({ ...stack, apiKey: "dr_live_no_key" });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^left +3 on disk for the next start$/m);
    expect(stderr).toContain("401");
    expect(stderr).not.toContain("dr_live_no_key");
  });
});

const TOO_LONG = `{"text":"${"x".repeat(5_000)}"}`;

describe("the chat", () => {
  interface Reply {
    readonly text: string;
    readonly label: string;
    readonly receipt: ComplianceReceipt | null;
    readonly verify: string;
  }

  async function send(url: string, cookie = "", text = "Hello"): Promise<{ reply: Reply; cookie: string }> {
    const response = await fetch(`${url}/api/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify({ text }),
    });
    const [own = ""] = (response.headers.get("set-cookie") ?? "").split(";");
    return { reply: (await response.json()) as Reply, cookie: own };
  }

  test("gives every AI message a receipt of its own, over the label that it shows", async () => {
    const url = await startChat(stack);
    const first = await send(url);
    const second = await send(url, first.cookie);
    const receipts = [first, second].map(({ reply }) => reply.receipt);
    for (const { reply } of [first, second]) {
      const [receipt] = reply.receipt?.receipts ?? [];
      expect(receipt?.disclosure.subject_hash).toBe(hashWordingText(reply.label));
      expect(receipt?.verdict).toBe("ALLOW");
      expect((await verifyReceipt(reply.receipt as ComplianceReceipt)).valid).toBe(true);
      expect(reply.verify).toBe(`${stack.url}/verify`);
    }
    expect(receipts.map((answer) => answer?.receipts[0]?.turn)).toEqual([1, 2]);
  });

  test("shows the receipts of a conversation to its own browser alone", async () => {
    const url = await startChat(stack);
    const { reply, cookie } = await send(url);
    const own = await (await fetch(`${url}/api/receipts`, { headers: { cookie } })).json();
    expect(own).toMatchObject({ receipts: reply.receipt?.receipts });
    expect((await fetch(`${url}/api/receipts`)).status).toBe(404);
  });

  test("serves a page that runs only its own script and holds no key", async () => {
    const url = await startChat(stack);
    const page = await fetch(url);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers.get("set-cookie")).toMatch(/; HttpOnly; SameSite=Strict$/);
    const texts = [await page.text()];
    for (const path of ["/widget.js", "/widget.css"]) texts.push(await (await fetch(url + path)).text());
    texts.push(JSON.stringify((await send(url)).reply));
    for (const text of texts) expect(text).not.toContain(stack.apiKey.slice(0, 12));
    expect(texts[1]).not.toContain("innerHTML");
  });

  test("answers without a receipt where the service is away", async () => {
    const url = await startChat({ url: "http://127.0.0.1:2", apiKey: stack.apiKey, patienceMs: 100 });
    const { reply } = await send(url);
    expect(reply).toMatchObject({ label: "AI system, not a human", receipt: null });
  });

  test.each(["", "{", "{}", '{"text":7}', '{"text":" "}', TOO_LONG])(
    "refuses a body like %s",
    async (body) => {
      const url = await startChat(stack);
      const { status } = await fetch(`${url}/api/messages`, { method: "POST", body });
      expect(status).toBe(400);
    },
  );
});

describe("curl.sh", () => {
  const isThere = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;
  const hasTools = isThere("curl", "--version") && isThere("openssl", "version") && isThere("sh", "-c", ":");

  test.skipIf(!hasTools)("attests, fetches the report and checks it", async () => {
    const report = join(newFolder(), "report.json");
    const { status, stdout, stderr } = await run("sh", [`${EXAMPLES}curl.sh`, report], stack);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^verdict +ALLOW$/m);
    expect(stdout).toMatch(/^verify-inclusion +valid\ntimestamp +holds$/m);
    const kept = JSON.parse(readFileSync(report, "utf8"));
    expect((await new ApiClient(stack).verifyPublished(kept)).valid).toBe(true);
  });

  test.skipIf(!hasTools)("says what the service said, and keeps the key to itself", async () => {
    const { status, stdout, stderr } = await run("sh", [`${EXAMPLES}curl.sh`], {
      ...stack,
      apiKey: "dr_live_no_key",
    });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain('"title":"No or unknown API key"');
    expect(stderr).not.toContain("dr_live_no_key");
  });
});

test("every example has its command in the README", () => {
  const readme = read("README.md");
  for (const command of ["voice-agent.ts", "chat-widget/server.ts", "curl.sh", "verdict.py"])
    expect(readme).toContain(`examples/${command}`);
});
