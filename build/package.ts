// `npm run package`: everything that the published package holds, into dist/. `npm pack` runs it first.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { packageCode } from "./package-code.ts";
import { gatherLicenses } from "./package-licenses.ts";
import { packageTypes } from "./package-types.ts";
import { buildPages } from "./web.ts";

const dist = join(import.meta.dirname, "..", "dist");

for (const stale of ["lib", "client", "adapters", "verify", "policy", "cli"])
  rmSync(join(dist, stale), { recursive: true, force: true });
const pages = await buildPages();
const metafiles = [...pages, ...(await bundle(dist)), ...(await packageCode(dist))];
packageTypes(dist);
writeFileSync(join(dist, "THIRD-PARTY-LICENSES"), gatherLicenses(metafiles));
