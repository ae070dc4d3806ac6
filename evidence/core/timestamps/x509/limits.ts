// The limits of a token that can be judged (docs/receipt-format.md, "Timestamps"). The vectors `limit-*` are made from this
// table, at each limit and one beyond it.
export const LIMITS = {
  /** Real tokens nest some fifteen deep; without a limit, nesting would exhaust the stack. */
  depth: 32,
  /** Real tokens have some hundred values a certificate, so under a thousand; 64 KiB could hold half of 64 Ki. */
  values: 8_192,
  /** The longest identifier read here has eleven octets; arithmetic on one of 64 KiB would take half a second. */
  identifierOctets: 64,
  tagNumber: 30,
  /** Real tokens hold two to four. */
  certificates: 16,
  /** Shorter ones prove nothing any more. */
  minRsaBits: 2_048,
  /** Real roots have 4,096 at most, and the time of a signature grows with the square. */
  rsaBits: 8_192,
  /** Real ones have seventeen, and not every WebCrypto takes more than 32. */
  exponentBits: 32,
  /** Real chains take two to four; a token could hold sixteen certificates of one name, each with a chain of its own. */
  signatureChecks: 6,
} as const;
