// The witnesses that a log asks to cosign its checkpoints (C2SP tlog-witness), by the log's own tlog-policy.
import { DisclosureError } from "../errors.ts";
import { commonWitnesses } from "./common-witnesses.ts";
import { type NoteKey, SIGNATURE_TYPE } from "./note.ts";
import { isQuorum, type PolicyWitness, parsePolicy, type TlogPolicy } from "./tlog-policy.ts";

/** Readers take 16 signatures of a note at least: the log's own, these, and some room. */
export const MAX_ASKED_WITNESSES = 12;
const ADD_CHECKPOINT = "/add-checkpoint";

/** A witness, and where to send it a checkpoint. */
export interface AskedWitness {
  /** Its name in the policy. */
  readonly name: string;
  readonly key: NoteKey;
  /** The URL of add-checkpoint. */
  readonly url: string;
}

export interface WitnessPolicyOptions {
  /** True where a witness may be asked over plain HTTP: on one's own machine, and in trials. */
  readonly plainHttp: boolean;
}

/**
 * Reads the policy that a log acts by. Throws `malformed` where no checkpoint could ever get the quorum, or two logs could
 * without a witness that lies.
 */
export function parseWitnessPolicy(text: string, { plainHttp }: WitnessPolicyOptions): TlogPolicy {
  const policy = parsePolicy(text);
  const asked = askedWitnesses(policy);
  if (asked.length === 0) throw malformed("the policy has no witness with a URL");
  if (asked.length > MAX_ASKED_WITNESSES) {
    throw malformed(`the policy has more than ${MAX_ASKED_WITNESSES} witnesses with a URL`);
  }
  for (const witness of asked) requireAskable(witness, plainHttp);
  if (!isQuorum(policy, new Set(asked.map(({ name }) => name))))
    throw malformed("the policy's quorum needs witnesses that have no URL");
  if (commonWitnesses(policy) > 0) return policy;
  throw malformed(
    "the policy's quorum does not exclude a second log: two sets that make it need a witness in common",
  );
}

/** The witnesses that have a URL. A bastion's URL has a path, to which the last part is appended, too. */
export const askedWitnesses = ({ witnesses }: TlogPolicy): readonly AskedWitness[] =>
  witnesses.flatMap(({ name, key, url }: PolicyWitness) =>
    url === null ? [] : [{ name, key, url: `${url.replace(/\/$/, "")}${ADD_CHECKPOINT}` }],
  );

function requireAskable({ name, key, url }: AskedWitness, plainHttp: boolean): void {
  const { protocol, username, password, search, hash } = parseUrl(name, url);
  const isPlain = username === "" && password === "" && search === "" && hash === "";
  if (!isPlain) throw malformed(`the URL of the witness ${name} has more than a host and a path`);
  if (protocol !== "https:" && !(plainHttp && protocol === "http:")) {
    throw malformed(`the URL of the witness ${name} must begin with https://`);
  }
  if (key.type !== SIGNATURE_TYPE.cosignature) {
    throw malformed(`the key of the witness ${name} is of a type that this program can't verify`);
  }
}

function parseUrl(name: string, url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw malformed(`the URL of the witness ${name} is none`);
}

const malformed = (message: string): DisclosureError => new DisclosureError("malformed", message);
