// `npm run openapi`: writes docs/openapi.json. A test fails while that file is not what the schemas say.
import { writeFileSync } from "node:fs";
import { buildOpenApi } from "../lambdas/api/openapi-document.ts";

const file = new URL("../docs/openapi.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(buildOpenApi(), null, 2)}\n`);
console.log("docs/openapi.json is current");
