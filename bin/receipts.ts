#!/usr/bin/env node
// The command line of readers: `npm run receipts -- verify receipt.json`. See docs/command-line.md.
import { main } from "../cli/main.ts";
import { Terminal } from "../cli/output/terminal.ts";

// A reader such as `head` that has seen enough closes the pipe: no fault, and nobody is left to tell.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const terminal = new Terminal({ out: process.stdout, err: process.stderr, environment: process.env });
const status = await main(process.argv.slice(2), terminal);
// Requests that an early end left under way must not keep the process; what was printed goes out first.
process.stdout.write("", () => process.exit(status));
