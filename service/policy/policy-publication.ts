// Publishes the wording policy: layers under the hash of their bytes, written once, and the index over the deployment's own,
// which moves. Whoever has a receipt fetches the very layer that it names.
//
// The invariant: before a receipt names a layer, the layer is in the table (effective-layers.ts); before a seal covers the
// receipt, the layer is public (`publishWaiting`, which the sealer calls once the heads of a seal are fixed).
import type { ZodType } from "zod";
import type { Meter } from "../../contract/metric-names.ts";
import { jurisdictionPath, layerPath, POLICY_PATH } from "../../contract/policy-paths.ts";
import { MINUTE_MS } from "../../contract/time.ts";
import { equalBytes } from "../../evidence/core/bytes.ts";
import { canonicalBytes, parseJson } from "../../evidence/core/canonical-json.ts";
import { DisclosureError, isDisclosureError } from "../../evidence/core/errors.ts";
import { jurisdictionPolicySchema, policyIndexSchema } from "../../evidence/core/formats/policy-index.ts";
import { digestOfLayer, type PolicyLayer } from "../../evidence/core/policy/policy-layer.ts";
import { JSON_TYPE, type PublicFiles, underWay } from "../seals/public-files.ts";
import { mapInGroups } from "../table/in-groups.ts";
import { someOf } from "../table/some-of.ts";
import type { Table } from "../table/table.ts";
import { LayerRecords } from "./layer-records.ts";
import { buildJurisdictionPolicy, buildPolicyIndex } from "./policy-index.ts";

/** The most layers that are published at the same time. */
const PUBLISH_CONCURRENCY = 8;
/** The most tries to move the index while other runs move it, too. */
const MAX_INDEX_TRIES = 5;
/**
 * A process publishes the layers of its deployment so often: of two deployments' processes, as there are during an update,
 * the one that lives on has the last word.
 */
const REPUBLISH_AFTER_MS = 10 * MINUTE_MS;

/** Before a seal, so many of the layers that count as published are looked for: a mark may have been put there by hand. */
const MAX_LOOKED_FOR = 4;

export interface PolicyPublicationServices {
  readonly table: Table;
  readonly files: PublicFiles;
  /** The layers that this deployment ships or configures. */
  readonly layers: readonly PolicyLayer[];
  readonly clock: () => Date;
  readonly meter: Meter;
  /** Called with what could not be published and why. The next run tries again. */
  readonly onFailure: (what: string, error: unknown) => void;
}

export class PolicyPublication {
  readonly #services: PolicyPublicationServices;
  readonly #records: LayerRecords;
  #publishedAt = Number.NEGATIVE_INFINITY;

  constructor(services: PolicyPublicationServices) {
    this.#services = services;
    this.#records = new LayerRecords(services.table);
  }

