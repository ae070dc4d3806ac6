// An authority made by openssl alone: keys, certificates and `openssl ts -reply`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCertificatesPem } from "../../evidence/core/timestamps/x509/pem.ts";
import { makeFolder, openssl } from "./tools.ts";

export type AuthorityKind = {
  /** Arguments of `openssl genpkey`. */
  readonly key: readonly string[];
  /** Further arguments for signing certificates. */
  readonly certificateOptions?: readonly string[];
  readonly hasIntermediate?: boolean;
};

const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const DAYS = "30";
const CA = ["basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign,cRLSign"];
const TSA = ["keyUsage=critical,digitalSignature", "extendedKeyUsage=critical,timeStamping"];

const configFor = (essDigest: string, isOrdered: boolean): string => `[tsa]
default_tsa = config
[config]
serial = serial
default_policy = 2.999.1
other_policies = 2.999.2
digests = sha256
accuracy = secs:1, millisecs:500, microsecs:100
clock_precision_digits = 3
ordering = ${isOrdered ? "yes" : "no"}
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = ${essDigest}
`;

export class OpensslAuthority {
  readonly folder: string = makeFolder();
  readonly #hasIntermediate: boolean;

  constructor({ key, certificateOptions = [], hasIntermediate = false }: AuthorityKind) {
    this.#hasIntermediate = hasIntermediate;
    this.#run("genpkey", ...key, "-out", "root.key");
    const extensions = CA.flatMap((extension) => ["-addext", extension]);
    this.#run(
      "req",
      "-x509",
      "-new",
      "-key",
      "root.key",
      "-days",
      DAYS,
      "-subj",
      "/CN=openssl root",
      ...extensions,
      ...certificateOptions,
      "-out",
      "root.pem",
    );
    if (hasIntermediate) this.#issue("intermediate", "root", key, CA, certificateOptions);
    this.#issue("tsa", hasIntermediate ? "intermediate" : "root", key, TSA, certificateOptions);
    writeFileSync(join(this.folder, "chain.pem"), this.#chain().join(""));
    writeFileSync(join(this.folder, "serial"), "01\n");
  }

  /** DER of the root's certificate. */
  get trustAnchors(): Uint8Array[] {
    return parseCertificatesPem(this.#read("root.pem"));
  }

  /** DER of the TimeStampResp for a TimeStampReq. */
  reply(request: Uint8Array, digest: string, essDigest = "sha256", isOrdered = false): Uint8Array {
    writeFileSync(join(this.folder, "request.tsq"), request);
    writeFileSync(join(this.folder, "ts.cnf"), configFor(essDigest, isOrdered));
    this.#run(
      "ts",
      "-reply",
      "-queryfile",
      "request.tsq",
      "-config",
      "ts.cnf",
      "-signer",
      "tsa.pem",
      "-inkey",
      "tsa.key",
      "-chain",
      "chain.pem",
      `-${digest}`,
      "-out",
      "reply.tsr",
    );
    return new Uint8Array(readFileSync(join(this.folder, "reply.tsr")));
  }

  /** DER of a token over this TSTInfo, signed by `openssl cms`, which knows what `openssl ts` doesn't. */
  signContent(tstInfo: Uint8Array, options: readonly string[]): Uint8Array {
    writeFileSync(join(this.folder, "content.der"), tstInfo);
    const signed = ["-in", "content.der", "-nodetach", "-econtent_type", TST_INFO, "-cades", "-nosmimecap"];
    const signer = ["-signer", "tsa.pem", "-inkey", "tsa.key", ...options];
    this.#run("cms", "-sign", "-binary", ...signed, ...signer, "-outform", "DER", "-out", "token.der");
    return new Uint8Array(readFileSync(join(this.folder, "token.der")));
  }

  #chain(): string[] {
    return (this.#hasIntermediate ? ["intermediate.pem", "root.pem"] : ["root.pem"]).map((file) =>
      this.#read(file),
    );
  }

  #issue(
    name: string,
    issuer: string,
    key: readonly string[],
    extensions: readonly string[],
    options: readonly string[],
  ) {
    this.#run("genpkey", ...key, "-out", `${name}.key`);
    this.#run("req", "-new", "-key", `${name}.key`, "-subj", `/CN=openssl ${name}`, "-out", `${name}.csr`);
    writeFileSync(join(this.folder, "extensions"), extensions.join("\n"));
    this.#run(
      "x509",
      "-req",
      "-in",
      `${name}.csr`,
      "-CA",
      `${issuer}.pem`,
      "-CAkey",
      `${issuer}.key`,
      "-CAcreateserial",
      "-days",
      DAYS,
      "-extfile",
      "extensions",
      ...options,
      "-out",
      `${name}.pem`,
    );
  }

  #run(...words: string[]): void {
    openssl(this.folder, ...words);
  }

  #read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }
}
