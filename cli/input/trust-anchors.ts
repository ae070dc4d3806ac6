// The certificates of timestamp authorities that the reader trusts, from PEM files.
import { DisclosureError, isDisclosureError } from "../../core/errors.ts";
import { parseCertificatesPem } from "../../core/pem.ts";
import { parseCertificate } from "../../core/rfc3161/certificate.ts";
import { MAX_PEM_BYTES, readText } from "./read-file.ts";

/** DER certificates. Throws `malformed`, naming the file: a bad anchor must not look like a bad token. */
export async function readTrustAnchors(paths: readonly string[]): Promise<Uint8Array[]> {
  const lists: Uint8Array[][] = [];
  for (const path of paths) lists.push(await readAnchorFile(path));
  return lists.flat();
}

async function readAnchorFile(path: string): Promise<Uint8Array[]> {
  try {
    const anchors = parseCertificatesPem(await readText(path, MAX_PEM_BYTES));
    anchors.forEach(parseCertificate);
    return anchors;
  } catch (error) {
    if (!isDisclosureError(error)) throw error;
    throw new DisclosureError(error.code, `--tsa-ca ${path}: ${error.message}`, {}, error);
  }
}
