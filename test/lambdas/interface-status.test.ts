// The status file says of exactly what there is, and promises nothing that the interface does not.
import { expect, test } from "vitest";
import { INTERFACE_STATUS } from "../../contract/interface-status.ts";
import { methodsOf } from "../../contract/routes.ts";
import { buildOpenApi } from "../../lambdas/api/openapi-document.ts";

test("the endpoints of the status file are those of the OpenAPI description, in its order", () => {
  const stated = INTERFACE_STATUS.endpoints.map(({ method, path, access }) => [method, path, access]);
  const described = Object.entries<Record<string, { security: object[] }>>({ ...buildOpenApi().paths });
  const calls = described.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { security }]) => [
      method.toUpperCase(),
      path,
      security.length > 0 ? "key" : "public",
    ]),
  );
  expect(stated).toEqual(calls);
});

test("every endpoint is in controlled testing, and that it works is not confirmed", () => {
  for (const { status, confirmed } of INTERFACE_STATUS.endpoints)
    expect([status, confirmed]).toEqual(["in_controlled_testing", null]);
});

test("a path lists HEAD and OPTIONS only where no key is needed", () => {
  expect(methodsOf("/v1/metachain")).toEqual(["GET", "HEAD", "OPTIONS"]);
  expect(methodsOf("/v1/verify-inclusion")).toEqual(["POST", "OPTIONS"]);
  expect(methodsOf("/v1/attestation")).toEqual(["POST"]);
  expect(methodsOf("/v1/chains")).toEqual(["GET"]);
});

test("the statements on availability are those of the interface document", () => {
  const statements = INTERFACE_STATUS.availability.map(({ subject, status, statement }) => [
    subject,
    status,
    statement,
  ]);
  expect(statements).toEqual([
    [
      "public_api_host",
      "in_development",
      "The public API host is in development and access is by application. Apart from the published Merkle roots, no public API is served on it.",
    ],
    [
      "attestation",
      "in_controlled_testing",
      "The attestation capability is in controlled testing. That any individual endpoint works is confirmed per endpoint, and that confirmation is open.",
    ],
    [
      "production_access",
      "with_a_paid_agreement",
      "Production access is part of an applicable paid agreement. Endpoints are not priced separately.",
    ],
  ]);
});

test("the capabilities and their statuses are those of the interface document", () => {
  expect(INTERFACE_STATUS.capabilities.map(({ title, status }) => [title, status])).toEqual([
    ["Recording the disclosure with wording hash and position in the call", "in_controlled_testing"],
    ["Merkle inclusion path and chain link in the same response", "in_controlled_testing"],
    ["Per-jurisdiction wording", "see_jurisdictions"],
    ["Machine-readable marking of synthetic audio (Art. 50(2))", "planned"],
    ["Public receipt verifier", "not_available"],
  ]);
});
