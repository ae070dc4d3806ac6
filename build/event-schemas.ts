// `npm run events`: writes docs/events.schema.json. A test fails while that file is not what the schemas say.
import { writeFileSync } from "node:fs";
import { buildEventSchemas } from "../evidence/core/formats/event-schemas.ts";

const file = new URL("../docs/events.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(buildEventSchemas(), null, 2)}\n`);
console.log("docs/events.schema.json is current");
