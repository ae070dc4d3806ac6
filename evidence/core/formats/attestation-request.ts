// The attestation request (docs/receipt-format.md) and what is recomputed from it.
import * as z from "zod";
import { canonicalBytes } from "../canonical-json.ts";
import { formatDigest, hashBytes } from "../merkle/hash.ts";
import { ERASED_ID_PREFIX } from "./erasure.ts";
import { COUNTRY_CODES, isCountryCode } from "./iso-3166.ts";
import { digestSchema, statedInstantSchema } from "./shapes.ts";

const INTERACTION_ID = /^[A-Za-z0-9._:@+=/;-]{1,128}$/;
/** A URL can't name `.` and `..`, and only an erasure gives ids with the prefix. */
const CHOSEN_INTERACTION_ID = new RegExp(
  `^(?!\\.{1,2}$|${ERASED_ID_PREFIX})${INTERACTION_ID.source.slice(1)}`,
);
const AGENT_IDENTITY = /^[A-Za-z0-9._:@+=/-]{1,128}$/;
export const DISCLOSURE_METHOD = /^[a-z0-9_]{1,64}$/;
const JURISDICTION = /^[A-Z]{2}$/;

export const MODALITIES = ["voice", "chat", "walkthrough"] as const;

const interactionId = (form: RegExp, rule: string) =>
  z.string().regex(form, rule).describe("Identifier of the call or conversation");
const ID_RULE = "must be 1 to 128 of A-Z a-z 0-9 . _ : @ + = - / ;";

/** Of any conversation that there is, also of an erased one. */
export const interactionIdSchema = interactionId(INTERACTION_ID, ID_RULE);
/** Of a conversation that is attested. */
export const chosenInteractionIdSchema = interactionId(
  CHOSEN_INTERACTION_ID,
  `${ID_RULE} and neither be . or .. nor begin with ${ERASED_ID_PREFIX}`,
);

/**
 * The fields of a request, and by them those of a receipt. No other is accepted: an unknown one is where readable content
 * slips in.
 */
export const attestationRequestSchema = z
  .strictObject({
    interaction_id: chosenInteractionIdSchema,
    agent_identity: z
      .string()
      .regex(AGENT_IDENTITY, "must be 1 to 128 of A-Z a-z 0-9 . _ : @ + = - /")
      .describe("Identifier of the AI agent that made the disclosure"),
    article_50_clause: z
      .literal("1", 'must be "1": only Art. 50(1) is attested; marking of synthetic output is not covered')
      .describe("The clause of Art. 50 being attested"),
    disclosure_method: z
      .string()
      .regex(DISCLOSURE_METHOD, "must be 1 to 64 of a-z 0-9 _")
      .describe("How the disclosure was made. The jurisdiction's layer lists the methods that it knows")
      .meta({ examples: ["spoken_introduction", "spoken_reminder", "written_notice", "visual_label"] }),
    jurisdiction: z
      .string()
      .regex(JURISDICTION, { error: "must be two upper-case letters", abort: true })
      .refine(isCountryCode, "is not an ISO 3166-1 alpha-2 code")
      .describe(
        "Jurisdiction whose wording applies, ISO 3166-1 alpha-2. Only those with an active layer are accepted",
      )
      .meta({ enum: COUNTRY_CODES }),
    modality: z
      .enum(MODALITIES)
      .describe(
        "Kind of interaction. voice: spoken, on the telephone or from a device. chat: written, so also SMS, messengers and e-mail. walkthrough: a synthetic voice or an avatar that presents something",
      ),
    subject_hash: digestSchema.describe(
      "Digest of the disclosure content: of the registered text, never of the spoken one. No readable content is sent",
    ),
    disclosed_at: statedInstantSchema
      .optional()
      .describe(
        "When the disclosure was made, as the caller states it: RFC 3339 in UTC, at most 5 minutes ahead of the service's clock. Absent where the caller states no time",
      ),
  })
  .meta({ id: "AttestationRequest" });

export type AttestationRequest = z.infer<typeof attestationRequestSchema>;
/** The names of the fields that a caller may leave out. */
export type OptionalField = {
  [Name in keyof AttestationRequest]-?: undefined extends AttestationRequest[Name] ? Name : never;
}[keyof AttestationRequest];
type Identifier = "interaction_id" | "agent_identity";

/** The fields of a request that its receipt shows. */
export function withoutIdentifiers<T extends object>(request: T): Omit<T, Identifier> {
  const { interaction_id: _i, agent_identity: _a, ...shown } = request as T & Record<Identifier, unknown>;
  return shown;
}

/** SHA-256(JCS(request body)) as `sha256:` and hex. */
export const hashInput = (request: unknown): string => formatDigest(hashBytes(canonicalBytes(request)));
