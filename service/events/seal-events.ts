// The event of a published seal: facts that anybody can read in the public log, too.
import type { EventDetail } from "../../evidence/core/formats/events.ts";
import type { Seal } from "../../evidence/core/formats/metachain.ts";

export const describeSealPublished = (seal: Seal): EventDetail<"SealPublished"> => ({
  seal_index: seal.index,
  merkle_root: seal.merkle_root,
  tree_size: seal.tree_size,
  receipt_count: seal.receipt_count,
  sealed_at: seal.sealed_at,
  tokens: [seal.tsa_timestamp, ...seal.additional_timestamps].filter(({ status }) => status === "included")
    .length,
});
