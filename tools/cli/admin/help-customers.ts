// The help pages of `admin` about tenants: their keys, wordings, bills and webhooks.
import { TARGET } from "./help-target.ts";

export const TENANT_HELP = `Usage: disclosure-receipts admin tenant create [NAME] [options]
       disclosure-receipts admin tenant list
       disclosure-receipts admin tenant show ID [--anchor]
       disclosure-receipts admin tenant suspend ID
       disclosure-receipts admin tenant resume ID
       disclosure-receipts admin tenant plan ID PLAN
       disclosure-receipts admin tenant chains ID N
       disclosure-receipts admin tenant stamping ID on|off|RATE
       disclosure-receipts admin tenant preview ID on|off
       disclosure-receipts admin tenant retention ID MONTHS|off

Creates tenants, lists and shows them, and changes what may be changed. A tenant
has an anchor, from which the ids of its chains follow. Its fingerprint, a hash
of the anchor, may be printed in a contract: it pins the tenant to these chains.

  --plan PLAN       of create: the plan, with its throttle, quota and number of
                    chains (the first)
  --chains N        of create: how many chains the tenant's conversations are
                    spread over (the plan's number)
  N                 of chains: as many from now on. The number can grow and
                    never shrinks; a conversation stays on its chain
  --anchor          of show: the anchor too. Whoever has it finds every chain of
                    the tenant in the public log: give it to an auditor, and
                    to nobody else
  RATE              how many attestations a minute get a timestamp in the call;
                    on: as many as the deployment stamps
  preview           whether the tenant may use wording policy layers that are in
                    development: its receipts then say so
  MONTHS            of retention: its receipts are kept for as many months, 3
                    to 240; admin retention removes older ones. off: all are

${TARGET}

Example: disclosure-receipts admin tenant create acme --plan standard

Exit status: 0 done, 2 it could not be done, or the command line is wrong.`;

export const KEY_HELP = `Usage: disclosure-receipts admin key create TENANT [options]
       disclosure-receipts admin key list [TENANT]
       disclosure-receipts admin key revoke KEYID
       disclosure-receipts admin key rotate KEYID [options]

Issues API keys, lists, revokes and rotates them. A key is shown once, when it
is created. KEYID is its 20 hex digits between dr_live_ and the next _. list
without a tenant shows the keys of all; the last use of each is a day (UTC).

  --scopes LIST     of create: what the key may do, attest, report, or both with
                    a comma (both)
  --expires DATE    of create and rotate: when the key ends, as 2027-01-31 or
                    2027-01-31T12:00:00Z (never)
  --grace TIME      of rotate: how long the old key still works, as 30m, 24h or
                    7d (24h)

${TARGET}

Example: disclosure-receipts admin key create acme --scopes attest

Exit status: 0 done, 2 it could not be done, or the command line is wrong.`;

export const SHOW_HELP = `Usage: disclosure-receipts admin show EVENT_ID
       disclosure-receipts admin show TENANT INTERACTION

Shows one receipt by its event id, whichever tenant has it, or the receipts of
one conversation: tenant, chain and sequence, when it was issued, its verdict
and findings, and the seal that covers it. It reads only, and prints no request:
who is behind a conversation is the caller's to know.

${TARGET}

Example: disclosure-receipts admin show 30c040f5-d748-8ad0-b000-000000000002

Exit status: 0 done, 2 it could not be done, or the command line is wrong.`;

export const WORDING_HELP = `Usage: disclosure-receipts admin wording add TENANT [options]
       disclosure-receipts admin wording retire TENANT ID [--last-day DATE]
       disclosure-receipts admin wording list TENANT

Registers a tenant's own wordings by their digests, gives them a last day, lists
them. A disclosure with a registered wording gets ALLOW; after its last day, it
gets BLOCK. Receipts that were given before stay as they are. What is registered
is published with the layer that it becomes part of; no text is.

  --jurisdiction CC    of add: whose layer it adds to, as DE
  --modality NAME      of add: voice, chat or walkthrough
  --methods LIST       of add: disclosure methods of the layer, with commas
  --language TAG       of add: as de or de-AT
  --digest DIGEST      of add: sha256: and 64 hex digits; or one of these two,
                       which are hashed here and neither stored nor sent:
  --text TEXT          the very words
  --text-file FILE     a UTF-8 file with them; one line end at its end is left out
  --approved-by WHO    of add: a role or a department, as "legal department".
                       It is published: never name a person
  --approved-on DATE   of add: its first day, UTC (today)
  --until DATE         of add: its last day, UTC (none)
  --template ID        of add: the wording of the layer whose {operator} was filled
  --id ID              of add: begins with own- (made from the digest)
  --last-day DATE      of retire: the last day on which it may be used, UTC (today)

${TARGET}

Example: disclosure-receipts admin wording add acme --jurisdiction DE
  --modality voice --methods spoken_introduction --language de
  --text-file greeting.txt --approved-by "legal department"

Exit status: 0 done, 2 it could not be done, or the command line is wrong.`;

export const USAGE_HELP = `Usage: disclosure-receipts admin usage [--month MONTH] [--json | --csv] [-o FILE]
       disclosure-receipts admin usage TENANT [--month MONTH] [--json | --csv] [-o FILE]

Says how many receipts each tenant has in a month, and what they cost by its
plan; of one tenant, chain by chain. A receipt belongs to the month (UTC) of its
issued_at. A bill is final an hour after the month's end, once all receipts of
the month are published; until then it is open, and counts what is published.

  --month MONTH     as 2026-11 (the current one)
  --json            with TENANT: the bill itself, which anybody can verify
                    without a key: disclosure-receipts bill verify
  --csv             one row a tenant; amounts are in minor units, such as cents
  -o, --output FILE write the document to this file

${TARGET}

Example: disclosure-receipts admin usage acme --month 2026-11 --json -o bill.json

Exit status: 0 done, 1 a tenant could not be counted, and is named, 2 it could
not be done, or the command line is wrong.`;

export const WEBHOOK_HELP = `Usage: disclosure-receipts admin webhook set TENANT URL [--events LIST]
       disclosure-receipts admin webhook show TENANT
       disclosure-receipts admin webhook off TENANT
       disclosure-receipts admin webhook secret TENANT
       disclosure-receipts admin webhook rotate TENANT
       disclosure-receipts admin webhook test TENANT
       disclosure-receipts admin webhook dead TENANT
       disclosure-receipts admin webhook retry TENANT

Sets the one webhook of a tenant: its receiver is told which receipts a
published root covers, and of verdicts other than ALLOW. It begins with what is
published from then on. Messages are signed by Standard Webhooks, and are sent
at least once.

  URL               begins with https://, and leads to the internet; with --local
                    it may be http://127.0.0.1:PORT/…
  --events LIST     of set: sealed, verdict, or both with a comma (both)
  secret            prints the secret that the receiver checks signatures with
  rotate            makes a new one; the former one signs too for 24 hours
  test              sends a message that tells nothing
  dead              lists the messages that were given up after a day
  retry             sends them again, and has the others go on at once

${TARGET}

Example: disclosure-receipts admin webhook set acme https://acme.example/hook

Exit status: 0 done; 1 messages were given up, the receiver is gone, or it did
not take a message; 2 it could not be done, or the command line is wrong.`;
