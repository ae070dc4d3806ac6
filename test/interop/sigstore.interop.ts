import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatHex } from "../../evidence/core/bytes.ts";
import { parseTimestampToken } from "../../evidence/core/timestamps/timestamp-token.ts";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { startTimestampAuthority, type TimestampAuthority } from "../../host/local/timestamp-authority.ts";
import { type AuthorityContext, requestTimestamp } from "../../service/timestamps/timestamp-authority.ts";
import {
  buildTimeStampReq,
  parseTimeStampResp,
  randomNonce,
} from "../../service/timestamps/timestamp-request.ts";
import { buildPeer, CLIENT, hasGo, run, type SigstorePeer, startPeer } from "./sigstore-peer.ts";
import { describeWith, makeFolder } from "./tools.ts";

const contextOf = (trustAnchors: Uint8Array[]): AuthorityContext => ({
  trustAnchors,
  clock: () => new Date(),
  fetch: globalThis.fetch,
});
const soon = (): AbortSignal => AbortSignal.timeout(60_000);
const subjectOf = (root: Uint8Array) => ({ root, notBefore: new Date().toISOString() });

describeWith(hasGo, "go", "sigstore's timestamp-authority", () => {
  const folder = makeFolder();
  let peer: SigstorePeer;
  let ours: TimestampAuthority;

  beforeAll(async () => {
    await buildPeer();
    [peer, ours] = await Promise.all([
      startPeer(),
      startTimestampAuthority({ directory: join(folder, "identity") }),
    ]);
  });
  afterAll(async () => {
    peer?.close();
    await ours?.close();
  });

  test("stamps what our client asks for, and we believe it for its root alone", async () => {
    const root = new Uint8Array(randomBytes(32));
    const { timestamp } = await requestTimestamp(peer.url, subjectOf(root), contextOf([peer.root]), soon());
    expect(timestamp).toMatchObject({
      messageImprint: formatHex(root),
      policy: "1.3.6.1.4.1.57264.2",
      authority: { subject: "CN=Test TSA Timestamping,O=local" },
    });
  });

  test("is not believed on another authority's root", async () => {
    const anchors = contextOf(parseCertificatesPem(ours.certificatePem));
    const asking = requestTimestamp(peer.url, subjectOf(new Uint8Array(32)), anchors, soon());
    await expect(asking).rejects.toMatchObject({
      code: "token_open",
      evidence: { check: "trust_anchor" },
    });
  });

  test("has its rejection of what it can't read told apart from a token", async () => {
    const headers = { "content-type": "application/timestamp-query" };
    const response = await fetch(peer.url, { method: "POST", headers, body: new Uint8Array([0x30, 0x00]) });
    expect(response.ok).toBe(false);
  });

  test.for(["its own", "ours"])(
    "verifies with its own client the token of an authority: %s",
    async (whose) => {
      const [url, chain] = whose === "ours" ? [ours.url, ourChain()] : [peer.url, peer.chainPem];
      const artifact = randomBytes(100);
      const reply = await ask(url, new Uint8Array(createHash("sha256").update(artifact).digest()));
      const files = { artifact, "reply.tsr": reply, "chain.pem": (await chain) ?? "" };
      expect(await verifyWithClient(files)).toBe("accepted");
      expect(await verifyWithClient({ ...files, artifact: randomBytes(100) })).not.toBe("accepted");
    },
  );

  /** The TimeStampResp as it came. */
  async function ask(url: string, root: Uint8Array): Promise<Uint8Array> {
    const body = new Uint8Array(buildTimeStampReq(root, randomNonce()));
    const headers = { "content-type": "application/timestamp-query" };
    return new Uint8Array(await (await fetch(url, { method: "POST", headers, body })).arrayBuffer());
  }

  /** The TSA's certificate and the root's: the client wants both. */
  async function ourChain(): Promise<string> {
    const { certificates } = parseTimestampToken(parseTimeStampResp(await ask(ours.url, new Uint8Array(32))));
    const lines = Buffer.from(certificates[0]?.der ?? []).toString("base64");
    return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n${ours.certificatePem}`;
  }

  async function verifyWithClient(files: Record<string, string | Uint8Array>): Promise<string> {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const words = ["--artifact=artifact", "--timestamp=reply.tsr", "--certificate-chain=chain.pem"];
    return run(CLIENT, ["verify", ...words], { cwd: folder }).then(
      () => "accepted",
      (error: unknown) => String(error),
    );
  }
});
