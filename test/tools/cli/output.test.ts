import { describe, expect, test } from "vitest";
import { printTable } from "../../../tools/cli/output/table.ts";
import { bold, red, Terminal } from "../../../tools/cli/output/terminal.ts";

class Recorder {
  readonly isTTY: boolean;
  readonly columns = 40;
  written = "";
  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }
  write(text: string): void {
    this.written += text;
  }
}

const terminalOn = (isTTY: boolean, environment: Record<string, string> = {}) => {
  const [out, err] = [new Recorder(isTTY), new Recorder(isTTY)];
  return { out, err, terminal: new Terminal({ out, err, environment }) };
};

describe("colours", () => {
  test("are there on a terminal", () => {
    const { out, terminal } = terminalOn(true);
    terminal.print(red("no"), " ", bold("x"));
    expect(out.written).toBe("\u001b[31mno\u001b[39m \u001b[1mx\u001b[22m\n");
  });

  test.each([
    [false, {}],
    [true, { NO_COLOR: "1" }],
    [true, { TERM: "dumb" }],
  ])("are not there where isTTY is %s and the environment %j", (isTTY, environment) => {
    const { out, terminal } = terminalOn(isTTY, environment);
    terminal.print(red("no"));
    expect(out.written).toBe("no\n");
  });

  test("are ours alone: those of a stranger's text show as text", () => {
    const { out, terminal } = terminalOn(true);
    terminal.print(red("\u001b[32mholds\u001b[0m"));
    expect(out.written).toBe("\u001b[31m\\u{1b}[32mholds\\u{1b}[0m\u001b[39m\n");
  });
});

describe("the progress bar", () => {
  test("is drawn on standard error, on one line, and taken away", () => {
    const { out, err, terminal } = terminalOn(true);
    const progress = terminal.progress(10, "files");
    progress.step(5);
    const drawn = "\r\u001b[2K ████████████░░░░░░░░░░░░ 5/10 files";
    expect(err.written).toBe(drawn);
    terminal.print("the result");
    expect(err.written).toBe(`${drawn}\r\u001b[2K`);
    expect(out.written).toBe("the result\n");
  });

  test("is taken away for what went wrong in the middle too, and once", () => {
    const { err, terminal } = terminalOn(true);
    terminal.progress(10, "files").step(5);
    err.written = "";
    terminal.note("a fault");
    terminal.note("and why");
    expect(err.written).toBe("\r\u001b[2Ka fault\nand why\n");
  });

  test("makes way for JSON as well", () => {
    const { err, terminal } = terminalOn(true);
    terminal.progress(10, "files").step(5);
    err.written = "";
    terminal.printJson({});
    expect(err.written).toBe("\r\u001b[2K");
  });

  test("is no wider than the terminal", () => {
    const { err, terminal } = terminalOn(true);
    terminal.progress(10, "x".repeat(100)).step();
    expect(err.written.replace("\r\u001b[2K", "")).toHaveLength(39);
  });

  test("shows nothing where standard error is no terminal", () => {
    const { err, terminal } = terminalOn(false);
    const progress = terminal.progress(10, "files");
    progress.step(10);
    terminal.print("the result");
    expect(err.written).toBe("");
  });
});

describe("a table", () => {
  const ROWS = [
    ["✓", "short", "a reason of more words than fit into one line"],
    ["✗", "longer", red(`${"0".repeat(64)} is one word`)],
  ];

  test("breaks its last column into lines that fit the terminal, and no hash", () => {
    const { out, terminal } = terminalOn(true, { NO_COLOR: "1" });
    printTable(terminal, ROWS);
    expect(out.written.split("\n")).toEqual([
      "  ✓  short   a reason of more words than",
      "             fit into one line",
      `  ✗  longer  ${"0".repeat(64)}`,
      "             is one word",
      "",
    ]);
  });

  test("breaks nothing where a program reads it", () => {
    const { out, terminal } = terminalOn(false);
    printTable(terminal, ROWS);
    expect(out.written.split("\n")).toHaveLength(3);
  });

  test("pads by what is seen, not by what is escaped or coloured", () => {
    const { out, terminal } = terminalOn(false);
    printTable(terminal, [
      ["a\u0007", "1"],
      [bold("bcd"), "2"],
    ]);
    expect(out.written).toBe("  a\\u{7}  1\n  bcd     2\n");
  });

  test("is not pushed apart by one wide cell", () => {
    const { out, terminal } = terminalOn(false);
    printTable(terminal, [
      ["x".repeat(500), "1"],
      ["y", "2"],
    ]);
    expect(out.written.split("\n")[1]).toHaveLength(2 + 40 + 2 + 1);
  });
});
