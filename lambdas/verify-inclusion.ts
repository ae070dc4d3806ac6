// POST /v1/verify-inclusion: checks a receipt's proof against the published root. It needs no key.
import { MAX_PROOF_BODY_BYTES, MAX_PROOF_VALUES } from "../contract/limits.ts";
import { evidenceSchema, kindMembersOf, untouchedObject } from "../evidence/core/formats/evidence.ts";
import type { Seal } from "../evidence/core/formats/metachain.ts";
import type { Verification } from "../evidence/core/verify/check.ts";
import { verifyReceipt } from "../evidence/core/verify/verify-receipt.ts";
import { namedSealIndex } from "../evidence/core/verify/verify-recorded-after.ts";
import { openTrustAnchors } from "../service/opening/connections.ts";
import { openRoots } from "../service/opening/roots.ts";
import type { InclusionVerdict } from "./api/inclusion-verdict.ts";
import { apiHandler, json } from "./middleware/api.ts";
import { readAs, readBody } from "./middleware/request.ts";

const roots = openRoots();
const trustAnchors = openTrustAnchors();

/** As every reader has it: a body that could be read as two kinds of evidence is refused. */
const proofSchema = untouchedObject
  .refine((value) => kindMembersOf(value).length <= 1, "could be read as two kinds of evidence")
  .pipe(evidenceSchema);

export const handler = apiHandler(async (event) => {
  const evidence = readAs(proofSchema, readBody(event, MAX_PROOF_BODY_BYTES, MAX_PROOF_VALUES));
  const index = evidence.merkle_proof.cross_tenant_proof?.seal_index;
  const named = namedSealIndex(evidence.receipts?.[0] ?? {});
  const [seal, sealBefore] = await Promise.all([readSeal(index), readSeal(named)]);
  return json(formatVerdict(await verifyReceipt(evidence, { seal, sealBefore, trustAnchors }), seal));
});

const readSeal = async (index: number | null | undefined): Promise<Seal | null> =>
  typeof index === "number" ? roots.seal(index) : null;

/**
 * Checks that could not be made are left out: callers read `ok` as yes or no. The seal that the proof names may publish
 * another root than the proof's, which is then not published.
 */
function formatVerdict({ valid, checks }: Verification, seal: Seal | null): InclusionVerdict {
  const isPublished = checks.some(({ name, ok }) => name === "published_root" && ok === true);
  return {
    valid,
    checks: checks.flatMap(({ name, ok, detail }) => (ok === null ? [] : [{ name, ok, detail }])),
    published: seal !== null && isPublished ? { seal_index: seal.index, sealed_at: seal.sealed_at } : null,
  };
}
