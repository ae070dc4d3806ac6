// Answers of a service whose tokens are of authorities that the caller trusts, or of others.
import { describe, expect, test } from "vitest";
import type { EvidenceBundle } from "../../../evidence/core/formats/evidence-bundle.ts";
import type { TsaTimestamp } from "../../../evidence/core/formats/metachain.ts";
import { readBytes, readEvidence, readReceipt } from "../../support/vector-files.ts";
import { failure, start } from "./clients.ts";
import { respond, type Trick } from "./service.ts";

describe("an answer", () => {
  test("is believed with a token of an authority that the caller trusts, and with no other", async () => {
    const [report, bundle] = [
      readReceipt("receipts/hand-off.json"),
      readEvidence("bundles/conversation.json"),
    ];
    const readBoth = async (pem: string) => {
      const trustAnchors = new TextDecoder().decode(readBytes(`authorities/${pem}`));
      const isReport = (path: string) => path.startsWith("/v1/attestation");
      const trick: Trick = ({ path, response }) => respond(response, 200, isReport(path) ? report : bundle);
      const { client } = await start(trick, { trustAnchors });
      return [() => client.report(report.event_id), () => client.interaction("call-2026-000117")];
    };
    for (const read of await readBoth("service.pem")) await read();
    for (const read of await readBoth("other.pem"))
      expect((await failure(read(), "receipt_invalid")).message).toContain("timestamp: ");
  });

  test("is believed with further tokens of authorities that the caller doesn't know, but with no false one", async () => {
    const bundle = readEvidence("bundles/conversation.json") as EvidenceBundle;
    const other = readEvidence("authorities/other-token.json") as { timestamp_token: string };
    const ofAnotherRoot = bundle.seals.find(({ index }) => index !== 2)?.tsa_timestamp;
    if (ofAnotherRoot === undefined) throw new Error("the bundle leads to several seals");
    const withToken = async (tsa_timestamp: TsaTimestamp) => {
      const later_timestamps = [{ seal_index: 2, tsa_timestamp }];
      const trick: Trick = ({ response }) => respond(response, 200, { ...bundle, later_timestamps });
      const trustAnchors = new TextDecoder().decode(readBytes("authorities/service.pem"));
      const { client } = await start(trick, { trustAnchors });
      return () => client.interaction("call-2026-000117");
    };
    const read = await withToken({ ...ofAnotherRoot, timestamp_token: other.timestamp_token });
    expect((await read()).later_timestamps).toHaveLength(1);
    const readFalse = await withToken(ofAnotherRoot);
    const { message } = await failure(readFalse(), "receipt_invalid");
    expect(message).toMatch(/seals\/\d\/additional_timestamps: /);
  });
});
