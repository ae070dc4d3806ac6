// The lines of a journal: a checksum, and what was put in or taken out.
import { crc32 } from "node:zlib";
import * as z from "zod";

const recordSchema = z.union([
  z.tuple([z.literal("put"), z.int().positive(), z.string()]),
  z.tuple([z.literal("taken"), z.int().positive()]),
]);

export type JournalRecord = z.infer<typeof recordSchema>;

export interface JournalContent {
  /** The entries that were put in and not taken out, by number, in order. */
  readonly entries: Map<number, string>;
  /** The highest number that was given. */
  readonly last: number;
  /** Lines that a bad disk damaged. */
  readonly damaged: string[];
  /** The last line, where a crash cut it off: it was never reported as written. */
  readonly torn: string[];
}

export function formatLine(record: JournalRecord): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

/** Reads whatever can be read; a damaged line hides no other. */
export function parseJournal(text: string): JournalContent {
  const lines = text.split("\n");
  const torn = lines.splice(-1).filter((line) => line !== "");
  const content = { entries: new Map<number, string>(), last: 0, damaged: [] as string[], torn };
  for (const line of lines) {
    const record = parseLine(line);
    if (record === null) {
      content.damaged.push(line);
      continue;
    }
    const [kind, number, entry] = record;
    content.last = Math.max(content.last, number);
    if (kind === "put") content.entries.set(number, entry);
    else content.entries.delete(number);
  }
  return content;
}

function parseLine(line: string): JournalRecord | null {
  const json = line.slice(line.indexOf(" ") + 1);
  if (line !== `${checksum(json)} ${json}`) return null;
  try {
    return recordSchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, "0");
