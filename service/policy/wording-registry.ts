// Tenants' own wordings as operators register and retire them. Each change writes a new document and then names it in the
// tenant's item; documents are never changed, so the layers that older receipts name can be made again.
import { randomBytes } from "node:crypto";
import { canonicalize } from "../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../evidence/core/errors.ts";
import { PLAIN_ERRORS } from "../../evidence/core/formats/plain-errors.ts";
import {
  MAX_OWN_WORDINGS,
  type OwnWording,
  type OwnWordings,
  ownWordingSchema,
} from "../../evidence/core/policy/effective-layer.ts";
import type { PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import { textOf } from "../table/attributes.ts";
import { backoff } from "../table/backoff.ts";
import { allOf, isAbsent, isEqual, itemExists } from "../table/condition.ts";
import { tenantKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { readOwnWordings, writeOwnWordings } from "./own-wordings.ts";

const ID_BYTES = 16;
/** The most tries to change a tenant's wordings while others change them, too. */
const MAX_TRIES = 5;

/** The attribute of a tenant's item that names the document. */
const OWN_WORDINGS = "own_wordings";

export interface RegisteredWording {
  readonly jurisdiction: string;
  readonly wording: OwnWording;
}
type Registered = readonly RegisteredWording[];

export class WordingRegistry {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** In the order in which they were registered. Throws `not_found` for a tenant that there is not. */
  async list(tenantId: string): Promise<Registered> {
    return (await this.#read(tenantId)).registered;
  }

  /**
   * Registers a wording for `layer`, the one of its jurisdiction. False where it is registered already on the same
   * terms. Throws `invalid_request` in words for the operator, and `not_found`.
   */
  async add(tenantId: string, layer: PolicyLayer, wording: OwnWording): Promise<boolean> {
    requireFits(layer, wording);
    const { jurisdiction } = layer;
    return this.#change(tenantId, (registered) => {
      if (registered.some((entry) => isSame(entry, { jurisdiction, wording }))) return null;
      requireNew(registered, jurisdiction, wording);
      return [...registered, { jurisdiction, wording }];
    });
  }

  /** Gives a wording its last day. False where it has that already. Throws `invalid_request` and `not_found`. */
  retire(tenantId: string, id: string, lastDay: string): Promise<boolean> {
    return this.#change(tenantId, (registered) => {
      const found = registered.find(({ wording }) => wording.id === id);
      if (found === undefined)
        throw new DisclosureError("not_found", `the tenant ${tenantId} has no wording ${id}`);
      if (found.wording.retired_on === lastDay) return null;
      const wording = parseWording({ ...found.wording, retired_on: lastDay });
      return registered.map((entry) => (entry === found ? { ...entry, wording } : entry));
    });
  }

  /** False where `change` makes null: nothing is to be done. */
  async #change(tenantId: string, change: (registered: Registered) => Registered | null): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      if (attempt > 0) await backoff(attempt);
      const { digest, registered } = await this.#read(tenantId);
      const changed = change(registered);
      if (changed === null) return false;
      const id = randomBytes(ID_BYTES).toString("hex");
      // A crash between these two leaves a document that nobody names; a repetition writes another one.
      const next = await writeOwnWordings(this.#table, { id, registered: [...changed] });
      if (await this.#name(tenantId, digest, next)) return true;
    }
    throw new DisclosureError("ledger_contended", "others kept changing the tenant's wordings; try again");
  }

  /** False where another document is in force by now. */
  #name(tenantId: string, from: string | null, to: string): Promise<boolean> {
    const isStill = from === null ? isAbsent(OWN_WORDINGS) : isEqual(OWN_WORDINGS, { S: from });
    const set = { [OWN_WORDINGS]: { S: to } };
    return this.#table.update({ key: tenantKey(tenantId), set, when: allOf(itemExists, isStill) });
  }

  async #read(
    tenantId: string,
  ): Promise<{ readonly digest: string | null; readonly registered: OwnWordings["registered"] }> {
    const tenant = await this.#table.get(tenantKey(tenantId));
    if (tenant === null) throw new DisclosureError("not_found", `there is no tenant ${tenantId}`);
    if (tenant[OWN_WORDINGS] === undefined) return { digest: null, registered: [] };
    const digest = textOf(tenant, OWN_WORDINGS);
    return { digest, registered: (await readOwnWordings(this.#table, digest)).registered };
  }
}

/** A wording as it was given. Throws `invalid_request` with the first fault. */
export function parseWording(given: unknown): OwnWording {
  const { data, error } = ownWordingSchema.safeParse(given, PLAIN_ERRORS);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw invalid(`the wording is not as it must be: ${place}${issue?.message}`);
}

/** Refuses a wording that can't get ALLOW in this layer as a tenant's own. */
function requireFits({ jurisdiction, status, disclosure_methods, wordings }: PolicyLayer, own: OwnWording) {
  if (status === "planned")
    throw invalid(`the layer of ${jurisdiction} is only planned: it accepts no attestation`);
  const known = wordings.find(({ digest }) => digest === own.digest);
  if (known !== undefined)
    throw invalid(
      `this wording is in the layer of ${jurisdiction} as ${known.id}: the layer itself decides about it`,
    );
  const methods = disclosure_methods.filter(({ modalities }) => modalities.includes(own.modality));
  const unknown = own.methods.find((id) => !methods.some((method) => method.id === id));
  if (unknown !== undefined)
    throw invalid(
      `the layer of ${jurisdiction} has no method ${unknown} for ${own.modality}; it has ${methods.map(({ id }) => id).join(", ")}`,
    );
  if (own.template !== null && !wordings.some(({ id }) => id === own.template))
    throw invalid(`the layer of ${jurisdiction} has no wording ${own.template}`);
}

function requireNew(registered: Registered, jurisdiction: string, { id, digest }: OwnWording): void {
  if (registered.length >= MAX_OWN_WORDINGS)
    throw invalid(`a tenant has ${MAX_OWN_WORDINGS} wordings of its own at most`);
  const same = registered.find(
    (entry) => entry.jurisdiction === jurisdiction && entry.wording.digest === digest,
  );
  if (same !== undefined)
    throw invalid(`this wording is registered as ${same.wording.id} already, with other terms`);
  if (registered.some(({ wording }) => wording.id === id))
    throw invalid(`the id ${id} is in use for another wording`);
}

const isSame = (a: RegisteredWording, b: RegisteredWording): boolean =>
  a.jurisdiction === b.jurisdiction && canonicalize(a.wording) === canonicalize(b.wording);

const invalid = (message: string): DisclosureError => new DisclosureError("invalid_request", message);
