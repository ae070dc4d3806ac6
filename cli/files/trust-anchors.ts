// The certificates of timestamp authorities that the reader trusts, from PEM files.

import { parseCertificate } from "../../core/timestamps/x509/certificate.ts";
import { parseCertificatesPem } from "../../core/timestamps/x509/pem.ts";
import { MAX_PEM_BYTES, naming, readText } from "./read-file.ts";

/** DER certificates. Throws `malformed`, naming the file: a bad anchor must not look like a bad token. */
export async function readTrustAnchors(paths: readonly string[]): Promise<Uint8Array[]> {
  const lists: Uint8Array[][] = [];
  for (const path of paths) lists.push(await readAnchorFile(path));
  return lists.flat();
}

const readAnchorFile = (path: string): Promise<Uint8Array[]> =>
  naming(`--tsa-ca ${path}`, async () => {
    const anchors = parseCertificatesPem(await readText(path, MAX_PEM_BYTES));
    anchors.forEach(parseCertificate);
    return anchors;
  });
