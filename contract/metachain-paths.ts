// The paths of the published metachain: keys in the bucket, files of a mirror and, after a slash, paths of URLs.

export const HEAD_PATH = "v1/metachain";
/** In a folder, where one name can't be a file and a folder at once, the head is the index file. */
export const HEAD_FILE = `${HEAD_PATH}/index.json`;
export const ROOTS_FOLDER = `${HEAD_PATH}/roots`;
export const TIMESTAMPS_FOLDER = `${HEAD_PATH}/timestamps`;
/** The entries and the tiles of the tree, in the layout of C2SP tlog-tiles; the log's prefix is the head's path. */
export const TILES_FOLDER = `${HEAD_PATH}/tile`;
/** The newest signed checkpoint of the log (C2SP tlog-checkpoint); it moves with every seal. */
export const CHECKPOINT_PATH = `${HEAD_PATH}/checkpoint`;
/** The signed checkpoint of each seal, with the cosignatures that came in time. */
export const CHECKPOINTS_FOLDER = `${HEAD_PATH}/checkpoints`;
/** The COSE signature over the root of each seal (RFC 9942). */
export const SIGNED_ROOTS_FOLDER = `${HEAD_PATH}/signed-roots`;

/** The seal with this index, from 0. */
export const rootPath = (index: number): string => `${ROOTS_FOLDER}/${index}`;

/** The nth token, from 0, over the root of a seal that was published already. */
export const timestampPath = (index: number, n: number): string => `${TIMESTAMPS_FOLDER}/${index}/${n}`;

/** A file of the log by its path below the log's prefix, as `tile/0/x001/067`. */
export const logFilePath = (path: string): string => `${HEAD_PATH}/${path}`;

/** The signed checkpoint over the tree of the seal with this index. */
export const checkpointPath = (index: number): string => `${CHECKPOINTS_FOLDER}/${index}`;

/** The COSE signature over the root of the seal with this index. */
export const signedRootPath = (index: number): string => `${SIGNED_ROOTS_FOLDER}/${index}`;

/** The URLs' paths, as routes and the head itself spell them. */
export const HEAD_ROUTE = `/${HEAD_PATH}` as const;
export const ROOT_ROUTE = `/${ROOTS_FOLDER}/{index}` as const;
export const TIMESTAMP_ROUTE = `/${TIMESTAMPS_FOLDER}/{index}/{n}` as const;
export const CHECKPOINT_ROUTE = `/${CHECKPOINT_PATH}` as const;
export const SEAL_CHECKPOINT_ROUTE = `/${CHECKPOINTS_FOLDER}/{index}` as const;
