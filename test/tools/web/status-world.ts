// A service answers this to the status page, from the vectors and from the status in this repository.

import { policyLayers } from "../../../evidence/policy/index.ts";
import { buildServiceStatus } from "../../../lambdas/api/service-status.ts";
import { logSigner, signedCheckpoint, witnessSigner } from "../../support/note-signers.ts";
import { readEvidence, readSeal } from "../../support/vector-files.ts";

const ORIGIN = "receipts.example/v1/metachain";
const log = logSigner(ORIGIN);
export const NEWEST_SEAL = readSeal("seals/3.json");
export const WITNESSES = ["witness.example/one", "witness.example/two"];
/** A quorum of the moment, and one that is older than three hours. */
export const LOG = {
  read_at: "2026-11-22T12:00:00.000Z",
  status: "published",
  origin: ORIGIN,
  head: { tree_size: NEWEST_SEAL.tree_size, sealed_at: NEWEST_SEAL.sealed_at },
  quorum: { status: "recent", at: "2026-11-22T11:48:00.000Z", tree_size: NEWEST_SEAL.tree_size },
} as const;
const status = buildServiceStatus(policyLayers, LOG);

/** The bodies by their paths: texts, and values of JSON. */
export const ANSWERS: Readonly<Record<string, unknown>> = {
  "/v1/status": status,
  "/v1/metachain": {
    size: 4,
    latest: readEvidence("seals/3.json"),
    roots: "/v1/metachain/roots/{index}",
    log: { origin: ORIGIN, vkey: log.vkey, checkpoint: "/v1/metachain/checkpoint" },
  },
  "/v1/metachain/checkpoint": signedCheckpoint(
    log,
    { size: NEWEST_SEAL.tree_size, root: NEWEST_SEAL.merkle_root },
    WITNESSES.map((name) => witnessSigner(name)),
  ),
  "/v1/policy": {
    checked_on: status.checked_on,
    jurisdictions: status.jurisdictions,
    capabilities: [],
    layers: "/v1/policy/layers/{digest}",
  },
};

export const bodyOf = (answer: unknown): string =>
  typeof answer === "string" ? answer : JSON.stringify(answer);
