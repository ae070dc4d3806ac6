import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { describe, expect, test } from "vitest";
import data from "../../../../contract/known-authorities.json" with { type: "json" };
import { parseAuthorities, trustAnchorsOf } from "../../../../evidence/core/timestamps/authorities.ts";
import { knownAuthorities } from "../../../../evidence/core/timestamps/known-authorities.ts";
import { parseCertificate } from "../../../../evidence/core/timestamps/x509/certificate.ts";
import { basicConstraintsOf } from "../../../../evidence/core/timestamps/x509/certificate-extensions.ts";

const roots = knownAuthorities.flatMap((authority) =>
  authority.roots.map((root) => ({ ...root, authority })),
);
const x509Of = ({ certificate }: { certificate: string }) =>
  new X509Certificate(Buffer.from(certificate, "base64"));

describe("the known authorities", () => {
  test("are several, each with a name, an address and a root of its own", () => {
    expect(knownAuthorities.length).toBeGreaterThanOrEqual(4);
    expect(new Set(knownAuthorities.map(({ id }) => id)).size).toBe(knownAuthorities.length);
    expect(new Set(knownAuthorities.map(({ url }) => new URL(url).host)).size).toBe(knownAuthorities.length);
    // Two names for one root would let one authority count twice.
    expect(new Set(roots.map(({ sha256 }) => sha256)).size).toBe(roots.length);
  });

  test("are none of them called qualified", () => {
    expect(knownAuthorities.filter(({ qualified }) => qualified)).toEqual([]);
  });

  test.for(roots.map((root) => [root.authority.name, root.name, root] as const))(
    "%s: %s is the certificate that its fingerprint says, of a CA, signed by itself",
    ([, , root]) => {
      const certificate = x509Of(root);
      expect(`sha256:${certificate.fingerprint256.replaceAll(":", "").toLowerCase()}`).toBe(root.sha256);
      expect(certificate.verify(certificate.publicKey)).toBe(true);
      expect(basicConstraintsOf(parseCertificate(new Uint8Array(certificate.raw))).isCa).toBe(true);
    },
  );

  // This fails on the day that a root runs out: then its entry needs a successor, or must go.
  test.for(roots.map((root) => [root.authority.name, root] as const))(
    "%s: the root has not run out",
    ([, root]) => {
      expect(Date.parse(x509Of(root).validTo)).toBeGreaterThan(Date.now());
    },
  );

  test("take their roots from where they say", () => {
    const mozilla = new Set(rootCertificates.map((pem) => new X509Certificate(pem).raw.toString("base64")));
    const claimed = roots.filter(({ source }) => source.startsWith("Mozilla"));
    expect(claimed.length).toBeGreaterThan(3);
    expect(claimed.filter(({ certificate }) => !mozilla.has(certificate))).toEqual([]);
  });
});

describe("parseAuthorities", () => {
  const [first] = data;
  const changed = (change: object) => [{ ...first, ...change }];

  test("gives the roots as trust anchors", () => {
    expect(trustAnchorsOf(parseAuthorities(changed({})))).toHaveLength(1);
  });

  test.for([
    ["no address", { url: "timestamp.example" }],
    ["another protocol", { url: "ftp://timestamp.example" }],
    ["a policy that is no object identifier", { policies: ["1.2.x"] }],
    ["no root", { roots: [] }],
    [
      "another certificate than the fingerprint's",
      { roots: [{ ...data[1]?.roots[0], sha256: first?.roots[0]?.sha256 }] },
    ],
  ] as const)("refuses %s", ([, change]) => {
    expect(() => parseAuthorities(changed(change))).toThrow(
      expect.objectContaining({ code: "misconfigured" }),
    );
  });
});
