// A remark for callers whose interaction_id looks like an identifier of a person. It stands in a header alone: the receipt
// is the same with and without it.
import type { AttestationRequest } from "../../evidence/core/formats/attestation-request.ts";
import { personalIdKind } from "../../evidence/core/formats/personal-id.ts";

/** One sentence in ASCII, without the id; null for a request that needs none. */
export function warningOf({ interaction_id }: Pick<AttestationRequest, "interaction_id">): string | null {
  const kind = personalIdKind(interaction_id);
  if (kind === null) return null;
  return `interaction_id looks like ${kind}: use an id that names no person, such as a random one for each conversation.`;
}
