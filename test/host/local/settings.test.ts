import { expect, test } from "vitest";
import { DEFAULT_PLANS } from "../../../contract/plans.ts";
import { readSettings } from "../../../host/local/settings.ts";

test("has a default for every setting", () => {
  expect(readSettings({})).toEqual({
    PORT: 8787,
    DATA_DIR: ".data",
    SEAL_INTERVAL_SECONDS: 10,
    POLICY_FILES: [],
    PLANS: DEFAULT_PLANS,
    RATE_LIMIT: false,
    CONSOLE: true,
    CALL_LINES: true,
    LOG_LEVEL: "WARN",
  });
});

test("reads every setting, and leaves the rest of the environment alone", () => {
  const settings = {
    PORT: "0",
    DATA_DIR: "/tmp/x",
    SEAL_INTERVAL_SECONDS: "60",
    TSA_URLS: "https://one.test/tsr, https://two.test",
    TSA_CA_FILE: "anchors.pem",
    POLICY_FILES: "de.json, fr.json",
    WITNESS_POLICY_FILE: "witnesses.txt",
    DYNAMODB_ENDPOINT: "http://127.0.0.1:8000",
    PLANS: '{"local":{"rate":1,"burst":2,"monthlyQuota":3,"chains":4}}',
    RATE_LIMIT: "true",
    CONSOLE: "false",
    CONSOLE_PORT: "9001",
    CALL_LINES: "false",
    LOG_LEVEL: "debug",
  };
  expect(readSettings({ ...settings, HOME: "/root" })).toEqual({
    ...settings,
    PORT: 0,
    SEAL_INTERVAL_SECONDS: 60,
    POLICY_FILES: ["de.json", "fr.json"],
    PLANS: { local: { rate: 1, burst: 2, monthlyQuota: 3, chains: 4 } },
    RATE_LIMIT: true,
    CONSOLE: false,
    CONSOLE_PORT: 9001,
    CALL_LINES: false,
    LOG_LEVEL: "DEBUG",
  });
});

test.each([
  ["CALL_LINES", "no"],
  ["PORT", "http"],
  ["PORT", ""],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["PORT", "0x50"],
  ["DATA_DIR", ""],
  ["SEAL_INTERVAL_SECONDS", "0"],
  ["SEAL_INTERVAL_SECONDS", "1.5"],
  ["SEAL_INTERVAL_SECONDS", "often"],
  ["TSA_URLS", ""],
  ["TSA_CA_FILE", ""],
  ["POLICY_FILES", ""],
  ["WITNESS_POLICY_FILE", ""],
  ["DYNAMODB_ENDPOINT", "localhost"],
  ["LOG_LEVEL", "LOUD"],
  ["PLANS", ""],
  ["PLANS", "local"],
  ["PLANS", "[]"],
  ["RATE_LIMIT", "yes"],
  ["CONSOLE", "yes"],
  ["CONSOLE_PORT", "65536"],
  ["TSA_URLS", "?"],
  ["DYNAMODB_ENDPOINT", "ftp://localhost"],
  ["SEAL_INTERVAL_SECONDS", "86401"],
])("refuses %s=%j and names it in one line", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrowError(
    expect.objectContaining({
      code: "misconfigured",
      message: expect.stringMatching(new RegExp(`^[^\\n]*\\b${name}: [^\\n]+$`)),
    }),
  );
});

test.each([
  ["PORT", "80000", "must be a whole number from 0 to 65535"],
  ["PORT", "http", "must be a whole number from 0 to 65535"],
  ["SEAL_INTERVAL_SECONDS", "0", "must be a whole number from 1 to 86400"],
  ["DATA_DIR", "", "must name a folder"],
  ["DYNAMODB_ENDPOINT", "localhost", "must be a URL with http or https"],
  ["PLANS", "local", "must be a JSON object of plans"],
  ["LOG_LEVEL", "LOUD", "must be one of DEBUG, INFO, WARN, ERROR, SILENT"],
])("refuses %s=%j once, and says what it must be", (name, value, expected) => {
  expect(() => readSettings({ [name]: value })).toThrowError(
    expect.objectContaining({ message: `the environment is wrong: ${name}: ${expected}` }),
  );
});

test.each([
  ["TSA_URLS", "TSA_CA_FILE", "https://tsa.test"],
  ["TSA_CA_FILE", "TSA_URLS", "anchors.pem"],
])("refuses %s without %s", (name, other, value) => {
  expect(() => readSettings({ [name]: value })).toThrowError(new RegExp(`${other}: must name`));
});
