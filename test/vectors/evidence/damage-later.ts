// Tokens that came later: renewals that a receipt carries, and later tokens in a bundle, good and damaged.
import { changed, contextOf, HEAD } from "./damage-base.ts";
import { changed as changedBundle, UNMADE } from "./damage-bundle-base.ts";
import { all, at, change, type Edit, type Draft, type Json, otherHex, read, remove, set } from "./edit.ts";

const HOUR_MS = 60 * 60 * 1000;
const PENDING: Json = { status: "pending", timestamp_token: null, tsa_url: null, covers: "merkle_root" };
/** Read anew each time, for edits change what they are given. */
const sealOf = (index: number): Json => read(`seals/${index}.json`);
const partOf = (index: number, name: string): Json => at(sealOf(index), `/${name}`);
const tokenOf = (index: number): Json => partOf(index, "tsa_timestamp");

export const laterEntries = (): Draft[] => [
  ...goodRenewals(),
  ...idleRenewals(),
  ...falseRenewals(),
  ...laterTokens(),
];

/** From seal 2, where the receipt is, to seal 3. */
const renewal = (): Json => ({
  renews: 2,
  between: [],
  consistency_path: partOf(3, "consistency_path"),
  seal: sealOf(3),
});

const pending = set("/tsa_timestamp", PENDING);
const carrying = (...edits: Edit[]): Edit => all(set("/renewal", renewal()), ...edits);

function goodRenewals(): Draft[] {
  const stepOver2 = {
    merkle_root: partOf(2, "merkle_root"),
    tree_size: partOf(2, "tree_size"),
    consistency_path: partOf(2, "consistency_path"),
  };
  const overTwo = carrying(pending, set("/renewal/renews", 1), set("/renewal/between", [stepOver2]));
  const ofOneSeal = carrying(
    pending,
    set("/renewal/seal", sealOf(2)),
    set("/renewal/consistency_path", []),
  );
  return [
    changed("renewal-of-pending", [], "no token of its own, and that of the next seal", carrying(pending)),
    changed("renewal-over-two-seals", [], "no token of its own, and that of the seal after the next", overTwo, {
      base: "reminder",
      ...contextOf("reminder", 1),
      unmade: ["links"],
    }),
    changed("renewal-by-its-own-seal", [], "its own seal with a token, over an empty path", ofOneSeal),
    changed(
      "renewal-by-a-second-token",
      [],
      "a later seal whose second token holds",
      carrying(
        pending,
        set("/renewal/seal/tsa_timestamp", PENDING),
        set("/renewal/seal/additional_timestamps", [tokenOf(3)]),
      ),
    ),
    changed(
      "renewal-without-between",
      [],
      "a direct path, and no list of seals between",
      carrying(pending, remove("/renewal/between")),
    ),
  ];
}

/** Those that are not looked at, those that say nothing, and what nothing proves. */
function idleRenewals(): Draft[] {
  const unproved = { unmade: [HEAD, "timestamp"] };
  return [
    changed(
      "renewal-not-needed",
      [],
      "its own token holds, so nobody looks at a false renewal",
      carrying(otherHex("/renewal/consistency_path/0")),
    ),
    changed(
      "stated-renewal-size",
      [],
      "another size of the later tree, which takes the same turns: nothing proves the newest size",
      carrying(pending, set("/renewal/seal/tree_size", 8)),
    ),
    changed(
      "renewal-of-another-seal",
      [],
      "no token of its own, and the renewal of another seal",
      carrying(pending, set("/renewal/renews", 1)),
      unproved,
    ),
    changed(
      "renewal-without-token",
      [],
      "no token of its own, and a later seal that has none either",
      carrying(pending, set("/renewal/seal/tsa_timestamp", PENDING)),
      unproved,
    ),
  ];
}

function falseRenewals(): Draft[] {
  const refused = (name: string, reason: string, ...edits: Edit[]): Draft =>
    changed(`renewal-${name}`, ["timestamp"], reason, carrying(pending, ...edits));
  const anHourLater = change<string>("/renewal/seal/sealed_at", (time) =>
    new Date(Date.parse(time) + HOUR_MS).toISOString(),
  );
  return [
    refused("path", "a node of the path was changed", otherHex("/renewal/consistency_path/1")),
    refused("path-cut", "the last node of the path is missing", remove("/renewal/consistency_path/2")),
    refused("size", "the later tree is said to be larger", set("/renewal/seal/tree_size", 64)),
    refused(
      "token-of-another-root",
      "the later seal has the token of another",
      set("/renewal/seal/tsa_timestamp", tokenOf(1)),
    ),
    refused("token-older-than-its-seal", "the later seal is younger than its token", anHourLater),
    refused(
      "by-an-earlier-seal",
      "the renewal leads back",
      set("/renewal/seal", sealOf(1)),
    ),
    {
      ...changed("renewal-unreadable", [], "a path that is none", carrying(set("/renewal/consistency_path", 7))),
      expected: "unreadable",
      unmade: [],
    },
  ];
}

const later = (...entries: [seal_index: number, token: number][]): Edit =>
  set(
    "/later_timestamps",
    entries.map(([seal_index, token]) => ({ seal_index, tsa_timestamp: tokenOf(token) })),
  );

/** No receipt names seal 3, so it may have been published without a token. */
const TOKENLESS = 3;

function laterTokens(): Draft[] {
  const tokenless = set(`/seals/${TOKENLESS}/tsa_timestamp`, PENDING);
  const unmade = [...UNMADE, `seals/${TOKENLESS}/timestamp`];
  return [
    changedBundle(
      "later-tokens",
      [],
      "a seal without a token, and the one that came later",
      all(tokenless, later([TOKENLESS, TOKENLESS])),
      unmade,
    ),
    changedBundle(
      "later-token-of-another-root",
      [`receipts/${TOKENLESS}/timestamp`, `seals/${TOKENLESS}/additional_timestamps`],
      "the later token of a seal is over another root",
      all(tokenless, later([TOKENLESS, 1])),
      unmade,
    ),
    changedBundle(
      "later-token-behind-a-good-one",
      ["seals/2/additional_timestamps"],
      "a later token over another root, of a seal that has its own",
      later([2, 1]),
    ),
    changedBundle(
      "later-token-of-no-seal",
      [],
      "later tokens of seals that are not in the bundle, and none of those that are",
      all(tokenless, later([7, 0], [8, 3])),
      [...UNMADE, `receipts/${TOKENLESS}/timestamp`, `seals/${TOKENLESS}/timestamp`],
    ),
    {
      ...changedBundle("later-tokens-unreadable", [], "later tokens that are no list", set("/later_timestamps", {}), []),
      expected: "unreadable",
    },
  ];
}
