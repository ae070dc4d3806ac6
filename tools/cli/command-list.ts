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
  wordings: {
    summary: "list the approved texts, check a layer's file, fill in a name",
    load: () => import("./commands/wordings.ts"),
  },
  convert: {
    summary: "write a report as a .tlog-proof or a COSE receipt for other tools",
    load: () => import("./commands/convert.ts"),
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
  export: {
    summary: "fetch all your reports, and what checks them, into a folder",
    load: () => import("./commands/export.ts"),
  },
  bill: {
    summary: "fetch the bill of a month, check it, print it",
    load: () => import("./commands/bill.ts"),
  },
  admin: {
    summary: "operate a deployment: tenants, keys, status, verification",
    load: () => import("./admin/admin.ts"),
  },
};
