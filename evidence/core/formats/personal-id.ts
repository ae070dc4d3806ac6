// Finds an interaction_id that looks like what it should not be: a telephone number, an e-mail or a SIP address. It is a
// guess, for a warning and never for a refusal, and it rather lets one pass than warns of ids that are none: UUIDs,
// hexadecimal and base64 ids, dates, times and counters.

/** Kinds of identifiers of people, as a sentence names them. */
export type PersonalIdKind = "a telephone number" | "an e-mail address" | "a SIP address";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** A user and a host in one of the schemes of SIP (RFC 3261) or in tel: (RFC 3966). */
const SIP = /(?:^|[:;/=._-])sips?:[A-Za-z0-9._+=-]/i;
const TEL = /(?:^|[:;/=._-])tel:\+?\d/i;
/** The host ends in letters: that of a Call-ID (RFC 3261) is often an IP address. */
const MAIL = /(?:^|[:;/=])([A-Za-z0-9._+=-]+)@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?=$|[:;/=])/;
/** Random ids before an @, as Call-IDs are: hexadecimal, with a letter and a digit. */
const HEX_ID = /^(?=.*\d)(?=.*[a-f])[0-9a-f.-]{8,}$/i;

/** E.164: a plus at the beginning of a word, no zero behind it, 8 to 15 digits, single separators between them. */
const INTERNATIONAL = /(?<![0-9A-Za-z+])\+[1-9](?:[-./]?\d){7,14}(?![0-9A-Za-z+=]|[-./]\d)/;
/** The same with the prefix 00 in place of the plus, as a whole word: shorter ones are padded counters. */
const DIALLED = /^00[1-9](?:[-./]?\d){9,14}$/;
/** A trunk prefix with an area code of its own, as 0170-1234567 or 030/123456: 9 to 13 digits in all. */
const GROUPED = /^0[1-9]\d{1,4}[-./]\d{3,}(?:[-./]?\d)*$/;
/** The same without separators: with 10 to 12 digits it is rather a number than a counter with one zero. */
const UNGROUPED = /^0[1-9]\d{8,10}$/;
/** The North American form, as 555-123-4567. */
const NORTH_AMERICAN = /^(?:1[-.])?[2-9]\d{2}[-.]\d{3}[-.]\d{4}$/;

const MIN_GROUPED_DIGITS = 9;
const MAX_GROUPED_DIGITS = 13;
/** Words of an id, and a name in front of one, as in call-0170-1234567. */
const WORD_ENDS = /[:;=@_]/;
const NAME_IN_FRONT = /^[A-Za-z]+[-./]/;

/** Null for an id that looks like none of them. */
export function personalIdKind(interactionId: string): PersonalIdKind | null {
  // A UUID in an id is no number, and part of none.
  const id = interactionId.replaceAll(UUID, "");
  if (SIP.test(id)) return "a SIP address";
  const user = MAIL.exec(id)?.[1];
  if (user !== undefined && !HEX_ID.test(user)) return "an e-mail address";
  const isNumber = TEL.test(id) || INTERNATIONAL.test(id) || id.split(WORD_ENDS).some(isLocalNumber);
  return isNumber ? "a telephone number" : null;
}

function isLocalNumber(part: string): boolean {
  const word = part.replace(NAME_IN_FRONT, "");
  if (DIALLED.test(word) || UNGROUPED.test(word) || NORTH_AMERICAN.test(word)) return true;
  const digits = word.replaceAll(/\D/g, "").length;
  return GROUPED.test(word) && digits >= MIN_GROUPED_DIGITS && digits <= MAX_GROUPED_DIGITS;
}
