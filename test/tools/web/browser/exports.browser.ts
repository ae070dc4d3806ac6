// A .tlog-proof, a COSE receipt and the key of a log in a real browser, which verifies Ed25519 by itself.
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatNoteKey } from "../../../../evidence/core/log/note.ts";
import { exportedCose, exportedProof } from "../../../support/exported.ts";
import { LOG, ORIGIN, signedReport, WITNESS } from "../../../support/signed-report.ts";
import { describeInBrowser, useBrowser } from "./chromium.ts";
import { type PageServer, servePage } from "./page-server.ts";

const KEY = formatNoteKey(LOG.key);
const POLICY = `log ${KEY}\nwitness Alpha ${formatNoteKey(WITNESS.key)}\nquorum Alpha\n`;

describeInBrowser("an export", () => {
  const open = useBrowser();
  let server: PageServer;
  beforeAll(async () => {
    server = await servePage();
  });
  afterAll(() => server.close());

  const proof = async () => ({ name: "receipt.tlog-proof", content: await exportedProof("hand-off") });

  test("as a .tlog-proof holds, and its log is checked with a key that is pasted into the field", async () => {
    const watched = await open(`${server.url}/verify`);
    await watched.check(await proof());
    expect(await watched.verdict()).toBe("This receipt holds.");
    expect(await watched.page.locator("#log").innerText()).toContain("Whether the log signed this root");
    const field = watched.page.getByLabel("Key of the log (vkey)");
    await field.fill(KEY.slice(0, -9));
    await field.press("Enter");
    expect(await watched.page.getByRole("alert").innerText()).toContain("This is no key of a log");
    expect(await watched.verdict()).toBe("This receipt holds.");
    expect(await watched.page.locator(".overview").count()).toBe(0);
    await field.fill(KEY);
    await watched.page.getByRole("button", { name: "Check with this key" }).click();
    await watched.page.locator("tr", { hasText: "Signed by the log" }).waitFor();
    expect(await watched.verdict()).toBe("This receipt holds.");
    expect(await watched.page.locator("#log").innerText()).toContain(
      `The log ${ORIGIN} signed this root with its 6 entries.`,
    );
  });

  test("names in German the witnesses of a policy, and does not hold where the log's signature is changed", async () => {
    const watched = await open(`${server.url}/verify`, { locale: "de-DE" });
    const policy = { name: "my.policy", content: POLICY };
    await watched.check(await proof(), policy);
    expect(await watched.verdict()).toBe("Dieser Beleg hält der technischen Prüfung stand.");
    const section = await watched.page.locator("#log").innerText();
    expect(section).toContain("Wer die Wurzel digital signiert hat");
    expect(section).toContain("Alpha");
    const text = new TextDecoder().decode((await proof()).content);
    const changed = text.replace(/^(\u2014 receipts\S+ \S{30}).{4}/mu, "$1AAAA");
    await watched.page.getByRole("button", { name: "Von vorn beginnen" }).click();
    await watched.check({ name: "changed.tlog-proof", content: changed }, policy);
    expect(await watched.verdict()).toBe("Dieser Beleg hält der technischen Prüfung nicht stand.");
  });

  test("as a COSE receipt is checked with its report", async () => {
    const watched = await open(`${server.url}/verify`);
    const report = { name: "report.json", content: JSON.stringify(signedReport("hand-off")) };
    const cose = { name: "receipt.cose", content: exportedCose("hand-off") };
    await watched.check(report, cose, { name: "log.vkey", content: KEY });
    expect(await watched.verdict()).toBe("This receipt holds.");
    expect(await watched.page.locator("tr", { hasText: "COSE receipt" }).innerText()).toContain("leads from");
    expect(await watched.page.locator("#file").innerText()).toContain("receipt.cose");
  });
});
