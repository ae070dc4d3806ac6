// Builds the page once before the browser tests, and says so if there is no browser to test it in.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromiumPath } from "../../../../bench/figures/chromium.ts";

export function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL("../../../../build/web.ts", import.meta.url))]);
  if (chromiumPath === null)
    console.warn("No Chromium was found, so the browser tests are skipped. Set CHROMIUM.");
}
