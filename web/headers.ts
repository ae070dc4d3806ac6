// The headers of the verifier page beside its policy, which build/web.ts computes: the same from CloudFront and elsewhere.

/** What a page can't say in itself: a page that frames it could lay its own words over the verdict. */
export const FRAMING_POLICY = "frame-ancestors 'none'";
export const REFERRER_POLICY = "no-referrer";
export const OPENER_POLICY = "same-origin";
