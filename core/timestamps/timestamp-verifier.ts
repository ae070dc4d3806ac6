// Tokens judged against one reader's anchors, and remembered: a thousand receipts under one root cost one verification.
import { BoundedMap } from "../bounded-map.ts";
import { parseBase64 } from "../bytes.ts";
import {
  judgeToken,
  parseTimestampToken,
  requireAnchored,
  type UnanchoredTimestamp,
  type VerifiedTimestamp,
} from "./timestamp-token.ts";
import { requireImprint } from "./tst-info.ts";
import { type Certificate, parseCertificate } from "./x509/certificate.ts";

/** How many tokens are remembered: of 2 to 8 KiB in base64, so some sixteen megabytes at most. */
const DEFAULT_CAPACITY = 2_048;

/** DER certificates of the authorities that a reader trusts, or a verifier that has them and remembers its work. */
export type TrustAnchors = readonly Uint8Array[] | TimestampVerifier;

type Judgement = VerifiedTimestamp | UnanchoredTimestamp;

/** Lives as long as its owner lets it: what is remembered was judged against these anchors and no others. */
export class TimestampVerifier {
  readonly #trustAnchors: readonly Uint8Array[];
  /** By token, as are the two below. */
  readonly #sound: BoundedMap<string, Promise<Judgement>>;
  /** Apart from the others: whoever sends bad tokens must not push good ones out. */
  readonly #refused: BoundedMap<string, Promise<Judgement>>;
  readonly #underWay = new Map<string, Promise<Judgement>>();
  #anchors: readonly Certificate[] | undefined;

  constructor(trustAnchors: readonly Uint8Array[], capacity: number = DEFAULT_CAPACITY) {
    this.#trustAnchors = trustAnchors;
    this.#sound = new BoundedMap(capacity);
    this.#refused = new BoundedMap(capacity);
  }

  static of(anchors: TrustAnchors): TimestampVerifier {
    return anchors instanceof TimestampVerifier ? anchors : new TimestampVerifier(anchors);
  }

  /** Without anchors no token can be believed. */
  get hasTrustAnchors(): boolean {
    return this.#trustAnchors.length > 0;
  }

  /**
   * `token` is base64 of a TimeStampToken, `root` is `0x` and hex, as receipts have them. Throws as
   * `verifyTimestampToken` does.
   */
  async verify(token: string, root: string): Promise<VerifiedTimestamp> {
    return requireAnchored(await this.judge(token, root));
  }

  /** As `judgeToken`. A token is read and judged once by its bytes, whatever roots it is asked for. */
  async judge(token: string, root: string): Promise<Judgement> {
    const judgement = await (this.#remembered(token) ?? this.#judgeAnew(token));
    requireImprint(judgement.messageImprint, root);
    return judgement;
  }

  #remembered(token: string): Promise<Judgement> | undefined {
    return this.#sound.get(token) ?? this.#refused.get(token) ?? this.#underWay.get(token);
  }

  async #judgeAnew(token: string): Promise<Judgement> {
    const judging = this.#judgeOnce(token);
    this.#underWay.set(token, judging);
    try {
      const judgement = await judging;
      this.#sound.set(token, judging);
      return judgement;
    } catch (error) {
      this.#refused.set(token, judging);
      throw error;
    } finally {
      this.#underWay.delete(token);
    }
  }

  /** Against the root that the token itself names: which root it was asked for is compared afterwards. */
  async #judgeOnce(token: string): Promise<Judgement> {
    this.#anchors ??= this.#trustAnchors.map(parseCertificate);
    const parsed = parseTimestampToken(parseBase64(token));
    return judgeToken(parsed, parsed.tstInfo.hashedMessage, this.#anchors);
  }
}
