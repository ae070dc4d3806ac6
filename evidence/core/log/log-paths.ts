// The paths of a log's signatures below its prefix, as `tilePath` gives those of its tiles.

/** The newest checkpoint. */
export const NEWEST_CHECKPOINT = "checkpoint";

/** The checkpoint of the tree under the seal with this index, as it was first published. */
export const sealCheckpoint = (index: number): string => `checkpoints/${index}`;

/** The COSE signature over the root of the seal with this index. */
export const sealSignedRoot = (index: number): string => `signed-roots/${index}`;
