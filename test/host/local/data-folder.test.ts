import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDataFolder } from "../../../host/local/data-folder.ts";
import { secretFile } from "../../../host/local/secret-file.ts";
import { testFolder } from "./folder.ts";

const mode = (path: string) => statSync(path).mode & 0o777;

function open(path: string) {
  const folder = openDataFolder(path);
  onTestFinished(folder.close);
  return folder;
}

test("the folder is made with its parents, for its owner only", () => {
  const path = join(testFolder(), "a", "b");
  const folder = open(path);
  expect(mode(path)).toBe(0o700);
  expect(folder.file("x")).toBe(join(path, "x"));
});

test("a data folder serves one stack at a time", () => {
  const path = testFolder();
  const first = openDataFolder(path);
  const second = () => openDataFolder(path);
  expect(second).toThrowError(
    expect.objectContaining({
      code: "misconfigured",
      message: `data folder ${path} is in use by another stack; stop it or set DATA_DIR`,
    }),
  );
  first.close();
  second().close();
});

test("kill -9 of its stack frees the folder", async () => {
  const path = testFolder();
  const module = new URL("../../../host/local/data-folder.ts", import.meta.url).href;
  const script = `import { openDataFolder } from "${module}";
    openDataFolder(${JSON.stringify(path)}); gc(); console.log("open"); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--expose-gc", "--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  expect(() => openDataFolder(path)).toThrowError(/in use by another stack/);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  openDataFolder(path).close();
});

test("a folder in another format is refused, and not kept locked", () => {
  const path = testFolder();
  openDataFolder(path).close();
  const version = join(path, "version");
  const current = readFileSync(version, "utf8");
  writeFileSync(version, "99\n");
  expect(() => openDataFolder(path)).toThrowError(
    expect.objectContaining({ code: "misconfigured", evidence: expect.objectContaining({ actual: "99" }) }),
  );
  writeFileSync(version, current);
  openDataFolder(path).close();
});

test("a secret is made once, readable by its owner only, and leaves no draft", () => {
  const folder = testFolder();
  const path = join(folder, "secret");
  expect(secretFile(path, () => "first")).toBe("first");
  expect(secretFile(path, () => "second")).toBe("first");
  expect(mode(path)).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["secret"]);
});

test("the draft of a secret that a crash left behind is no secret", () => {
  const path = join(testFolder(), "secret");
  writeFileSync(`${path}.draft`, "a longer half-written one");
  expect(secretFile(path, () => "whole")).toBe("whole");
  expect(readFileSync(path, "utf8")).toBe("whole");
});

test("a folder that can be made nowhere is refused at once", { skip: process.platform !== "linux" }, () => {
  const module = new URL("../../../host/local/data-folder.ts", import.meta.url).href;
  const script = `import { openDataFolder } from "${module}"; openDataFolder("/proc/none/inside");`;
  const args = ["--input-type=module-typescript", "-e", script];
  // In a process of its own: one that tries for ever could not be ended otherwise.
  const { stderr } = spawnSync(process.execPath, args, { timeout: 60_000, encoding: "utf8" });
  expect(stderr).toContain(
    "data folder /proc/none/inside can't be written (ENOENT); set DATA_DIR to another",
  );
});
