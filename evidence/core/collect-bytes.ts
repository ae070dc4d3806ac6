// Reading a stream of bytes up to a limit: whoever sends it decides how long it is.

/** All bytes of a stream, or null as soon as there are more than `limit`; the rest is not read then. */
export async function collectBytes(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array | null> {
  const collected: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) return null;
    collected.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let end = 0;
  for (const chunk of collected) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}
