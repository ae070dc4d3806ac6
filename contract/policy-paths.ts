// The paths of the published wording policy: keys in the bucket, files of a mirror and, after a slash, paths of URLs.

export const POLICY_PATH = "v1/policy";
/** In a folder, where one name can't be a file and a folder at once, the index is this file. */
export const POLICY_FILE = `${POLICY_PATH}/index.json`;
/** The layers, each under the hexadecimal digits of its digest; they never change. */
export const LAYERS_FOLDER = `${POLICY_PATH}/layers`;

/** The layers of one jurisdiction, by ISO 3166-1 alpha-2. */
export const jurisdictionPath = (jurisdiction: string): string => `${POLICY_PATH}/${jurisdiction}`;

export const DIGEST_PREFIX = "sha256:";
/** A layer's name: the hexadecimal digits of its digest. */
export const LAYER_NAME = /^[0-9a-f]{64}$/;
/** A colon is no character for a file's name, so a layer's name leaves out `sha256:`. */
export const layerNameOf = (digest: string): string => digest.slice(DIGEST_PREFIX.length);
export const layerDigestOf = (name: string): string => DIGEST_PREFIX + name;
/** The layer with this digest, `sha256:` and hex. */
export const layerPath = (digest: string): string => `${LAYERS_FOLDER}/${layerNameOf(digest)}`;

/** The URLs' paths, as routes and the index spell them. */
export const POLICY_ROUTE = `/${POLICY_PATH}` as const;
export const JURISDICTION_ROUTE = `/${POLICY_PATH}/{jurisdiction}` as const;
export const LAYER_ROUTE = `/${LAYERS_FOLDER}/{digest}` as const;
