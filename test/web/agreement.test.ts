// The page says of every vector what core, the command line and the service say.
import { describe, expect, test } from "vitest";
import { parseCertificatesPem } from "../../core/pem.ts";
import { readDocument, type Subject } from "../../web/documents.ts";
import { type Examination, examine, type Knowledge } from "../../web/examine.ts";
import { judge, placedChecks } from "../../web/verdict.ts";
import {
  type EvidenceVector,
  evidenceVectors,
  readBytes,
  readEvidence,
  readSeal,
} from "../support/evidence.ts";

/** What the index says that the reader has, as the page would hold it. */
function knowledgeOf(vector: EvidenceVector, subject: Subject): Knowledge {
  const { anchors, request } = vector;
  return {
    request: request === undefined ? undefined : readEvidence(request),
    published: publishedOf(vector, subject),
    // The index says nothing of a clock.
    now: undefined,
    trustAnchors:
      anchors === undefined ? [] : parseCertificatesPem(new TextDecoder().decode(readBytes(anchors))),
  };
}

function publishedOf(
  { seal, previous, published }: EvidenceVector,
  subject: Subject,
): Knowledge["published"] {
  if (subject.kind === "bundle")
    return new Map((published ?? []).map((file, index) => [index, readSeal(file)] as const));
  if (subject.kind === "seal")
    return new Map(previous === undefined ? [] : [[subject.seal.index - 1, readSeal(previous)]]);
  const index = subject.evidence.merkle_proof.cross_tenant_proof?.seal_index ?? -1;
  return new Map(seal === undefined ? [] : [[index, seal === null ? null : readSeal(seal)]]);
}

const namesOf = (examination: Examination, ok: boolean | null): string[] =>
  placedChecks(examination)
    .filter((check) => check.ok === ok)
    .map(({ place, name }) => (place === "" || examination.kind !== "bundle" ? name : `${place}/${name}`));

describe("the page and the vectors agree", () => {
  test.each(evidenceVectors)("that $expected is said of $kind $file: $reason", async (vector) => {
    const document = readDocument(readBytes(vector.file));
    if (vector.expected === "unreadable") return expect(document.kind).toBe("problem");
    const subject = document as Subject;
    const examination = await examine(subject, knowledgeOf(vector, subject));
    expect(namesOf(examination, false)).toEqual(vector.failing);
    expect(namesOf(examination, null)).toEqual(vector.unmade);
    expect(judge(examination).outcome === "broken").toBe(vector.expected === "does_not_hold");
  });
});
