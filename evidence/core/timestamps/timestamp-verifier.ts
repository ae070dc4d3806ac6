// Tokens judged against one reader's anchors, and remembered: a thousand receipts under one root cost one verification.
import { BoundedMap } from "../bounded-map.ts";
import { parseBase64 } from "../bytes.ts";
import {
  judgeToken,
  type OpenTimestamp,
  type Patience,
  parseTimestampToken,
  requireJudged,
  type VerifiedTimestamp,
} from "./timestamp-token.ts";
import { requireImprint } from "./tst-info.ts";
import { type Certificate, parseCertificate } from "./x509/certificate.ts";
import { rememberSignatures, type SignatureCheck } from "./x509/signature.ts";

/** How many tokens are remembered: of 2 to 8 KiB in base64, so some sixteen megabytes at most. */
const DEFAULT_CAPACITY = 2_048;

/**
 * How many tokens of one examination may turn out to lead to no anchor before no signature of another is looked at:
 * `falseTokens` name an authority of the reader's and are not by it, which honest evidence has none of; `strangeTokens`
 * name others, and nothing more is learned of them. One costs up to thirteen signatures, of up to 4 ms each: its own, six on
 * the way to an anchor, and six more to tell whether any way leads to one.
 */
export interface Limits {
  readonly falseTokens: number;
  readonly strangeTokens: number;
}

/** For a bundle. */
export const BUNDLE_LIMITS: Limits = { falseTokens: 32, strangeTokens: 128 };
/**
 * For a receipt: its own token, that of the seal it was recorded after, and those of two authorities over the seal that
 * renews it.
 */
export const RECEIPT_LIMITS: Limits = { falseTokens: 2, strangeTokens: 4 };

/** DER certificates of the authorities that a reader trusts, or a verifier that has them and remembers its work. */
export type TrustAnchors = readonly Uint8Array[] | TimestampVerifier;

type TokenBudget = { -readonly [kind in keyof Limits]: number };
type TokenJudgement = VerifiedTimestamp | OpenTimestamp;

/** Lives as long as its owner lets it: what is remembered was judged against these anchors and no others. */
export class TimestampVerifier {
  readonly #trustAnchors: readonly Uint8Array[];
  readonly #capacity: number;
  /** This map and the two below have tokens as keys. */
  #sound: BoundedMap<string, Promise<TokenJudgement>>;
  /** Apart from the others: whoever sends bad tokens must not push good ones out. */
  readonly #refused: BoundedMap<string, Promise<TokenJudgement>>;
  readonly #underWay = new Map<string, Promise<TokenJudgement>>();
  #anchors: readonly Certificate[] | undefined;
  #isSignatureValid: SignatureCheck;
  #budget: TokenBudget | null = null;
  /** The token that is judged last: under a budget one waits for the other, to know what is left. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(trustAnchors: readonly Uint8Array[], capacity: number = DEFAULT_CAPACITY) {
    this.#trustAnchors = trustAnchors;
    this.#capacity = capacity;
    this.#sound = new BoundedMap(capacity);
    this.#refused = new BoundedMap(capacity);
    this.#isSignatureValid = rememberSignatures(capacity);
  }

  static of(anchors: TrustAnchors): TimestampVerifier {
    return anchors instanceof TimestampVerifier ? anchors : new TimestampVerifier(anchors);
  }

  /** One for a single examination, which shares what this one has found sound, and has limited patience with the rest. */
  forExamination(limits: Limits): TimestampVerifier {
    if (this.#budget !== null) return this;
    const limited = new TimestampVerifier(this.#trustAnchors, this.#capacity);
    limited.#sound = this.#sound;
    limited.#isSignatureValid = this.#isSignatureValid;
    limited.#budget = { ...limits };
    return limited;
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
    return requireJudged(await this.judge(token, root));
  }

  /** As `judgeToken`. A token is read and judged once by its bytes, whatever roots it is asked for. */
  async judge(token: string, root: string): Promise<TokenJudgement> {
    const judgement = await (this.#remembered(token) ?? this.#judgeAnew(token));
    requireImprint(judgement.messageImprint, root);
    return judgement;
  }

  #remembered(token: string): Promise<TokenJudgement> | undefined {
    return this.#sound.get(token) ?? this.#refused.get(token) ?? this.#underWay.get(token);
  }

  async #judgeAnew(token: string): Promise<TokenJudgement> {
    const judging = this.#budget === null ? this.#judgeOnce(token) : this.#judgeNext(token, this.#budget);
    this.#underWay.set(token, judging);
    try {
      const judgement = await judging;
      (judgement.trustAnchor === null ? this.#refused : this.#sound).set(token, judging);
      return judgement;
    } catch (error) {
      this.#refused.set(token, judging);
      throw error;
    } finally {
      this.#underWay.delete(token);
    }
  }

  #judgeNext(token: string, budget: TokenBudget): Promise<TokenJudgement> {
    const judging = this.#last.then(async () => {
      let kind: "falseTokens" | "strangeTokens" | null = null;
      const judgement = await this.#judgeOnce(token, (namesLead) => {
        kind = namesLead ? "falseTokens" : "strangeTokens";
        return budget[kind]-- > 0;
      });
      if (kind !== null && judgement.trustAnchor !== null) budget[kind]++;
      return judgement;
    });
    this.#last = judging.catch(() => null);
    return judging;
  }

  /** Against the root that the token itself names: which root it was asked for is compared afterwards. */
  async #judgeOnce(token: string, patience?: Patience): Promise<TokenJudgement> {
    this.#anchors ??= this.#trustAnchors.map(parseCertificate);
    const parsed = parseTimestampToken(parseBase64(token));
    const options = { isSignatureValid: this.#isSignatureValid, ...(patience && { patience }) };
    return judgeToken(parsed, parsed.tstInfo.hashedMessage, this.#anchors, options);
  }
}
