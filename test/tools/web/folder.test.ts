// Dropped folders, as far as they need no browser: the limit, and a device that no longer gives them.
import { describe, expect, test } from "vitest";
import { dropped } from "../../../tools/web/folder.ts";
import { MAX_FOLDER_ENTRIES } from "../../../tools/web/given-history.ts";

const PORTION = 100;

/** A folder as a browser gives it: its entries come in portions. */
function folderOf(name: string, children: readonly object[]) {
  const createReader = () => {
    let read = 0;
    return {
      readEntries: (resolve: (entries: readonly object[]) => void) => {
        resolve(children.slice(read, read + PORTION));
        read += PORTION;
      },
    };
  };
  return { name, fullPath: `/${name}`, isDirectory: true, createReader };
}

const fileOf = (path: string, file = new File(["{}"], path)) => ({
  fullPath: path,
  isDirectory: false,
  file: (resolve: (file: File) => void) => resolve(file),
});

const lost = {
  fullPath: "/given/lost.json",
  isDirectory: false,
  file: (_: unknown, reject: (error: Error) => void) => reject(new Error("gone")),
};

const itemOf = (entry: object | null, file: File | null = null) =>
  ({ kind: "file", webkitGetAsEntry: () => entry, getAsFile: () => file }) as unknown as DataTransferItem;

const manyFiles = (count: number) => Array.from({ length: count }, (_, i) => fileOf(`/given/${i}.json`));

describe("a folder that is dropped", () => {
  test("gives every file under it with its path, and leaves the files beside it", async () => {
    const inner = { ...folderOf("chains", [fileOf("/given/chains/0.json")]), fullPath: "/given/chains" };
    const receipt = new File(["{}"], "receipt.json");
    const { files, folder } = dropped([
      itemOf(folderOf("given", [inner, ...manyFiles(PORTION + 1)])),
      itemOf(fileOf("/receipt.json"), receipt),
    ]);
    expect(files).toEqual([receipt]);
    const found = await folder;
    expect([found?.name, found?.problem, found?.files.length]).toEqual(["given", null, PORTION + 2]);
    expect(found?.files.map(({ path }) => path)).toContain("given/chains/0.json");
  });

  test.each([
    ["more than the page takes", manyFiles(MAX_FOLDER_ENTRIES), "folder_too_large"],
    ["a file that the device no longer gives", [lost], "gone"],
  ])("is refused with %s", async (_, children, problem) => {
    const { folder } = dropped([itemOf(folderOf("given", children))]);
    expect(await folder).toEqual({ name: "given", files: [], problem });
  });

  test("is none where only files are dropped, even where the browser knows no folders", async () => {
    const file = new File(["{}"], "receipt.json");
    const item = { kind: "file", getAsFile: () => file } as unknown as DataTransferItem;
    const { files, folder } = dropped([item]);
    expect([files, await folder]).toEqual([[file], null]);
  });
});
