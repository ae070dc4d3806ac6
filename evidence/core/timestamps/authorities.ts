// Timestamp authorities as data: where each is asked, and what makes its tokens believed (docs/timestamps.md).
import * as z from "zod";
import { parseBase64 } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { formatDigest, hashBytes } from "../merkle/hash.ts";
import { parseCertificate } from "./x509/certificate.ts";

const OID = /^[0-2](\.(0|[1-9]\d*))+$/;

const rootSchema = z.object({
  name: z.string(),
  sha256: z.string().describe("`sha256:` fingerprint of the certificate, to be compared by people"),
  source: z.string().describe("Where the certificate was taken from"),
  certificate: z.base64().describe("DER"),
});

const authoritySchema = z.object({
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string(),
  url: z.url({ protocol: /^https?$/ }),
  policies: z.array(z.string().regex(OID)).describe("What its tokens were seen to name"),
  qualified: z.boolean().describe("Whether these are qualified timestamps under Regulation (EU) 910/2014"),
  limits: z.string().nullable().describe("What is known of rates and reliability; null where nothing is"),
  newest_token_checked: z.iso
    .date()
    .describe("genTime of the newest real token that led to one of the roots"),
  roots: z.array(rootSchema).min(1),
});

export type KnownAuthority = z.infer<typeof authoritySchema>;

/** Throws `misconfigured` for what is no list of authorities, or if a certificate is not the one that is named. */
export function parseAuthorities(value: unknown): readonly KnownAuthority[] {
  const result = z.array(authoritySchema).safeParse(value);
  if (!result.success) {
    const paths = result.error.issues.map(({ path }) => path.join("."));
    throw new DisclosureError("misconfigured", "this is no list of timestamp authorities", { paths });
  }
  result.data.flatMap(({ roots }) => roots).forEach(verifyFingerprint);
  return result.data;
}

/** DER certificates of these authorities. Tokens of any of them will be believed: name those you trust. */
export const trustAnchorsOf = (authorities: readonly KnownAuthority[]): Uint8Array[] =>
  authorities.flatMap(({ roots }) => roots).map(({ certificate }) => parseBase64(certificate));

function verifyFingerprint({ name, sha256, certificate }: KnownAuthority["roots"][number]): void {
  const der = parseBase64(certificate);
  parseCertificate(der);
  const actual = formatDigest(hashBytes(der));
  if (actual === sha256) return;
  const evidence = { name, expected: sha256, actual };
  throw new DisclosureError("misconfigured", "a root certificate is not the one that is named", evidence);
}
