// The conversation of four turns that the damaged bundles are made of, and how one of them is made.
import { ANCHORS } from "./damage-base.ts";
import { all, type Edit, type Draft, print, read } from "./edit.ts";

export const CONVERSATION = "bundles/conversation.json";
const LISTS = ["/receipts", "/requests", "/proofs"];
/** Receipts 1 and 2 are not the heads of their chain and 1 stands at an even place; seals 2 and 3 follow what is there. */
export const UNMADE = ["receipts/1/links", "receipts/2/evidence_chain"];

export const context = {
  anchors: ANCHORS,
  published: [0, 1, 2, 3].map((index) => `seals/${index}.json`),
};

export function changed(
  name: string,
  failing: string[],
  reason: string,
  edit: Edit,
  unmade: string[] = UNMADE,
): Draft {
  const value = read(CONVERSATION);
  edit(value);
  const file = `damaged/bundle-${name}.json`;
  const made = { [file]: print(value) };
  const isMade = (check: string) => !failing.includes(check);
  return { file, kind: "bundle", failing, unmade: unmade.filter(isMade), reason, ...context, made };
}

/** In receipts, requests and proofs alike. */
export const everywhere = (edit: (list: string) => Edit): Edit => all(...LISTS.map(edit));
