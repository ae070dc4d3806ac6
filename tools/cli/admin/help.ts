// The help pages of `admin`: one for all, and one for each of its parts.
import {
  KEY_HELP,
  SHOW_HELP,
  TENANT_HELP,
  USAGE_HELP,
  WEBHOOK_HELP,
  WORDING_HELP,
} from "./help-customers.ts";
import {
  CONSOLE_HELP,
  ERASE_HELP,
  RETENTION_HELP,
  SET_ASIDE_HELP,
  STATUS_HELP,
  VERIFY_HELP,
} from "./help-ledger.ts";
import { TARGET } from "./help-target.ts";

export const ADMIN_HELP = `Usage: disclosure-receipts admin COMMAND … [options]

Operates a deployment: tenants and their API keys, the state of sealing, and the
whole ledger verified.

  tenant create|list|show|…        the tenants
  key create|list|revoke|rotate    their API keys
  show EVENT_ID                    one receipt: whose, where, and whether sealed
  show TENANT INTERACTION          the receipts of one conversation
  wording add|retire|list          their own wordings
  usage                            a month's receipts, and what they cost
  webhook set|show|off|…           their webhooks
  status                           whether all is well
  verify                           the whole ledger, verified
  set-aside ENTRY                  an entry that no chain claims, taken back
  erase                            one conversation's identifiers, erased
  retention                        receipts that are kept no longer, removed
  console                          a page to look at all this, on this machine

${TARGET}

disclosure-receipts admin COMMAND --help says more about each. Every command may
be repeated, also after a crash in the middle of it.

Exit status: 0 done, or all holds; 1 something does not hold or needs attention;
2 it could not be done, or the command line is wrong.`;

export const PART_HELP: Readonly<Record<string, string>> = {
  tenant: TENANT_HELP,
  key: KEY_HELP,
  show: SHOW_HELP,
  wording: WORDING_HELP,
  usage: USAGE_HELP,
  webhook: WEBHOOK_HELP,
  status: STATUS_HELP,
  verify: VERIFY_HELP,
  "set-aside": SET_ASIDE_HELP,
  erase: ERASE_HELP,
  retention: RETENTION_HELP,
  console: CONSOLE_HELP,
};
