// The options of the hammer's command line.
import { expect, test } from "vitest";
import { FAULT_NAMES } from "../../bench/hammer/faults/names.ts";
import { HELP, readOptions, WrongOptions } from "../../bench/hammer/options.ts";

test("without options a run has no faults, and a seed that is printed", () => {
  expect(readOptions([])).toMatchObject({
    minutes: 1,
    callers: 64,
    tenants: 4,
    chains: 1,
    processes: 2,
    faults: [],
  });
  expect(readOptions([])?.seed).toEqual(expect.any(Number));
});

test("numbers are read as numbers, and minutes may be parts of one", () => {
  const options = readOptions(["--minutes", "0.2", "--callers", "8", "--seed", "0"]);
  expect(options).toMatchObject({ minutes: 0.2, callers: 8, seed: 0 });
});

test("faults are all, none, or those that are named, in one order", () => {
  expect(readOptions(["--faults", "all"])?.faults).toEqual(FAULT_NAMES);
  expect(readOptions(["--faults", "none"])?.faults).toEqual([]);
  expect(readOptions(["--faults", "kill, fails"])?.faults).toEqual(["fails", "kill"]);
});

test("a deployment is called with a key for each tenant", () => {
  const options = readOptions(["--url", "https://receipts.example", "--key", "a", "--key", "b"]);
  expect(options).toMatchObject({ url: "https://receipts.example", key: ["a", "b"], tenants: 2 });
});

test.each([
  [["--callers", "0"], "--callers must be a whole number from 1 to 4096"],
  [["--callers", "1.5"], "--callers must be a whole number"],
  [["--callers", "many"], "--callers must be a whole number from 1 to 4096"],
  [["--minutes", "-1"], "--minutes"],
  [["--faults", "fire"], '--faults there is no fault "fire": see --help'],
  [["--url", "receipts.example", "--key", "a"], "--url must be an address with http or https"],
  [["--url", "https://receipts.example"], "--key goes together with --url"],
  [["--key", "a"], "--key goes together with --url"],
  [
    ["--url", "https://receipts.example", "--key", "a", "--faults", "kill"],
    "--faults can't be made in a deployment",
  ],
  [["--url", "https://receipts.example/v1", "--key", "a"], "--url must be an address without a path"],
  [
    ["--url", "https://receipts.example", "--key", "a", "--tenants", "4"],
    "--tenants is for a service on this",
  ],
  [["--colour", "red"], "--colour"],
  [["more"], "more"],
])("%s is refused in one line", (args, line) => {
  const read = () => readOptions(args);
  expect(read).toThrow(WrongOptions);
  expect(read).toThrow(line);
});

test("help names every fault", () => {
  expect(readOptions(["--help"])).toBeNull();
  for (const name of FAULT_NAMES) expect(HELP).toContain(`  ${name}`);
});
