// The one tenant of the local stack, and its API key, which lasts as long as the data folder.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { isDisclosureError } from "../../evidence/core/errors.ts";
import type { Table } from "../../service/table/table.ts";
import { ApiKeys } from "../../service/tenants/api-keys.ts";
import { TenantRegistry } from "../../service/tenants/tenant-registry.ts";
import { SCOPES, Tenants } from "../../service/tenants/tenants.ts";
import { OWN_PLAN } from "./plans.ts";
import { secretFile } from "./secret-file.ts";

const TENANT = { tenantId: "local", plan: OWN_PLAN, chains: 1 };
const KEY = { tenantId: TENANT.tenantId, scopes: SCOPES, expiresAt: null };

/** The tenant's API key: the one in `file`, or a new one if that is missing or no longer valid. */
export async function ensureTenant(table: Table, clock: () => Date, file: string): Promise<string> {
  // `invalid_request`: the tenant exists, and the operator has changed its plan.
  await new TenantRegistry(table, clock).create(TENANT).catch((error: unknown) => {
    if (!isDisclosureError(error, "invalid_request")) throw error;
  });
  const known = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (await isValid(new Tenants(table, clock), known)) return known;
  rmSync(file, { force: true });
  // A crash between these two lines leaves a key that nobody knows and nobody can use.
  const { apiKey } = await new ApiKeys(table, clock).create(KEY);
  return secretFile(file, () => apiKey);
}

async function isValid(tenants: Tenants, apiKey: string): Promise<boolean> {
  try {
    await tenants.authenticate(apiKey);
    return true;
  } catch (error) {
    if (isDisclosureError(error, "unauthorized") || isDisclosureError(error, "forbidden")) return false;
    throw error;
  }
}
