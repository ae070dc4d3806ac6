// A seal that one authority failed, over HTTP: published with one token, and completed beside it once that one is back.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { parseBase64 } from "../../evidence/core/bytes.ts";
import { sealSchema, tsaTimestampSchema } from "../../evidence/core/formats/metachain.ts";
import { parseNode } from "../../evidence/core/merkle/hash.ts";
import { verifyTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { ApiClient, disclosure } from "../support/api-client.ts";
import { newFolder, startLocalStack } from "../support/local-stack.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { TestAuthority } from "../support/test-authority.ts";

const PATIENCE = { timeout: PATIENCE_MS, interval: 500 };

test("publishes what a seal lacked under an address of its own, and leaves the seal as it is", async () => {
  const [up, late] = await Promise.all([TestAuthority.start(), TestAuthority.start()]);
  await late.stop();
  const caFile = join(newFolder(), "both.pem");
  const anchors = [up, late].map((authority) => readFileSync(authority.caFile, "utf8")).join("");
  writeFileSync(caFile, anchors);
  const environment = {
    SEAL_INTERVAL_SECONDS: "1",
    SEAL_TIMESTAMPS: "2",
    TSA_URLS: `${up.url},${late.url}`,
    TSA_CA_FILE: caFile,
  };
  const api = new ApiClient(await startLocalStack({ environment }));
  const get = (path: string) => api.call("GET", `/v1/metachain/${path}`, { key: null });

  await api.includedReport((await api.attest(disclosure())).event_id);
  const text = await (await get("roots/0")).text();
  const seal = sealSchema.parse(JSON.parse(text));
  expect([seal.tsa_timestamp.tsa_url, seal.additional_timestamps]).toEqual([up.url, []]);
  for (const path of ["timestamps/0/0", "timestamps/0/x", "timestamps/00/0", "timestamps/9/0"]) {
    expect((await get(path)).status, path).toBe(404);
  }

  await late.restart();
  await vi.waitFor(async () => expect((await get("timestamps/0/0")).status).toBe(200), PATIENCE);
  const response = await get("timestamps/0/0");
  expect(response.headers.get("cache-control")).toContain("immutable");
  const later = tsaTimestampSchema.parse(await response.json());
  expect(later).toMatchObject({ status: "included", tsa_url: late.url });
  const token = parseBase64(later.timestamp_token ?? "");
  const verified = await verifyTimestampToken(
    token,
    parseNode(seal.merkle_root),
    parseCertificatesPem(anchors),
  );
  expect(verified.messageImprint).toBe(seal.merkle_root.slice(2));
  expect(await (await get("roots/0")).text()).toBe(text);
  expect((await get("timestamps/0/1")).status).toBe(404);
});
