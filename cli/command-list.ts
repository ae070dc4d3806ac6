// The commands by name. Each is loaded when it is called, so that a reader's command loads no part of another's.
import type { Command } from "./command.ts";

interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  verify: {
    summary: "check receipts, reports, bundles and published roots",
    load: () => import("./commands/verify.ts"),
  },
  sheet: {
    summary: "write what verify finds as a page to print",
    load: () => import("./commands/sheet.ts"),
  },
  inspect: {
    summary: "show what a receipt or a bundle says, in words",
    load: () => import("./commands/inspect.ts"),
  },
  hash: {
    summary: "recompute an input hash, an output hash or the digest of a wording",
    load: () => import("./commands/hash.ts"),
  },
  export: {
    summary: "write a report as a .tlog-proof or a COSE receipt for other tools",
    load: () => import("./commands/export.ts"),
  },
  audit: {
    summary: "check the whole metachain, root after root",
    load: () => import("./commands/audit.ts"),
  },
  mirror: {
    summary: "copy the metachain into a folder, checking every root",
    load: () => import("./commands/mirror.ts"),
  },
  history: {
    summary: "fetch the history of your chains, and prove it is the only one",
    load: () => import("./commands/history.ts"),
  },
  admin: {
    summary: "operate a deployment: tenants, keys, status, verification",
    load: () => import("./admin/admin.ts"),
  },
};
