// Evidence that outlived the certificates behind its timestamp: the page looks for a newer one among the public roots.
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashChainHead, type Seal } from "../../../../evidence/core/formats/metachain.ts";
import type { Reply } from "../../../../host/server/http-server.ts";
import { makeAuthority } from "../../../support/dated-authority.ts";
import { SealedTree } from "../../../support/renewals.ts";
import { treeOf } from "../../../support/rfc9162.ts";
import { sparseTree } from "../../../support/trees.ts";
import { describeInBrowser, type Picked, useBrowser } from "./chromium.ts";
import { json, type PageServer, servePage, vector } from "./page-server.ts";

const EARLY = makeAuthority("Early", "2026-11-26T02:55:00Z");
const LATE = makeAuthority("Late", "2090-01-01T00:00:00Z");
const SEALS = 12;
const FIRST_LATE = 8;
const AT = "2026-11-26T02:45:00Z";
const LATER = "2026-11-26T02:50:00Z";

const tree = new SealedTree(sparseTree([2, 6]));
const seals = Array.from({ length: SEALS }, (_, index) =>
  tree.seal(index + 3, "2026-11-20", (root) => [(index < FIRST_LATE ? EARLY : LATE).stamp(root, AT)]),
);

const pemOf = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64")}\n-----END CERTIFICATE-----\n`;

/** What a service publishes that has sealed the first `size` of them. */
const publish =
  (size: number) =>
  (path: string): Reply => {
    if (path === "/tsa/certificate.pem")
      return { status: 200, body: pemOf(EARLY.anchor) + pemOf(LATE.anchor) };
    if (path === "/v1/metachain")
      return json({ size, latest: seals[size - 1], roots: "/v1/metachain/roots/{index}", log: null });
    const seal = path.startsWith("/v1/metachain/roots/")
      ? seals.slice(0, size)[Number(path.slice(path.lastIndexOf("/") + 1))]
      : undefined;
    return seal === undefined ? { status: 404 } : json(seal);
  };

/** The first receipt of a chain as the one entry of a log of its own, and a report that carries its renewal. */
function renewedReport(): { report: object; seal: Seal } {
  const { receipts, merkle_proof } = JSON.parse(vector("receipts/greeting.json"));
  const leaf_hash: string = merkle_proof.event_inclusion_proof.leaf_hash;
  const leaf = { chain_id: receipts[0].chain_id, head_index: 0, tree_size: 1, root: leaf_hash };
  const mth = treeOf((index) => (index === 0 ? hashChainHead(leaf) : new Uint8Array(32).fill(index)));
  const log = new SealedTree(mth);
  const seal = log.seal(1, "2026-11-20", (root) => [EARLY.stamp(root, AT)]);
  const later = log.seal(3, "2026-11-20", (root) => [LATE.stamp(root, LATER)]);
  const event_inclusion_proof = { leaf_hash, leaf_index: 0, tree_size: 1, path: [], root: leaf_hash };
  const cross = { seal_index: 0, leaf, leaf_index: 0, tree_size: 1, path: [], root: seal.merkle_root };
  const proof = {
    status: "included",
    merkle_root: seal.merkle_root,
    event_inclusion_proof,
    cross_tenant_proof: cross,
  };
  const report = { receipts, merkle_proof: proof, tsa_timestamp: seal.tsa_timestamp };
  return { report: { ...report, renewal: log.renewal(seal, later) }, seal };
}

/** A service of its own, which has published this root alone. */
const publishOnly =
  (seal: Seal) =>
  (path: string): Reply => {
    if (path === "/tsa/certificate.pem")
      return { status: 200, body: pemOf(EARLY.anchor) + pemOf(LATE.anchor) };
    if (path === "/v1/metachain")
      return json({ size: 1, latest: seal, roots: "/v1/metachain/roots/{index}", log: null });
    return path === "/v1/metachain/roots/0" ? json(seal) : { status: 404 };
  };

const picked = (seal: Seal | undefined): Picked => ({ name: "root.json", content: JSON.stringify(seal) });

describeInBrowser("a published root whose timestamp ran out", () => {
  const open = useBrowser();
  const servers: PageServer[] = [];
  beforeAll(async () => {
    servers.push(await servePage(publish(SEALS)), await servePage(publish(FIRST_LATE)));
  });
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  test("holds by a later root that contains it and was signed by an authority that still stands", async () => {
    const watched = await open(`${servers[0]?.url}/verify`);
    await watched.check(picked(seals[1]));
    expect(await watched.verdict()).toBe("This published root holds.");
  });

  test("shows of a report that carries its renewal every time that is proved, and by whom", async () => {
    const { report, seal } = renewedReport();
    servers.push(await servePage(publishOnly(seal)));
    const watched = await open(`${servers.at(-1)?.url}/verify`);
    await watched.check({ name: "report.json", content: JSON.stringify(report) });
    const { name, content } = picked(seal);
    await watched.page
      .locator("#repeat input[type=file]")
      .setInputFiles({ name, mimeType: "", buffer: Buffer.from(content) });
    await watched.page.locator("#verdict-heading", { hasText: "This receipt holds." }).waitFor();
    const facts = await watched.page.locator("#facts").innerText();
    expect(facts).toContain(
      "confirmed by Early, whose certificate ran out on 26 November 2026 at 02:55:00 UTC",
    );
    expect(facts).toMatch(/confirmed by Late$/m);
    expect(await watched.page.locator("#part-0-timestamp").textContent()).toContain(
      "Later root, which contains this one",
    );
    expect(await watched.page.locator(".station", { hasText: "Timestamp" }).textContent()).toContain(
      "2026-11-26 02:50:00 UTC",
    );
  });

  test("is left open where no later root can renew it", async () => {
    const watched = await open(`${servers[1]?.url}/verify`);
    await watched.check(picked(seals[1]));
    expect(await watched.verdict()).toBe("This published root holds as far as it can be checked now.");
  });
});
