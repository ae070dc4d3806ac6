// A mirror and an audit that are killed wherever they happen to be, again and again, and started again.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { newFolder, readJson, receipts, start } from "./command-line.ts";
import { type LongMetachain, serveLongMetachain } from "./long-metachain.ts";

const SIZE = 150;
const KILLS = 6;
/** An audit saves its state every two seconds. */
const SAVE_MS = 2_100;
const STAGED = /^\.incoming\//;
const HALF_WRITTEN = /\.tmp$/;

const anyUpTo = (most: number): number => Math.floor(Math.random() * (most + 1));

/** What a host of the folder would serve, by path under `v1/metachain`. */
function servedFrom(folder: string): Record<string, string | Buffer> {
  const base = join(folder, "v1/metachain");
  if (!existsSync(base)) return {};
  const files = readdirSync(base, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const named = files.map(({ parentPath, name }) => join(parentPath, name).slice(base.length + 1));
  const whole = named.filter((name) => !STAGED.test(name) && !HALF_WRITTEN.test(name));
  const contentOf = (name: string) =>
    name.startsWith("tile/") ? readFileSync(join(base, name)) : readFileSync(join(base, name), "utf8");
  return Object.fromEntries(whole.map((name) => [name, contentOf(name)]));
}

/** A good mirror of some earlier time: the first roots, whole, and no head before all roots under it. */
function expectGoodMirror(served: Record<string, string | Buffer>, { files }: LongMetachain): void {
  const { "index.json": head, ...rest } = served;
  const isTile = ([name]: readonly [string, unknown]) => name.startsWith("tile/");
  const tiles = Object.entries(rest).filter(isTile);
  const roots = Object.fromEntries(Object.entries(rest).filter((file) => !isTile(file)));
  const count = Object.keys(roots).length;
  for (const [name, content] of tiles) expect(files[name]).toEqual(content);
  if (tiles.length > 0) expect(count).toBe(SIZE);
  const first = Array.from({ length: count }, (_, index) => [`roots/${index}`, files[`roots/${index}`]]);
  expect(roots).toEqual(Object.fromEntries(first));
  if (head !== undefined) expect([head, count]).toEqual([files["index.json"], SIZE]);
}

describe.concurrent("killed wherever it is and started again", () => {
  test("a mirror is good at any moment, and completed in the end", async () => {
    const [metachain, folder] = [await serveLongMetachain(SIZE), newFolder()];
    metachain.before = () => delay(anyUpTo(4));
    for (let kill = 0; kill < KILLS; kill++) {
      metachain.server.asked.length = 0;
      const mirror = start(["mirror", metachain.server.url, folder]);
      const isOver = mirror.ended.then(() => true);
      const moment = anyUpTo(2 * SIZE);
      while (metachain.server.asked.length < moment && !(await Promise.race([isOver, delay(1, false)])));
      await delay(anyUpTo(20));
      mirror.kill();
      await mirror.ended;
      expectGoodMirror(servedFrom(folder), metachain);
    }
    const { status } = await receipts("mirror", metachain.server.url, folder);
    expect([status, servedFrom(folder)]).toEqual([0, metachain.files]);
    expect((await receipts("audit", folder)).status).toBe(0);
  });

  test("an audit counts every root once, and none that it has counted again", async () => {
    const [metachain, state] = [await serveLongMetachain(SIZE), join(newFolder(), "state.json")];
    const { server } = metachain;
    let next = 0;
    for (let kill = 0; kill < 2; kill++) {
      const slow = next + anyUpTo(SIZE / 3);
      metachain.before = (path) => holdBack(path, slow);
      const audit = start(["audit", server.url, "--state", state]);
      // A slow machine may save before it comes to the slow root, too.
      while (nextIn(state) <= slow) await delay(20);
      await delay(anyUpTo(50));
      audit.kill();
      await audit.ended;
      next = nextIn(state);
      expect(next).toBeGreaterThan(slow);
    }
    metachain.before = () => {};
    server.asked.length = 0;
    const { status, stdout } = await receipts("audit", server.url, "--state", state, "--json");
    expect(server.asked.map(rootOf).filter((index) => index !== null && index < next - 1)).toEqual([]);
    const whole = await receipts("audit", server.url, "--json");
    expect([status, JSON.parse(stdout)]).toEqual([0, JSON.parse(whole.stdout)]);
  });
});

const nextIn = (state: string): number => (existsSync(state) ? readJson<{ next: number }>(state).next : 0);

function rootOf(path: string): number | null {
  const [, index] = /roots\/(\d+)$/.exec(path) ?? [];
  return index === undefined ? null : Number(index);
}

/** One root is slow, so that the audit saves what it has behind it; some further on, none comes any more. */
function holdBack(path: string, slow: number): Promise<void> | void {
  const index = rootOf(path) ?? -1;
  if (index === slow) return delay(SAVE_MS);
  if (index > slow + 2) return new Promise(() => {});
}
