// `npm run vectors`: makes the derived vectors anew, and writes down their digests, which say what the generators make.
import { writeFileSync } from "node:fs";
import {
  DIGESTS,
  deriveVectors,
  differencesOf,
  digestsOf,
  formatDigests,
  readDigests,
  writeVectors,
} from "../support/derived-vectors.ts";

const vectors = await deriveVectors();
const digests = digestsOf(vectors);
const changed = differencesOf(digests, readDigests());
writeVectors(vectors);
writeFileSync(DIGESTS, formatDigests(digests));
for (const file of changed) console.log(file);
console.log(`${digests.size} vectors; new, changed or gone: ${changed.length}`);
