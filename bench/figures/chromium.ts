// A headless Chromium, where one is installed: for the tests of the pages and for a bench.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
/** Playwright's own half minute is too short for a slow machine. */
export const BROWSER_PATIENCE_MS = 180_000;

/** Null where there is none. */
export const chromiumPath: string | null =
  [process.env.CHROMIUM ?? "", ...PLACES].find((path) => path !== "" && existsSync(path)) ?? null;

export const launchChromium = (path: string, more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: path, args: [...ARGUMENTS, ...more], timeout: BROWSER_PATIENCE_MS });
