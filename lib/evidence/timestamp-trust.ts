// The timestamp authorities that a stack asks, and the certificates that their tokens must lead to.
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type * as z from "zod";
import type {
  authorityVariables,
  sealVariables,
  trustAnchorVariables,
} from "../../contract/environment-variables.ts";
import knownAuthorities from "../../contract/known-authorities.json" with { type: "json" };
import type { Assets } from "../parts/assets.ts";
import type { Config } from "../settings/config.ts";
import { Misconfigured } from "../settings/misconfigured.ts";

/** The file of the anchors, next to a function's bundle, which is its working folder. */
const TRUST_ANCHORS_FILE = "trust-anchors.pem";

/** Free and public, run by two independent companies that document no limit; neither is a qualified trust service. */
const DEFAULT_AUTHORITIES = [
  { id: "digicert", anchor: "digicert-trusted-root-g4.pem" },
  { id: "globalsign", anchor: "globalsign-root-r6.pem" },
];

/** The tokens of a seal where two authorities are known to be independent. */
const INDEPENDENT_TOKENS = 2;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export class TimestampTrust {
  readonly #urls: readonly string[];
  /** PEM: the certificates of all files, without anything else that the files hold. */
  readonly anchors: string;
  readonly #sealTimestamps: number;

  /**
   * Takes the configured authorities, or the default ones. Throws `misconfigured` for a file without certificates, and
   * where seals want more tokens than there are authorities or anchors.
   */
  constructor({ timestampAuthorities, trustAnchorFiles, sealTimestamps }: Config, assets: Assets) {
    this.#urls = timestampAuthorities ?? DEFAULT_AUTHORITIES.flatMap(({ id }) => urlsOf(id));
    const files = trustAnchorFiles ?? DEFAULT_AUTHORITIES.map(({ anchor }) => assets.trustAnchor(anchor));
    const certificates = new Set(files.flatMap(readCertificates));
    this.anchors = [...certificates].join("");
    this.#sealTimestamps = sealTimestamps ?? defaultSealTimestamps(this.#urls, certificates.size);
    requirePossible(this.#sealTimestamps, new Set(this.#urls).size, certificates.size);
  }

  /** The files that lie next to the bundles of these functions. */
  get files(): Readonly<Record<string, string>> {
    return { [TRUST_ANCHORS_FILE]: this.anchors };
  }

  /** For functions that check tokens. */
  get anchorEnvironment() {
    return { TSA_CA_FILE: TRUST_ANCHORS_FILE } satisfies z.input<typeof trustAnchorVariables>;
  }

  /** For the function that seals. */
  get sealEnvironment() {
    const wanted = { SEAL_TIMESTAMPS: String(this.#sealTimestamps) } satisfies z.input<typeof sealVariables>;
    return { ...wanted, ...this.environment };
  }

  /** For functions that ask for tokens. */
  get environment() {
    const authorities = { TSA_URLS: this.#urls.join(",") } satisfies z.input<typeof authorityVariables>;
    return { ...authorities, ...this.anchorEnvironment };
  }
}

const urlsOf = (known: string): string[] =>
  knownAuthorities.filter(({ id }) => id === known).map(({ url }) => url);

/** Known authorities are independent of each other. Two unknown ones may be one company's, so one token is expected. */
function defaultSealTimestamps(urls: readonly string[], anchors: number): number {
  const known = knownAuthorities.filter(({ url }) => urls.includes(url));
  return known.length >= INDEPENDENT_TOKENS && anchors >= INDEPENDENT_TOKENS ? INDEPENDENT_TOKENS : 1;
}

/** Each token of a seal leads to a different anchor: with fewer anchors, no seal would ever be complete. */
function requirePossible(tokens: number, authorities: number, anchors: number): void {
  if (tokens <= authorities && tokens <= anchors) return;
  const found = `there are ${authorities} timestampAuthorities and ${anchors} certificates in trustAnchorFiles`;
  throw new Misconfigured(
    `sealTimestamps: ${tokens} need as many authorities, each with a trust anchor of its own; ${found}`,
  );
}

function readCertificates(file: string): string[] {
  if (!existsSync(file)) throw new Misconfigured(`trustAnchorFiles: there is no file ${file}`);
  try {
    const certificates = readFileSync(file, "utf8").match(CERTIFICATE) ?? [];
    if (certificates.length === 0) throw new Error("no certificate");
    return certificates.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    throw new Misconfigured(`trustAnchorFiles: ${file} holds no PEM certificates`, error);
  }
}
