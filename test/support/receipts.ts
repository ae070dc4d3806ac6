// One receipt in full, and the canonical text of its core as a stranger to this code would write it by hand.
import type { Receipt } from "../../evidence/core/formats/receipt.ts";

const HEX = "0123456789abcdef".repeat(4);

export const receipt: Receipt = {
  event_id: "00000000-0001-8000-8000-000000000000",
  chain_id: "0123456789abcdef0123456789abcdef",
  sequence: 1,
  turn: 2,
  verdict: "MODIFY",
  input_hash: `sha256:${HEX}`,
  output_hash: `sha256:${HEX}`,
  previous_hash: `sha256:${HEX}`,
  previous_turn_hash: null,
  issued_at: "2026-09-01T12:00:00.000Z",
  recorded_after: { seal_index: 4, seal_hash: `sha256:${HEX}` },
  disclosure: {
    article_50_clause: "1",
    disclosure_method: "spoken_introduction",
    jurisdiction: "DE",
    modality: "voice",
    subject_hash: `sha256:${HEX}`,
  },
  policy: {
    jurisdiction: "DE",
    version: "2026-08-02.1",
    digest: `sha256:${HEX}`,
    wording_id: null,
    findings: ["wording_unknown", "method_unknown"],
  },
  receipt_format_version: "1.0",
  verifiability: "verifiable",
  auth_mechanism: "hmac-sha256",
  key_id: "mac-1",
  signature: `${"A".repeat(43)}=`,
};

export const canonicalPolicy =
  `{"digest":"sha256:${HEX}",` +
  '"findings":["wording_unknown","method_unknown"],"jurisdiction":"DE","version":"2026-08-02.1","wording_id":null}';

export const canonicalCore = [
  '{"chain_id":"0123456789abcdef0123456789abcdef"',
  '"disclosure":{"article_50_clause":"1","disclosure_method":"spoken_introduction","jurisdiction":"DE"',
  `"modality":"voice","subject_hash":"sha256:${HEX}"}`,
  '"event_id":"00000000-0001-8000-8000-000000000000"',
  `"input_hash":"sha256:${HEX}"`,
  '"issued_at":"2026-09-01T12:00:00.000Z"',
  `"output_hash":"sha256:${HEX}"`,
  `"policy":${canonicalPolicy}`,
  `"previous_hash":"sha256:${HEX}"`,
  '"previous_turn_hash":null',
  '"receipt_format_version":"1.0"',
  `"recorded_after":{"seal_hash":"sha256:${HEX}","seal_index":4}`,
  '"sequence":1',
  '"turn":2',
  '"verdict":"MODIFY"',
  '"verifiability":"verifiable"}',
].join(",");
