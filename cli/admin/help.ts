// The help pages of `admin`: one for all, and one for each of its parts.

const TARGET = `  --local[=DIR]     the local stack that runs on this data folder; without DIR
                    that of DATA_DIR, or .data
  --name NAME       the deployment in AWS (disclosure-receipts)
  --region REGION   its region, if the settings of this shell name no other
  --profile NAME    the profile of these settings to take
  --json            one JSON document on standard output`;

export const ADMIN_HELP = `Usage: disclosure-receipts admin COMMAND … [options]

Operates a deployment: tenants and their API keys, the state of sealing, and the
whole ledger verified.

  tenant create|list|show|…        the tenants
  key create|list|revoke|rotate    their API keys
  status                           whether all is well
  verify                           the whole ledger, verified

${TARGET}

disclosure-receipts admin COMMAND --help says more about each. Every command may
be repeated, also after a crash in the middle of it.

Exit status: 0 done, or all holds; 1 something does not hold or needs attention;
2 it could not be done, or the command line is wrong.`;

const TENANT_HELP = `Usage: disclosure-receipts admin tenant create [NAME] [options]
       disclosure-receipts admin tenant list
       disclosure-receipts admin tenant show ID [--anchor]
       disclosure-receipts admin tenant suspend ID
       disclosure-receipts admin tenant resume ID
       disclosure-receipts admin tenant plan ID PLAN
       disclosure-receipts admin tenant chains ID N
       disclosure-receipts admin tenant stamping ID on|off|RATE

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

${TARGET}

Example: disclosure-receipts admin tenant create acme --plan standard

Exit status: 0 done, 2 it could not be done, or the command line is wrong.`;

const KEY_HELP = `Usage: disclosure-receipts admin key create TENANT [options]
       disclosure-receipts admin key list TENANT
       disclosure-receipts admin key revoke KEYID
       disclosure-receipts admin key rotate KEYID [options]

Issues API keys, lists, revokes and rotates them. A key is shown once, when it
is created. KEYID is its 20 hex digits between dr_live_ and the next _.

  --scopes LIST     of create: what the key may do, attest, report, or both with
                    a comma (both)
  --expires DATE    of create and rotate: when the key ends, as 2027-01-31 or
                    2027-01-31T12:00:00Z (never)
  --grace TIME      of rotate: how long the old key still works, as 30m, 24h or
                    7d (24h)

${TARGET}

Example: disclosure-receipts admin key create acme --scopes attest

Exit status: 0 done, 2 it could not be done, or the command line is wrong.`;

const STATUS_HELP = `Usage: disclosure-receipts admin status [--tsa-ca FILE]… [options]

Says whether the deployment seals in time, and whether the newest tokens hold.

  --tsa-ca FILE     PEM certificates of the timestamp authorities that you
                    trust (may be repeated)

${TARGET}

Example: disclosure-receipts admin status --local

Exit status: 0 all is well, 1 something needs attention, 2 it could not be
found out, or the command line is wrong.`;

const VERIFY_HELP = `Usage: disclosure-receipts admin verify [--tenant ID | --chain ID] [--macs]

Verifies the whole ledger from inside, every leaf of it. A stranger can verify
what is published: disclosure-receipts audit.

  --tenant ID       of the chains, walk those of this tenant only
  --chain ID        of the chains, walk this one only
  --macs            verify the authentication code of each receipt

${TARGET}

Example: disclosure-receipts admin verify --tenant acme --macs

Exit status: 0 all holds, 1 something does not hold, 2 it could not be verified,
or the command line is wrong.`;

export const PART_HELP: Readonly<Record<string, string>> = {
  tenant: TENANT_HELP,
  key: KEY_HELP,
  status: STATUS_HELP,
  verify: VERIFY_HELP,
};
