// The help pages of `admin` about the ledger: its state, its check, what is taken out of it, and the console.
import { TARGET } from "./help-target.ts";

export const STATUS_HELP = `Usage: disclosure-receipts admin status [--tsa-ca FILE]… [options]

Says whether the deployment seals in time, and whether the newest tokens hold.
It reads what was recorded, and can't see whether calls are answered now: ask
GET /v1/health, and see the alarms, or the log of the local stack.

  --tsa-ca FILE     PEM certificates of the timestamp authorities that you
                    trust (may be repeated)

${TARGET}

Example: disclosure-receipts admin status --local

Exit status: 0 all is well, 1 something needs attention, 2 it could not be
found out, or the command line is wrong.`;

export const VERIFY_HELP = `Usage: disclosure-receipts admin verify [--tenant ID | --chain ID] [--macs]

Verifies the whole ledger from inside, every leaf of it. A stranger can verify
what is published: disclosure-receipts audit.

  --tenant ID       of the chains, walk those of this tenant only
  --chain ID        of the chains, walk this one only
  --macs            verify the authentication code of each receipt

${TARGET}

Example: disclosure-receipts admin verify --tenant acme --macs

Exit status: 0 all holds, 1 something does not hold, 2 it could not be verified,
or the command line is wrong.`;

export const SET_ASIDE_HELP = `Usage: disclosure-receipts admin set-aside ENTRY [--dry-run] [options]

Takes back an entry of the metachain that no chain claims, and all entries behind
it: none of them was published. Their chains are sealed anew by the next run, if
they are honest. ENTRY is the place that admin status names. Keep a copy of its
item, and stop the sealer, before.

  --dry-run         says what it would take back, and writes nothing

\${TARGET}

Example: disclosure-receipts admin set-aside 4711 --dry-run

Exit status: 0 done, 2 it could not be done, a chain claims this entry, it is not
the first, a root over it is public, or the command line is wrong.`;

export const ERASE_HELP = `Usage: disclosure-receipts admin erase TENANT INTERACTION --by ROLE --ground GROUND
         [--dry-run]

Erases the identifiers of one conversation: the requests behind its receipts,
with the interaction id and the agent's identity, and what leads from the id to
the receipts. The receipts and all proofs stay. Their reports and the bundle,
which is found under a new random id, show when that was, by whom and why.
A conversation with a receipt of the last 20 minutes is refused.

  --by ROLE         your role, as "data protection officer". Reports show it:
                    never name a person
  --ground GROUND   request (of the person), order (of an authority or a court),
                    or mistake (it should never have been sent)
  --dry-run         says what it would erase, and writes nothing

${TARGET}

Example: disclosure-receipts admin erase acme call-1
  --by "data protection officer" --ground request --dry-run

Exit status: 0 done, 2 it could not be done, there is nothing under this id, or
the command line is wrong.`;

export const CONSOLE_HELP = `Usage: disclosure-receipts admin console [--port N] [--no-open] [options]

Opens a page on this machine, over the credentials of this shell, until Ctrl-C:
receipts as they come, seals, tenants and what they use, chains, and what needs
attention. Each receipt opens in the verifier. It only reads. It listens on
127.0.0.1 alone: whoever is logged in to this machine can open it, and no other
machine or website.

  --port N          the port (any free one)
  --no-open         prints the address, and opens no browser
  --tsa-ca FILE     PEM certificates of the timestamp authorities that you
                    trust (may be repeated)

${TARGET}

Example: disclosure-receipts admin console --local

Exit status: 0 it was stopped, 2 it could not be started, or the command line is
wrong.`;

export const RETENTION_HELP = `Usage: disclosure-receipts admin retention [TENANT] [--dry-run]

Removes the conversations that are older than their tenant's retention: requests,
receipts and what leads to them. Of each receipt the leaf hash stays, so that every
proof which somebody else holds remains whole. A conversation goes as a whole, once
its newest receipt is older than the start of the month that many months ago. The
newest receipt of a chain stays, with its conversation.
Without TENANT, it goes on where an earlier run was cut off.

  --dry-run         counts what it would remove, and writes nothing

${TARGET}

Example: disclosure-receipts admin retention acme --dry-run

Exit status: 0 done, 1 something was left alone, 2 it could not be done, or the
command line is wrong.`;
