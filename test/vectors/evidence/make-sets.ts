// Makes the table of sets of files: what a set comes to is written by hand in sets-*.ts, from docs/receipt-format.md, section
// "Many files".
import { print, type Vectors } from "./edit.ts";
import { madeFiles } from "./set-files.ts";
import { rowOf } from "./set-rows.ts";
import { authoritySets } from "./sets-authorities.ts";
import { brokenSets } from "./sets-broken.ts";
import { chainSets } from "./sets-chains.ts";
import { companionSets } from "./sets-companions.ts";
import { conversationSets } from "./sets-conversations.ts";
import { rootSets } from "./sets-roots.ts";

const SETS = [rootSets, authoritySets, conversationSets, chainSets, companionSets, brokenSets].flat();

export const setVectors = (): Vectors => ({ ...madeFiles(), "sets.json": print(SETS.map(rowOf) as never) });
