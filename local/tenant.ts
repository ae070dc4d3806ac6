// The one tenant of the local stack, and its API key, which stays the same for as long as the data folder does.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { isDisclosureError } from "../core/errors.ts";
import type { Table } from "../service/table/table.ts";
import { ApiKeys } from "../service/tenants/api-keys.ts";
import { TenantRegistry } from "../service/tenants/tenant-registry.ts";
import { SCOPES, Tenants } from "../service/tenants/tenants.ts";
import { secretFile } from "./secret-file.ts";

const TENANT = { tenantId: "local", plan: "local", chains: 1 };
const KEY = { tenantId: TENANT.tenantId, scopes: SCOPES, expiresAt: null };

/** The tenant's API key: the one in `file`, or a new one where that is missing or no longer good. */
export async function ensureTenant(table: Table, clock: () => Date, file: string): Promise<string> {
  // The operator may have changed its plan since.
  await new TenantRegistry(table, clock).create(TENANT).catch((error: unknown) => {
    if (!isDisclosureError(error, "invalid_request")) throw error;
  });
  const known = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (await isGood(new Tenants(table, clock), known)) return known;
  rmSync(file, { force: true });
  // A crash between these two lines leaves a key that nobody knows, which opens nothing for anyone.
  const { apiKey } = await new ApiKeys(table, clock).create(KEY);
  return secretFile(file, () => apiKey);
}

async function isGood(tenants: Tenants, apiKey: string): Promise<boolean> {
  try {
    await tenants.authenticate(apiKey);
    return true;
  } catch (error) {
    if (isDisclosureError(error, "unauthorized") || isDisclosureError(error, "forbidden")) return false;
    throw error;
  }
}
