// A tombstone stands for identifiers that were erased: when, by which role and why. It is the operator's word: no proof rests on it.
import * as z from "zod";
import { instantSchema } from "./shapes.ts";

/** `request`: a person asked for it (GDPR Art. 17). `order`: an authority or a court did. `mistake`: it should never have been sent. */
export const ERASURE_GROUNDS = ["request", "order", "mistake"] as const;
/** Begins the random ids under which erased conversations are found. Nobody may attest under one. */
export const ERASED_ID_PREFIX = "erased:";
const ROLE = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/;

export const erasureSchema = z
  .object({
    erased_at: instantSchema,
    erased_by: z.string().regex(ROLE).describe("The operator's role, never the name of a person"),
    ground: z.enum(ERASURE_GROUNDS),
  })
  .meta({ id: "Erasure" });
export type Erasure = z.infer<typeof erasureSchema>;
export type ErasureGround = Erasure["ground"];
