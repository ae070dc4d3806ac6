// The pages' headers, the same from CloudFront and from any other server. Each page holds the rest of its policy itself, by
// the hashes of its script and style (build/web.ts).

/** A page that frames it could lay its own words over the verdict. A page can't forbid that in itself. */
export const FRAMING_POLICY = "frame-ancestors 'none'";
export const REFERRER_POLICY = "no-referrer";
export const OPENER_POLICY = "same-origin";
