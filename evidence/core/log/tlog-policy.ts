// A C2SP tlog-policy: the logs that a reader believes, the witnesses, and how many of these must have cosigned. A log
// uses the same file to know whom to ask.
import { equalBytes } from "../bytes.ts";
import { DisclosureError } from "../errors.ts";
import { type NoteKey, parseNoteKey, SIGNATURE_TYPE } from "./note.ts";

/** A file of this format has a line for each key. */
export const MAX_POLICY_CHARACTERS = 100_000;
/** The quorum that asks for no witness. */
const NO_QUORUM = "none";
const DECIMAL = /^[1-9][0-9]{0,3}$/;

export interface PolicyLog {
  readonly key: NoteKey;
  readonly url: string | null;
}

export interface PolicyWitness {
  /** Its name in this file, which is not the name of its key. */
  readonly name: string;
  readonly key: NoteKey;
  /** Its submission prefix (C2SP tlog-witness); a reader needs none. */
  readonly url: string | null;
}

interface PolicyGroup {
  readonly threshold: number;
  readonly members: readonly string[];
}

export interface TlogPolicy {
  readonly logs: readonly PolicyLog[];
  readonly witnesses: readonly PolicyWitness[];
  /** Groups come after their members, so no two hold each other. */
  readonly groups: ReadonlyMap<string, PolicyGroup>;
  /** The witness or the group that must have cosigned; null where none must. */
  readonly quorum: string | null;
}

/** Some editors put this mark before a text that they save as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** The policy of a reader who knows a log's key and asks for no witness. */
export const policyOfLog = (key: NoteKey): TlogPolicy => ({
  logs: [{ key, url: null }],
  witnesses: [],
  groups: new Map(),
  quorum: null,
});

/** Throws `malformed`, with the number of the line. */
export function parsePolicy(text: string): TlogPolicy {
  if (text.length > MAX_POLICY_CHARACTERS) throw malformed("a policy is too long");
  const draft = new PolicyDraft();
  for (const [at, line] of text.split("\n").entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== "");
    if (words.length === 0 || words[0]?.startsWith("#") === true) continue;
    naming(at + 1, () => {
      if (line.endsWith("\r")) throw malformed("it ends with CR LF, and lines of a policy end with LF alone");
      draft.add(words);
    });
  }
  return draft.finish();
}

/** True if the quorum holds where these witnesses, by their names in the policy, have cosigned. */
export function isQuorum({ quorum, groups }: TlogPolicy, cosigned: ReadonlySet<string>): boolean {
  const holding = new Set(cosigned);
  // A group comes after its members, so one pass is enough.
  for (const [name, { threshold, members }] of groups) {
    if (members.filter((member) => holding.has(member)).length >= threshold) holding.add(name);
  }
  return quorum === null || holding.has(quorum);
}

class PolicyDraft {
  readonly #logs: PolicyLog[] = [];
  readonly #witnesses: PolicyWitness[] = [];
  readonly #groups = new Map<string, PolicyGroup>();
  readonly #grouped = new Set<string>();
  #quorum: string | null | undefined;

  add([kind, ...words]: readonly string[]): void {
    if (kind === "log") this.#addLog(words);
    else if (kind === "witness") this.#addWitness(words);
    else if (kind === "group") this.#addGroup(words);
    else if (kind === "quorum") this.#setQuorum(words);
    else if (kind?.startsWith(BYTE_ORDER_MARK)) throw malformed("it begins with a byte order mark");
    else throw malformed("a line of a policy is none of log, witness, group and quorum");
  }

  finish(): TlogPolicy {
    if (this.#quorum === undefined) throw malformed("a policy has no quorum line");
    return { logs: this.#logs, witnesses: this.#witnesses, groups: this.#groups, quorum: this.#quorum };
  }

  #addLog([vkey = "", url, ...rest]: readonly string[]): void {
    requireEnd(rest);
    const key = parseNoteKey(vkey);
    if (key.type === SIGNATURE_TYPE.cosignature) throw malformed("the key of a log is that of a witness");
    this.#requireNewKey(key);
    this.#logs.push({ key, url: url ?? null });
  }

  #addWitness([name = "", vkey = "", url, ...rest]: readonly string[]): void {
    requireEnd(rest);
    this.#requireNewName(name);
    const key = parseNoteKey(vkey);
    if (key.type === SIGNATURE_TYPE.ed25519) throw malformed("the key of a witness is that of a log");
    this.#requireNewKey(key);
    this.#witnesses.push({ name, key, url: url ?? null });
  }

  #addGroup([name = "", threshold = "", ...members]: readonly string[]): void {
    this.#requireNewName(name);
    for (const member of members) this.#addMember(member);
    this.#groups.set(name, { threshold: readThreshold(threshold, members.length), members });
  }

  /** A witness that stands in two groups would count twice for one that holds both (C2SP tlog-policy, "group"). */
  #addMember(name: string): void {
    this.#requireKnown(name);
    if (this.#grouped.has(name)) throw malformed("a witness or a group is a member twice");
    this.#grouped.add(name);
  }

  #setQuorum([name = "", ...rest]: readonly string[]): void {
    requireEnd(rest);
    if (this.#quorum !== undefined) throw malformed("a policy has two quorum lines");
    if (name !== NO_QUORUM) this.#requireKnown(name);
    this.#quorum = name === NO_QUORUM ? null : name;
  }

  /** One key under two names would count for two, and a log must not be its own witness. */
  #requireNewKey({ publicKey }: NoteKey): void {
    const known = [...this.#logs, ...this.#witnesses];
    if (known.some(({ key }) => equalBytes(key.publicKey, publicKey)))
      throw malformed("a key stands in a policy twice");
  }

  #requireNewName(name: string): void {
    if (name === "" || name === NO_QUORUM || this.#isKnown(name)) {
      throw malformed("a witness or a group has no name of its own");
    }
  }

  #requireKnown(name: string): void {
    if (!this.#isKnown(name)) throw malformed("a name stands for no witness or group of an earlier line");
  }

  #isKnown(name: string): boolean {
    return this.#groups.has(name) || this.#witnesses.some((witness) => witness.name === name);
  }
}

function readThreshold(text: string, members: number): number {
  const threshold = text === "all" ? members : text === "any" ? 1 : Number(text);
  const isNumber = text === "all" || text === "any" || DECIMAL.test(text);
  if (members > 0 && isNumber && threshold <= members) return threshold;
  throw malformed("a group asks for none, or for more than all, of its members");
}

function requireEnd(rest: readonly string[]): void {
  if (rest.length > 0) throw malformed("a line of a policy is too long");
}

function naming(line: number, read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof DisclosureError)) throw error;
    throw new DisclosureError("malformed", `line ${line} of the policy: ${error.message}`, { line }, error);
  }
}

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
