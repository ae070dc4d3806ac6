// Where the files of a metachain lie, under a URL and in a folder. One name can't be a file and a folder at once, so
// a folder keeps the head, which the service serves at v1/metachain, as the index file of that folder.

export const HEAD_PATH = "v1/metachain";
export const HEAD_FILE = "v1/metachain/index.json";
export const ROOTS_FOLDER = "v1/metachain/roots";

const TIMESTAMPS_FOLDER = "v1/metachain/timestamps";

export const rootPath = (index: number): string => `${ROOTS_FOLDER}/${index}`;

/** The nth token, from 0, that came after root `index` was published. */
export const timestampPath = (index: number, n: number): string => `${TIMESTAMPS_FOLDER}/${index}/${n}`;

/** The largest honest root has a few tokens of some 10 KB each. */
export const MAX_ROOT_BYTES = 1024 * 1024;
