import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  parseTimestampToken,
  verifyTimestampToken,
} from "../../../evidence/core/timestamps/timestamp-token.ts";
import { parseCertificatesPem } from "../../../evidence/core/timestamps/x509/pem.ts";
import { startTimestampAuthority, type TimestampAuthority } from "../../../host/local/timestamp-authority.ts";
import {
  buildTimeStampReq,
  parseTimeStampResp,
  randomNonce,
} from "../../../service/timestamps/timestamp-request.ts";

const ROOT = new Uint8Array(32).fill(0x5a);
const NOW = new Date("2026-11-21T10:20:30.999Z");

let directory: string;
let authority: TimestampAuthority;

const start = (): Promise<TimestampAuthority> => startTimestampAuthority({ directory, clock: () => NOW });

const post = (body: Uint8Array, contentType = "application/timestamp-query"): Promise<Response> =>
  fetch(authority.url, {
    method: "POST",
    headers: { "content-type": contentType },
    body: new Uint8Array(body),
  });

const ask = async (request: Uint8Array): Promise<Uint8Array> => (await post(request)).bytes();

const anchors = (): Uint8Array[] => parseCertificatesPem(authority.certificatePem);

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "timestamp-authority-"));
  authority = await start();
});

afterEach(async () => {
  await authority.close();
  rmSync(directory, { recursive: true });
});

describe("the development timestamp authority", () => {
  test("issues tokens that pass every check, with our nonce and a whole second that is not of the future", async () => {
    const nonce = randomNonce();
    const token = parseTimeStampResp(await ask(buildTimeStampReq(ROOT, nonce)));
    const timestamp = await verifyTimestampToken(token, ROOT, anchors(), { nonce, policy: "2.999.3161" });
    expect(timestamp.genTime).toBe("2026-11-21T10:20:30Z");
    expect(timestamp.authority.subject).toBe("CN=Disclosure Receipts Development Timestamp Authority");
  });

  test("gives each token a serial number of its own", async () => {
    const request = buildTimeStampReq(ROOT, randomNonce());
    const tokens = await Promise.all(Array.from({ length: 10 }, () => ask(request)));
    const serials = tokens.map((response) =>
      parseTimestampToken(parseTimeStampResp(response)).tstInfo.serialNumber.join(),
    );
    expect(new Set(serials).size).toBe(10);
  });

  test("leaves its certificate out of the token where none is asked for", async () => {
    const request = buildTimeStampReq(ROOT, randomNonce());
    // certReq is the last member, BOOLEAN DEFAULT FALSE.
    const without = request.slice(0, -3);
    without[1] = without.length - 2;
    expect(parseTimestampToken(parseTimeStampResp(await ask(without))).certificates).toEqual([]);
  });

  test("remains the same authority across restarts, and keeps its key to its owner", async () => {
    const before = authority.certificatePem;
    await authority.close();
    authority = await start();
    expect(authority.certificatePem).toBe(before);
    const modes = readdirSync(directory).map((file) => statSync(join(directory, file)).mode & 0o777);
    expect(modes).toEqual([0o600]);
    const token = parseTimeStampResp(await ask(buildTimeStampReq(ROOT, randomNonce())));
    await expect(verifyTimestampToken(token, ROOT, anchors())).resolves.toBeDefined();
  });

  test.for([
    ["another hash algorithm", 0, (request: Uint8Array) => request.with(19, 0x03)],
    ["another version", 2, (request: Uint8Array) => request.with(4, 2)],
    ["what is no request", 5, () => Uint8Array.of(0x30, 0)],
  ] as const)("rejects %s and names the failure", async ([, bit, spoil]) => {
    const response = await ask(spoil(buildTimeStampReq(ROOT, randomNonce())));
    expect(() => parseTimeStampResp(response)).toThrow(
      expect.objectContaining({
        code: "authority_failed",
        evidence: expect.objectContaining({ status: 2, failInfo: [bit] }),
      }),
    );
  });

  test("speaks RFC 3161 and nothing else", async () => {
    expect((await fetch(authority.url)).status).toBe(405);
    expect((await post(ROOT, "application/json")).status).toBe(415);
    expect((await post(new Uint8Array(9000))).status).toBe(413);
  });
});
