// `mirror`: copies the published roots, the entries and tiles under them, and the wording policy into a folder that any
// static host serves, and verifies while copying.
import { type ErrorCode, isDisclosureError } from "../../../evidence/core/errors.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { writeFork } from "../files/fork-file.ts";
import { LOG_POLICY_OPTIONS, readLogPolicy } from "../files/log-policy.ts";
import { certificatesOf, isOwn, readTrustAnchors, TSA_CA_OPTION } from "../files/trust-anchors.ts";
import { type Copied, MirrorCopy } from "../metachain/mirror-copy.ts";
import { MirrorFolder } from "../metachain/mirror-folder.ts";
import { openMetachain } from "../metachain/open.ts";
import { asksWitnesses, checkpointsSentence, forkSentence } from "../output/checkpoint-words.ts";
import { quorumOf, staleSentences } from "../output/freshness.ts";
import { bold, red, type Terminal } from "../output/terminal.ts";

const OPTIONS = { ...TSA_CA_OPTION, ...LOG_POLICY_OPTIONS, new: { type: "boolean" } } as const;

const HELP = `Usage: disclosure-receipts mirror URL DIR [options]

Copies every published root into DIR, byte for byte, every timestamp that came
later, and the entries and tiles of the log, and verifies each before it gets
its name there: the entries must lead to every root, and no label may occur
twice. Signed checkpoints are copied too, and verified by the key that you give
or, without one, by the key that the log itself names. Every wording policy
layer that is listed is copied under its hash, and none may leave its list. A
file that is there already is compared with the published one and never
overwritten: if they differ, that is an alarm.

  --tsa-ca FILE   PEM certificates of the timestamp authorities that you trust,
                  in place of the known public ones; "known" stands for those,
                  "none" for none (may be repeated)
  --log-key VKEY  the key of the log that must have signed the checkpoints
  --policy FILE   the same with a tlog-policy (C2SP)
  --new           compare only the last root of the last complete run, and go
                  on from there, with the entries that DIR has; timestamps that
                  came later for older roots are copied by a run without it

DIR gets v1/metachain/index.json (the head), v1/metachain/roots/{index},
v1/metachain/timestamps/{index}/{n}, v1/metachain/tile/ and checkpoint (a log
as C2SP tlog-tiles has it), checkpoints/{index} and signed-roots/{index}; and
of the wording policy v1/policy/index.json, v1/policy/{country} and
v1/policy/layers/{hash}. Serve it as it is. Layers with a customer's own
wordings are in no list: they come with that customer's evidence bundles. Where
the log signed two histories, DIR also gets a fork-….json, which proves it and
can be handed on. verify and audit read DIR, as a folder or from its host.
mirror may be killed at any time and started again.

Exit status: 0 copied, 1 something does not hold or differs, 2 the metachain or
the folder could not be read, 3 copied, but a token is of another authority than
those of your certificates.`;

/** With these errors, the folder and the metachain can't both be right. */
const ALARMS: readonly ErrorCode[] = ["proof_invalid", "token_invalid", "publication_conflict"];

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [place, path, ...more] = positionals;
  if (place === undefined || path === undefined || more.length > 0) {
    throw new UsageError("mirror takes a URL and a folder");
  }
  const anchors = certificatesOf(await readTrustAnchors(values["tsa-ca"]));
  const policy = await readLogPolicy(values);
  const mirror = new MirrorCopy(openMetachain(place), new MirrorFolder(path), { anchors, policy });
  try {
    const copied = await mirror.copy(values.new === true, terminal);
    printCopied(path, copied, terminal);
    return copied.unanchored > 0 && isOwn(values["tsa-ca"]) ? Exit.withReservations : Exit.holds;
  } catch (error) {
    if (!isDisclosureError(error) || !ALARMS.includes(error.code)) throw error;
    terminal.note(red("ALARM: "), error.message);
    if (mirror.fork !== null)
      terminal.note(red("FORK: "), forkSentence(await writeFork(mirror.fork, null, path)));
    terminal.note("Nothing was overwritten. Keep the folder: it shows what was published before.");
    return Exit.doesNotHold;
  }
}

function printCopied(path: string, copy: Copied, terminal: Terminal): void {
  const { size, copied, entries, pending, unchecked, unanchored, checkpoints, keys, layers } = copy;
  const walked = count(entries, "entry", "entries");
  terminal.print(bold(path), `: ${count(size, "root")}, ${copied} of them new; ${walked}`);
  // A reader who brought no key need not be told that there is nothing to check with it.
  if (checkpoints.first !== null || keys.policy !== null)
    terminal.print(`checkpoints of the roots that were read: ${checkpointsSentence(checkpoints, keys)}`);
  const freshness = {
    waitingSince: copy.waitingSince,
    quorumAt: checkpoints.quorum_at,
    now: new Date(),
  };
  if (asksWitnesses(keys)) terminal.print("newest quorum of witnesses: ", quorumOf(freshness));
  if (layers !== null)
    terminal.print(`wording policy: ${count(layers.listed, "layer")}, ${layers.copied} of them new`);
  for (const sentence of staleSentences(freshness)) terminal.note(sentence);
  if (pending > 0)
    terminal.note(
      `${count(pending, "entry", "entries")} under the last root are not published yet; the next run copies them`,
    );
  if (unchecked > unanchored)
    terminal.note(
      `${count(unchecked - unanchored, "root has", "roots have")} no token that could be checked`,
    );
  if (unanchored > 0)
    terminal.note(
      `the tokens of ${count(unanchored, "root")} lead to none of the certificates used; see --tsa-ca`,
    );
}

export const command: Command = { help: HELP, run };
