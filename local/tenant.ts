// The one tenant of the local stack, and its API key, which stays the same for as long as the data folder does.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { isDisclosureError } from "../core/errors.ts";
import { SCOPES, type Tenants } from "../service/tenants.ts";
import { secretFile } from "./secret-file.ts";

const TENANT_ID = "local";

/** The tenant's API key: the one in `file`, or a new one where that is missing or no longer good. */
export async function ensureTenant(tenants: Tenants, file: string): Promise<string> {
  await tenants.createTenant({ tenantId: TENANT_ID, plan: "local", chains: 1 }).catch((error: unknown) => {
    if (!isDisclosureError(error, "invalid_request")) throw error;
  });
  const known = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (await isGood(tenants, known)) return known;
  rmSync(file, { force: true });
  // A crash between these two lines leaves a key that nobody knows, which opens nothing for anyone.
  const apiKey = await tenants.createApiKey({ tenantId: TENANT_ID, scopes: SCOPES, expiresAt: null });
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
