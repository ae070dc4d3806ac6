// The page's word on a row: its own reading and examining, as its worker runs them, without the browser around them.
import { readFileSync } from "node:fs";
import { parseCertificatesPem } from "../../core/timestamps/x509/pem.ts";
import { judge, placedChecks } from "../../reader/verdict.ts";
import { readDocument, type Subject } from "../../web/documents.ts";
import { type Examination, examine, type Knowledge } from "../../web/examine.ts";
import { readSeal } from "../support/evidence.ts";
import { bytesOf, type Row, type Verdict } from "./rows.ts";

const UNREADABLE: Verdict = { verdict: "unreadable", failing: [], unmade: [] };

export async function askPage(row: Row): Promise<Verdict> {
  const document = readDocument(bytesOf(row));
  if (document.kind === "problem") return UNREADABLE;
  const examination = await examine(document as Subject, knowledgeOf(row));
  return {
    verdict: judge(examination).outcome === "broken" ? "does_not_hold" : "holds",
    failing: namesOf(examination, false),
    unmade: namesOf(examination, null),
  };
}

function knowledgeOf({ anchors, request, published, now }: Row): Knowledge {
  return {
    request: request === undefined ? undefined : JSON.parse(readFileSync(request, "utf8")),
    published: new Map(
      Object.entries(published).map(([index, file]) => [
        Number(index),
        file === null ? null : readSeal(file),
      ]),
    ),
    trustAnchors: anchors === undefined ? [] : parseCertificatesPem(readFileSync(anchors, "utf8")),
    now: new Date(now).toISOString(),
  };
}

/** Of a bundle each check names its part, as in the table. */
const namesOf = (examination: Examination, ok: boolean | null): string[] =>
  placedChecks(examination)
    .filter((check) => check.ok === ok)
    .map(({ place, name }) => (place === "" || examination.kind !== "bundle" ? name : `${place}/${name}`));
