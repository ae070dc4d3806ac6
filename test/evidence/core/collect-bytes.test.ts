// Streams read up to a limit.
import fc from "fast-check";
import { expect, test } from "vitest";
import { collectBytes } from "../../../evidence/core/collect-bytes.ts";

async function* streamOf(
  chunks: readonly Uint8Array[],
  read: { chunks: number },
): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    read.chunks++;
    yield chunk;
  }
}

test("a stream of up to the limit is collected whole, and a longer one is given up", async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 8 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.nat(40), async (parts, limit) => {
      const whole = Uint8Array.from(parts.flatMap((part) => [...part]));
      const collected = await collectBytes(streamOf(parts, { chunks: 0 }), limit);
      expect(collected).toEqual(whole.length <= limit ? whole : null);
    }),
  );
});

test("no chunk is read after the one that exceeds the limit", async () => {
  const read = { chunks: 0 };
  expect(
    await collectBytes(
      streamOf(
        [1, 2, 3, 4].map((n) => new Uint8Array(n)),
        read,
      ),
      2,
    ),
  ).toBeNull();
  expect(read.chunks).toBe(2);
});
