// A minimal DER writer, so that the forged vectors share no code with what reads them.

export type Bytes = Uint8Array;

const join = (parts: readonly Bytes[]): Bytes => Buffer.concat(parts);

const lengthOf = (size: number): number[] => {
  if (size < 0x80) return [size];
  return size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
};

export const tlv = (tag: number, ...parts: Bytes[]): Bytes => {
  const content = join(parts);
  return join([Uint8Array.of(tag, ...lengthOf(content.length)), content]);
};

export const sequence = (...parts: Bytes[]): Bytes => tlv(0x30, ...parts);
export const set = (...parts: Bytes[]): Bytes => tlv(0x31, ...parts.toSorted(Buffer.compare));
export const octets = (content: Bytes): Bytes => tlv(0x04, content);
export const bits = (content: Bytes, unused = 0): Bytes => tlv(0x03, Uint8Array.of(unused), content);
export const boolean = (value: boolean): Bytes => tlv(0x01, Uint8Array.of(value ? 0xff : 0));
export const text = (tag: number, value: string): Bytes => tlv(tag, Buffer.from(value, "utf8"));
export const nothing = tlv(0x05);
/** [number] of a constructed value. */
export const context = (number: number, ...parts: Bytes[]): Bytes => tlv(0xa0 | number, ...parts);

/** An INTEGER of these digits, which are taken as unsigned. */
export const integer = (value: number | Bytes): Bytes => {
  const digits = typeof value === "number" ? Uint8Array.of(value) : value;
  return (digits[0] ?? 0) < 0x80 ? tlv(0x02, digits) : tlv(0x02, Uint8Array.of(0), digits);
};

export const oid = (dotted: string): Bytes => {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tlv(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
};

const base128 = (arc: number): number[] => {
  const digits = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
    digits.unshift((left % 128) | 0x80);
  }
  return digits;
};

/** The tag of a value exchanged for another: IMPLICIT tagging. */
export const retag = (tag: number, value: Bytes): Bytes => join([Uint8Array.of(tag), value.subarray(1)]);

/** The members of a constructed value made here, each in DER. */
export function membersOf(value: Bytes): Bytes[] {
  const members: Bytes[] = [];
  for (let rest = value.subarray(contentAt(value)); rest.length > 0; ) {
    const end = contentAt(rest) + contentLength(rest);
    members.push(rest.subarray(0, end));
    rest = rest.subarray(end);
  }
  return members;
}

const contentAt = ([, length = 0]: Bytes): number => (length < 0x80 ? 2 : 2 + length - 0x80);
const contentLength = (value: Bytes): number =>
  contentAt(value) === 2 ? (value[1] ?? 0) : value.subarray(2, contentAt(value)).reduce((total, digit) => total * 256 + digit, 0);
