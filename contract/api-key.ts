// API keys as text, dr_live_<key id>_<secret>, and how a request carries one. API Gateway refuses any other header by
// itself: the authorizer runs for what could be a key, and for nothing else.

const KEY_ID = "[0-9a-f]{20}";
const SECRET = "[0-9a-f]{64}";

export const KEY_ID_PATTERN = new RegExp(`^${KEY_ID}$`);
export const API_KEY_PATTERN = new RegExp(`^dr_live_(${KEY_ID})_(${SECRET})$`);

/**
 * The header Authorization: the scheme in any case, and one space or more (RFC 9110 section 11.4). API Gateway reads the
 * expression as Java does and our code as JavaScript does, so it has nothing that the two read differently.
 */
export const AUTHORIZATION_PATTERN = new RegExp(`^[Bb][Ee][Aa][Rr][Ee][Rr] +(dr_live_${KEY_ID}_${SECRET})$`);
