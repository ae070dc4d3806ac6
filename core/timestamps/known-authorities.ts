// The public timestamp authorities that come with the project. Their data is checked at the first import.
import { type Authority, parseAuthorities } from "./authorities.ts";
import authorities from "./known-authorities.json" with { type: "json" };

export const knownAuthorities: readonly Authority[] = parseAuthorities(authorities);
