// The public timestamp authorities that come with the project. Their data is checked at the first import.

import authorities from "../../../contract/known-authorities.json" with { type: "json" };
import { type KnownAuthority, parseAuthorities } from "./authorities.ts";

export const knownAuthorities: readonly KnownAuthority[] = parseAuthorities(authorities);
