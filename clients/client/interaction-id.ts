// An interaction_id for any name that a platform gives to a call or a conversation.
import { utf8 } from "../../evidence/core/bytes.ts";
import { chosenInteractionIdSchema } from "../../evidence/core/formats/attestation-request.ts";
import { formatDigest, hashBytes } from "../../evidence/core/merkle/hash.ts";
import { ClientError } from "./errors.ts";

/**
 * The name itself where the service takes it: 1 to 128 of `A-Z a-z 0-9 . _ : @ + = - / ;`, neither
 * `.` nor `..`, and not one that begins with `erased:`. Any other name gives `sha256:` and the hex digest of its Unicode NFC
 * form, so that one name always gives one id. A digest does not hide a phone number: all of them can be tried. Throws
 * `invalid_request` for what is no text.
 */
export function interactionId(name: string): string {
  if (chosenInteractionIdSchema.safeParse(name).success) return name;
  if (typeof name === "string" && name !== "" && name.isWellFormed())
    return formatDigest(hashBytes(utf8(name.normalize("NFC"))));
  throw new ClientError("invalid_request", "the name of a conversation must be a well-formed string");
}
