// A wording that a tenant registered for itself.
import { type OwnWording, ownWordingSchema } from "../../evidence/core/policy/effective-layer.ts";

/** A German greeting; `changes` make it another one. */
export const ownWordingOf = (changes: Partial<OwnWording> = {}): OwnWording =>
  ownWordingSchema.parse({
    id: "own-greeting",
    language: "de",
    modality: "voice",
    methods: ["spoken_introduction"],
    digest: `sha256:${"5".repeat(64)}`,
    approved_on: "2026-11-22",
    retired_on: null,
    approved_by: "legal department",
    template: null,
    ...changes,
  });