  /**
   * Publishes the layers of the deployment and then the index over them, where this process has not done so lately. Never
   * throws: no seal waits for this, and the next run tries again.
   */
  async publishDeployed(): Promise<void> {
    if (performance.now() - this.#publishedAt < REPUBLISH_AFTER_MS) return;
    try {
      await this.#publishLayers();
      await this.#publishIndex();
      this.#publishedAt = performance.now();
    } catch (error) {
      this.#fail("index", error);
    }
  }

  /**
   * Publishes the layers in the table that are not public yet. Called with the heads of a seal fixed, it finds every layer
   * that the receipts under them name, for each was written before its receipt. A layer that does not hold is set aside by
   * name, and holds up nothing. Throws `ledger_unavailable` and `publication_unavailable`: a seal waits for these.
   */
  async publishWaiting(): Promise<void> {
    const listed = [...(await this.#records.list())];
    const marked = listed.flatMap(([digest, publishedAt]) => (publishedAt === null ? [] : [digest]));
    const waiting = listed.flatMap(([digest, publishedAt]) => (publishedAt === null ? [digest] : []));
    for (const digest of someOf(marked, MAX_LOOKED_FOR))
      if (!(await this.#isPublic(digest))) waiting.push(digest);
    await mapInGroups(waiting, PUBLISH_CONCURRENCY, async (digest) => {
      try {
        await this.#publish(digest, await this.#readBytes(digest));
      } catch (error) {
        if (!isDisclosureError(error, "ledger_corrupt") && !isDisclosureError(error, "publication_conflict"))
          throw error;
        this.#fail(digest, error);
      }
    });
  }

  /** Of a layer that counts as published. Where it is not, that is told, and it has to be published. */
  async #isPublic(digest: string): Promise<boolean> {
    if ((await this.#services.files.bytes(layerPath(digest))) !== null) return true;
    const message = "a layer counts as published, and is not";
    this.#fail(digest, new DisclosureError("ledger_corrupt", message, { digest }));
    return false;
  }

  async #readBytes(digest: string): Promise<Uint8Array> {
    const bytes = (await this.#records.read([digest])).get(digest);
    if (bytes) return bytes;
    throw new DisclosureError(
      "ledger_corrupt",
      "a layer is missing from the table, or is not that of its digest",
      {
        digest,
      },
    );
  }

  /**
   * Writes a layer once, which can't be undone, and notes that. A crash before the note makes the next run write it again
   * and find it: equal bytes are success. Throws `publication_conflict` where other bytes have its name, which only
   * damage can bring about, for the name is their hash.
   */
  async #publish(digest: string, bytes: Uint8Array): Promise<void> {
    const { files, clock } = this.#services;
    const path = layerPath(digest);
    if (!(await files.putOnce({ path, body: bytes, type: JSON_TYPE }, clock()))) {
      const published = await files.bytes(path);
      if (published === null) throw underWay("layer");
      if (!equalBytes(published, bytes))
        throw new DisclosureError("publication_conflict", "a published layer is not that of its digest", {
          digest,
        });
    }
    await this.#records.markPublished(digest, clock());
  }

  /** From the deployment's own files, so that damage in the table keeps none of them from the public. */
  async #publishLayers(): Promise<void> {
    const listed = await this.#records.list();
    for (const layer of this.#services.layers) {
      const digest = digestOfLayer(layer);
      const isMarked = (listed.get(digest) ?? null) !== null;
      if (isMarked && (await this.#isPublic(digest))) continue;
      await this.#records.record(layer);
      await this.#publish(digest, canonicalBytes(layer));
    }
  }

  /** Each layer is public before an index names it. A crash between two files leaves the later ones as they were. */
  async #publishIndex(): Promise<void> {
    const { layers, clock } = this.#services;
    for (const layer of layers)
      await this.#move(jurisdictionPath(layer.jurisdiction), jurisdictionPolicySchema, (published) =>
        buildJurisdictionPolicy(published, layer, clock()),
      );
    await this.#move(POLICY_PATH, policyIndexSchema, () => buildPolicyIndex(layers));
  }

  /** Puts what `change` makes in the place of a published file, unless that is the same. */
  async #move<T>(path: string, schema: ZodType<T>, change: (published: T | null) => T): Promise<void> {
    const { files } = this.#services;
    for (let attempt = 0; attempt < MAX_INDEX_TRIES; attempt++) {
      const stored = await files.text(path);
      const body = JSON.stringify(change(stored === null ? null : readIndex(schema, stored.text)));
      if (body === stored?.text) return;
      // The condition keeps a slow run from taking back what another one has listed.
      if (await files.move({ path, body, type: JSON_TYPE }, stored)) return;
    }
    throw new DisclosureError("publication_unavailable", "other runs kept moving the policy's index");
  }

  #fail(what: string, error: unknown): void {
    const { meter, onFailure } = this.#services;
    onFailure(what, error);
    meter(isDisclosureError(error, "publication_conflict") ? "publicationConflicts" : "policyFailures", 1);
  }
}

/** Throws `ledger_corrupt` for an index that is not as we wrote it: former layers would be lost with it. */
function readIndex<T>(schema: ZodType<T>, text: string): T {
  try {
    return schema.parse(parseJson(text));
  } catch (cause) {
    throw new DisclosureError("ledger_corrupt", "the published index of the policy is damaged", {}, cause);
  }
}
