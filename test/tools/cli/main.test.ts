import { describe, expect, onTestFinished, test, vi } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import {
  changedReport,
  cutOff,
  fileWith,
  metachainFolder,
  program,
  REPORT,
  REQUEST,
  receipts,
} from "./command-line.ts";

const COMMANDS = ["verify", "sheet", "inspect", "hash", "convert", "export", "audit", "mirror", "admin"];

describe.concurrent("the command line", () => {
  test.each([["--help"], ["-h"], ["help"]])("lists the commands for %s", async (option) => {
    const { status, stdout, stderr } = await receipts(option);
    expect([status, stderr]).toEqual([0, ""]);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} +\\S`, "m"));
  });

  test.each(COMMANDS)("says how %s is used, and with which exit status it ends", async (command) => {
    const { status, stdout, stderr } = await receipts(command, "--help");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`Usage: disclosure-receipts ${command}`);
    expect(stdout).toMatch(/^Exit status: 0/m);
  });

  test("takes an option with one value once, and one with many values or none again and again", async () => {
    const twice = await receipts("verify", REPORT, "--lang", "en", "--lang", "de");
    expect([twice.status, twice.stdout]).toEqual([2, ""]);
    expect(twice.stderr).toContain("--lang is given twice");
    const many = await receipts(
      "verify",
      REPORT,
      "--json",
      "--json",
      "--request",
      REQUEST,
      "--request",
      REQUEST,
    );
    expect(many.status).toBe(0);
  });

  test.each(["--help", ...COMMANDS])("has a help page for %s that fits 80 columns", async (name) => {
    const { stdout } = await receipts("help", ...(name === "--help" ? [] : [name]));
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(["tenant", "key", "show", "status", "verify"])(
    "has a page of its own for admin %s",
    async (part) => {
      const { status, stdout } = await receipts("admin", part, "--help");
      expect(status).toBe(0);
      expect(stdout).toContain(`Usage: disclosure-receipts admin ${part}`);
      expect(stdout).toMatch(new RegExp(`^Example: disclosure-receipts admin ${part}`, "m"));
      expect(stdout).toMatch(/^Exit status: 0/m);
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expect((await receipts("help", "admin", part)).stdout).toBe(stdout);
    },
  );

  test("says the same for help and the command", async () => {
    expect(await receipts("help", "audit")).toEqual(await receipts("audit", "--help"));
  });

  test.each(["--version", "-V"])("says for %s which version it is", async (option) => {
    expect(await receipts(option)).toEqual({
      status: 0,
      stdout: `disclosure-receipts ${manifest.version}\n`,
      stderr: "",
    });
  });

  test("gives its verdict as the exit status though nobody reads its output", async () => {
    expect(await cutOff("verify", REPORT, "--verbose")).toBe(0);
    expect(await cutOff("verify", changedReport({ event_id: "another" }))).toBe(1);
    expect(await cutOff("inspect", fileWith("{"))).toBe(2);
  });

  test("is a program", async () => {
    expect(await program("--help")).toEqual(await receipts("--help"));
    expect(await program("frobnicate")).toEqual(await receipts("frobnicate"));
  });

  test.each([
    [
      ["frobnicate"],
      "there is no command frobnicate; there are verify, sheet, inspect",
      "disclosure-receipts --help",
    ],
    [["constructor"], "there is no command constructor", "disclosure-receipts --help"],
    [[], "a command is missing", "disclosure-receipts --help"],
    [["verify"], "a file is missing", "disclosure-receipts verify --help"],
    [["verify", "a", "--frobnicate"], "Unknown option '--frobnicate'", "disclosure-receipts verify --help"],
    [["verify", "a", "--metachain"], "argument missing", "disclosure-receipts verify --help"],
    [["verify", "-", "-"], "standard input can be read only once", "disclosure-receipts verify --help"],
    [["verify", "a", "--lang", "fr"], "--lang is de or en, not fr", "disclosure-receipts verify --help"],
    [["verify", REQUEST], "hand-off.json is a request", "disclosure-receipts verify --help"],
    [["inspect", "a", "b"], "takes one file", "disclosure-receipts inspect --help"],
    [["hash"], "input, output or wording", "disclosure-receipts hash --help"],
    [["hash", "leaf", "a"], "neither input, output nor wording", "disclosure-receipts hash --help"],
    [["audit"], "one URL or folder", "disclosure-receipts audit --help"],
    [["mirror", "http://127.0.0.1"], "a URL and a folder", "disclosure-receipts mirror --help"],
    [["audit", "file:///etc"], "no http or https URL", "disclosure-receipts audit --help"],
    [["audit", "http://user:secret@127.0.0.1"], "no user, password", "disclosure-receipts audit --help"],
  ])("refuses %j with status 2, the reason and a hint", async (args, reason, hint) => {
    const { status, stdout, stderr } = await receipts(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(reason);
    expect(stderr).toContain(`Try: ${hint}`);
  });

  test.each([
    ["inspect", (file: string) => ["inspect", file]],
    ["hash", (file: string) => ["hash", "output", file]],
    ["the state of an audit", (file: string) => ["audit", metachainFolder(), "--state", file]],
    ["a mirror's folder", (file: string) => ["mirror", metachainFolder(), file]],
  ])("says in one line which file can't be used, for %s", async (_, argsOf) => {
    const file = fileWith("{");
    const { status, stdout, stderr } = await receipts(...argsOf(file));
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^disclosure-receipts: .+\n$/);
    expect(stderr).toContain(file);
  });
});

// By itself: it changes the environment, which the tests above share.
test("hints in the words by which it was called", async () => {
  vi.stubEnv("npm_lifecycle_event", "receipts");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { stderr } = await receipts("audit");
  expect(stderr).toContain("Try: npm run -s receipts -- audit --help");
});
