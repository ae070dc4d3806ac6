// The console in a real browser, over a running local stack: receipts as they come, each of which opens in the verifier.
import { beforeAll, expect, test } from "vitest";
import { ApiClient, disclosure } from "../../../support/api-client.ts";
import { type LocalStack, startLocalStack } from "../../../support/local-stack.ts";
import { describeInBrowser, useBrowser } from "./chromium.ts";

const CONSOLE_LINE = /^console +(\S+)$/m;

describeInBrowser("the console of a running stack", () => {
  const open = useBrowser();
  let stack: LocalStack;
  let address = "";
  const attest = async (): Promise<string> => {
    const answer = await new ApiClient(stack).post("/v1/attestation", JSON.stringify(disclosure()));
    const { event_id } = (await answer.json()) as { event_id: string };
    return event_id;
  };
  const rowOf = (id: string) => `tr[data-event="${id}"]`;

  beforeAll(async () => {
    stack = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
    address = CONSOLE_LINE.exec(stack.output)?.[1] ?? "";
  });

  test("of a new deployment says that nothing is there yet, and shows the first receipt as it comes", async () => {
    const { page } = await open(address);
    await page.locator("#receipts .empty").waitFor();
    expect(await page.locator("#receipts .empty").innerText()).toContain("No receipt yet.");
    expect(await page.locator("#seals .empty").innerText()).toContain("No seal yet.");
    const id = await attest();
    const row = page.locator(rowOf(id));
    await row.waitFor();
    expect(await row.innerText()).toMatch(/ALLOW[\s\S]*local[\s\S]*1[\s\S]*0 · 0[\s\S]*de-/);
    expect(await page.locator("#receipts .empty").count()).toBe(0);
    expect(await page.locator("#status").textContent()).toBe("One new receipt.");
    await page.locator("#seals svg").waitFor();
  });

  test("paused it shows nothing new, and going on it catches up", async () => {
    const { page } = await open(address);
    await page.locator("#receipt-rows tr").first().waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    const id = await attest();
    const asked = page.waitForResponse(/console\/overview/);
    await asked;
    expect(await page.locator(rowOf(id)).count()).toBe(0);
    await page.getByRole("button", { name: "Go on" }).click();
    await page.locator(rowOf(id)).waitFor();
  });

  test("opens a receipt in the verifier, which checks it against this deployment's roots", async () => {
    const id = await attest();
    const watched = await open(address);
    const opened = watched.page.context().waitForEvent("page");
    await expect
      .poll(async () => (await (await fetch(`${address}console/reports/${id}`)).json()).merkle_proof.status, {
        timeout: 60_000,
      })
      .toBe("included");
    await watched.page.locator(rowOf(id)).getByRole("link").click();
    const verifier = await opened;
    await verifier.locator("#verdict-heading").waitFor();
    expect(await verifier.locator("#verdict-heading").innerText()).toBe("This receipt holds.");
    const hosts = new Set(watched.connections.map((url) => new URL(url).origin));
    expect([...hosts].filter((origin) => origin !== "null")).toEqual([new URL(address).origin]);
  });

  test("has no key and no anchor in the page, and a policy that lets in nothing", async () => {
    const watched = await open(address);
    await watched.page.locator("#chains").waitFor();
    const text = await watched.page.content();
    expect(text).not.toContain(stack.apiKey);
    expect(text).not.toContain("dr_live_");
    const policy = await watched.page.locator("meta[http-equiv]").getAttribute("content");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https:|\*/);
    expect(await watched.page.context().cookies()).toEqual([]);
  });

  test("is out of reach for the page of another port, and for a name that leads to this machine", async () => {
    const other = await open(`${stack.url}/verify`);
    const reached = await other.page.evaluate(async (url) => {
      const answer = await fetch(url, { mode: "no-cors" }).catch(() => null);
      return answer === null ? "nothing" : `${answer.type} ${await answer.text()}`;
    }, `${address}console/overview`);
    expect(reached).not.toContain("local");
    other.complaints.length = 0;
    const rebound = await open("about:blank");
    const answer = await rebound.page.goto(address.replace("127.0.0.1", "plain.example"));
    expect([answer?.status(), await answer?.text()]).toEqual([421, '{"problem":"refused"}']);
    rebound.complaints.length = 0;
  });

  test("says so when its program is gone, keeps what it showed, and goes on when it is back", async () => {
    const own = await startLocalStack({ environment: { SEAL_INTERVAL_SECONDS: "1" } });
    const url = CONSOLE_LINE.exec(own.output)?.[1] ?? "";
    const watched = await open(url);
    await watched.page.locator("#findings").waitFor();
    await own.stop();
    await watched.page.locator(".trouble").waitFor();
    expect(await watched.page.locator(".trouble").innerText()).toContain("does not answer");
    expect(await watched.page.locator("#findings").innerText()).toContain("All is well.");
    const port = { CONSOLE_PORT: new URL(url).port };
    await startLocalStack({ dataDir: own.dataDir, environment: port });
    await watched.page.locator(".trouble").waitFor({ state: "detached" });
    // Chromium logs every connection that is refused.
    watched.complaints.length = 0;
  });
});
