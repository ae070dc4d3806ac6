#!/usr/bin/env node
// The command line, of readers and operators: `npm run receipts -- verify receipt.json`. See docs/command-line.md.
import { Exit } from "../tools/cli/command.ts";
import { main } from "../tools/cli/main.ts";
import { Terminal } from "../tools/cli/output/terminal.ts";

// A reader such as `head` that has seen enough closes the pipe: what was begun is finished all the same, and the
// verdict comes as the exit status. On a disk that is full nobody can be told more than that there is none.
for (const output of [process.stdout, process.stderr]) {
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exit(Exit.unreadable);
  });
}

const terminal = new Terminal({ out: process.stdout, err: process.stderr, environment: process.env });
const status = await main(process.argv.slice(2), terminal);
// Requests that an early end left under way must not keep the process; what was printed goes out first.
process.stdout.write("", () => process.exit(status));
