// A field for the fingerprint of the tenant whose history the reader expects, as a contract or a bill has it.
import { digestSchema } from "../../../evidence/core/formats/shapes.ts";
import type { Text } from "../../../evidence/reader/text/text.ts";
import { el } from "./dom.ts";

/** The characters of a fingerprint. */
const LENGTH = "sha256:".length + 64;

export interface TenantActions {
  /** Null where the field was emptied: the history may be anyone's. */
  readonly onTenant: (fingerprint: string | null) => void;
}

export function tenantView({ tenant }: Text, fingerprint: string | null, { onTenant }: TenantActions): Node {
  const field = el("input", {
    id: "tenant",
    value: fingerprint ?? "",
    placeholder: "sha256:…",
    maxlength: 2 * LENGTH,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
    "aria-describedby": "tenant-hint tenant-problem",
  });
  const problem = el("p", { id: "tenant-problem", class: "problem-of-field", role: "alert" });
  const form = el(
    "form",
    { class: "tenant" },
    el("label", { for: "tenant" }, tenant.label),
    el("div", { class: "tenant-entry" }, field, el("button", { type: "submit" }, tenant.button)),
    el("p", { id: "tenant-hint", class: "remark" }, tenant.hint),
    problem,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = field.value.trim();
    const isFingerprint = given === "" || digestSchema.safeParse(given).success;
    problem.textContent = isFingerprint ? "" : tenant.malformed;
    field.setAttribute("aria-invalid", String(!isFingerprint));
    if (isFingerprint) onTenant(given === "" ? null : given);
    else field.focus();
  });
  return form;
}
