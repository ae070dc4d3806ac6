// A witness of tests, which keeps to C2SP tlog-witness: it cosigns no tree that does not extend the one that it cosigned
// before. It is asked by the sealer in the place of all witnesses.
import assert from "node:assert/strict";
import {
  cosignatureMessage,
  formatCosignature,
  parseCheckpoint,
} from "../../evidence/core/log/checkpoint.ts";
import { verifyConsistency } from "../../evidence/core/merkle/merkle-proof.ts";
import type { CosignOutcome, CosignRequest } from "../../service/log/witnesses.ts";
import { type LogSigner, newWitness, signBytes } from "./log-signer.ts";

const SECOND_MS = 1_000;

export class TestWitness {
  readonly signer: LogSigner;
  /** The sizes that it cosigned, in order. */
  readonly sizes: number[] = [];
  /** While true, it answers nothing, and there is no quorum. */
  isDown = false;
  readonly #clock: () => Date;
  #root: Uint8Array | null = null;

  constructor(clock: () => Date, name = "witness.test") {
    this.signer = newWitness(name);
    this.#clock = clock;
  }

  async cosign({ note, size, prove }: CosignRequest): Promise<CosignOutcome> {
    if (this.isDown) return { signatures: [], hasQuorum: false };
    assert.equal(note.signatures.length, 1, "a witness is sent the log's own signature alone");
    const { root, size: named } = parseCheckpoint(note.text);
    assert.equal(named, size);
    const known = this.sizes.at(-1) ?? 0;
    if (this.#root !== null)
      verifyConsistency(known, size, await this.#path(prove, known, size), this.#root, root);
    this.sizes.push(size);
    this.#root = root;
    const seconds = Math.floor(this.#clock().getTime() / SECOND_MS);
    const { key } = this.signer;
    const signature = formatCosignature(
      seconds,
      signBytes(this.signer, cosignatureMessage(seconds, note.text)),
    );
    return { signatures: [{ keyName: key.name, keyId: key.id, signature }], hasQuorum: true };
  }

  async #path(prove: CosignRequest["prove"], from: number, size: number): Promise<readonly Uint8Array[]> {
    return from === size ? [] : prove(from);
  }
}
