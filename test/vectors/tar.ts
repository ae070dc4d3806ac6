// A tar archive of files in the format ustar (POSIX.1-1988), which holds nothing of the machine that writes it: the same
// files give the same bytes.
const BLOCK = 512;
const MODE = 0o644;

export interface ArchivedFile {
  /** At most 100 bytes in ASCII. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** Every file below the folder `root`, and of one time, in seconds since 1970. */
export function tarOf(files: readonly ArchivedFile[], root: string, time: number): Buffer {
  const parts = files.flatMap(({ path, content }) => [
    headerOf(path, root, content.length, time),
    content,
    Buffer.alloc(-content.length & (BLOCK - 1)),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function headerOf(path: string, root: string, size: number, time: number): Buffer {
  if (path.length > 100) throw new Error(`${path} is too long a path for this archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(path, 0);
  header.write(octal(MODE, 7) + octal(0, 7) + octal(0, 7) + octal(size, 11) + octal(time, 11), 100);
  // The sum over a header takes its own eight bytes as spaces.
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  header.write(root, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
}
