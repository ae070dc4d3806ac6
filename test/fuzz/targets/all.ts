// Every target, in the order in which a long run takes them.
import type { CountedTarget } from "../target.ts";
import { evidenceTarget } from "./evidence.ts";
import { billTarget, documentTarget, layerTarget, pageTarget } from "./files.ts";
import { bodyTarget, jsonTarget } from "./json.ts";
import {
  coseTarget,
  entriesTarget,
  logPolicyTarget,
  noteKeyTarget,
  noteTarget,
  tilePlaceTarget,
  tileTarget,
  tlogProofTarget,
} from "./log.ts";
import { consistencyTarget, inclusionTarget } from "./merkle.ts";
import { apiKeyTarget, eventIdTarget, keyIdTarget, leafTarget } from "./service.ts";
import { certificatesTarget, derTarget, tokenPartsTarget, tokenTarget } from "./tokens.ts";

export const TARGETS: readonly CountedTarget[] = [
  inclusionTarget,
  consistencyTarget,
  derTarget,
  tokenTarget,
  tokenPartsTarget,
  certificatesTarget,
  tileTarget,
  entriesTarget,
  tilePlaceTarget,
  noteTarget,
  noteKeyTarget,
  logPolicyTarget,
  tlogProofTarget,
  coseTarget,
  jsonTarget,
  bodyTarget,
  leafTarget,
  keyIdTarget,
  eventIdTarget,
  apiKeyTarget,
  documentTarget,
  layerTarget,
  billTarget,
  evidenceTarget,
  pageTarget,
];
