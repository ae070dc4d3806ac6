// Verified tokens, remembered with their root: a thousand receipts under one root cost one verification.
import { BoundedMap } from "../bounded-map.ts";
import { parseBase64 } from "../bytes.ts";
import { parseNode } from "../merkle/hash.ts";
import { type VerifiedTimestamp, verifyTimestampToken } from "./timestamp-token.ts";

/** How many tokens are remembered: of 2 to 8 KiB in base64, so some megabytes at most. */
const DEFAULT_CAPACITY = 512;

/** DER certificates of the authorities that a reader trusts, or a verifier that has them and remembers its work. */
export type TrustAnchors = readonly Uint8Array[] | TimestampVerifier;

/** Lives as long as its owner lets it: what is remembered was verified against these anchors and no others. */
export class TimestampVerifier {
  readonly #trustAnchors: readonly Uint8Array[];
  /** By token. */
  readonly #remembered: BoundedMap<string, VerifiedTimestamp>;
  /** By root and token. */
  readonly #underWay = new Map<string, Promise<VerifiedTimestamp>>();

  constructor(trustAnchors: readonly Uint8Array[], capacity: number = DEFAULT_CAPACITY) {
    this.#trustAnchors = trustAnchors;
    this.#remembered = new BoundedMap(capacity);
  }

  static of(anchors: TrustAnchors): TimestampVerifier {
    return anchors instanceof TimestampVerifier ? anchors : new TimestampVerifier(anchors);
  }

  /** Without anchors no token can be believed. */
  get hasTrustAnchors(): boolean {
    return this.#trustAnchors.length > 0;
  }

  /**
   * `token` is base64 of a TimeStampToken, `root` is `0x` and hex, as receipts have them. The same token with another
   * root, or another token with the same root, is verified anew. Throws as `verifyTimestampToken` does.
   */
  async verify(token: string, root: string): Promise<VerifiedTimestamp> {
    const remembered = this.#remembered.get(token);
    if (remembered !== undefined && root === `0x${remembered.messageImprint}`) return remembered;
    const key = `${root} ${token}`;
    return this.#underWay.get(key) ?? this.#verifyAnew(key, token, root);
  }

  async #verifyAnew(key: string, token: string, root: string): Promise<VerifiedTimestamp> {
    const verifying = verifyTimestampToken(parseBase64(token), parseNode(root), this.#trustAnchors);
    this.#underWay.set(key, verifying);
    try {
      // Refusals are not remembered: whoever sends bad tokens must not push good ones out.
      const verified = await verifying;
      this.#remembered.set(token, verified);
      return verified;
    } finally {
      this.#underWay.delete(key);
    }
  }
}
