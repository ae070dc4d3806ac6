// The timestamp authorities that a stack asks, and the certificates that it believes them by.
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type * as z from "zod";
import { DisclosureError } from "../core/errors.ts";
import type { authorityVariables, trustAnchorVariables } from "../service/environment.ts";
import type { Assets } from "./assets.ts";
import type { Config } from "./config.ts";

/** The file beside a bundle that holds the anchors; a function's working folder is that of its bundle. */
export const TRUST_ANCHORS_FILE = "trust-anchors.pem";

/** Free and public, run by two unlike companies; neither is a qualified trust service. */
const PUBLIC_AUTHORITIES = [
  { url: "http://timestamp.digicert.com", anchor: "digicert-trusted-root-g4.pem" },
  { url: "http://timestamp.globalsign.com/tsa/r6advanced1", anchor: "globalsign-root-r6.pem" },
];

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export class TimestampTrust {
  readonly #urls: readonly string[];
  /** PEM: the certificates of all authorities together, and nothing else of their files. */
  readonly anchors: string;

  /** Takes the configured authorities, or the public ones. Throws `misconfigured` for a file without certificates. */
  constructor({ timestampAuthorities, trustAnchorFiles }: Config, assets: Assets) {
    this.#urls = timestampAuthorities ?? PUBLIC_AUTHORITIES.map(({ url }) => url);
    const files = trustAnchorFiles ?? PUBLIC_AUTHORITIES.map(({ anchor }) => assets.trustAnchor(anchor));
    this.anchors = files.flatMap(readCertificates).join("");
  }

  /** For functions that check tokens. */
  get anchorEnvironment() {
    return { TSA_CA_FILE: TRUST_ANCHORS_FILE } satisfies z.input<typeof trustAnchorVariables>;
  }

  /** For functions that ask for tokens. */
  get environment() {
    const authorities = { TSA_URLS: this.#urls.join(",") } satisfies z.input<typeof authorityVariables>;
    return { ...authorities, ...this.anchorEnvironment };
  }
}

function readCertificates(file: string): string[] {
  try {
    const certificates = readFileSync(file, "utf8").match(CERTIFICATE) ?? [];
    if (certificates.length === 0) throw new Error("there is none");
    return certificates.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    throw new DisclosureError(
      "misconfigured",
      `trustAnchorFiles: ${file} holds no PEM certificates`,
      {},
      error,
    );
  }
}
