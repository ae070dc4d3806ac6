// Makes the vectors of histories: evidence, histories and logs of the small worlds in history-cases.ts and
// conversation-cases.ts, and what the checks of docs/history.md come to. A file that several cases have is there once.
import { bundleOf, historyFiles, logFiles, pendingIn, reportAt } from "../../support/head-world.ts";
import { print, type Vectors } from "./edit.ts";
import { type BundleCase, CONVERSATION_CASES } from "./conversation-cases.ts";
import { HISTORY_CASES, type HistoryCase } from "./history-cases.ts";

type Files = Iterable<readonly [string, string | Uint8Array]>;

/** Names what is the same in the same way: `log-0`, `log-1` …, in the order of the cases. */
class Named {
  readonly files: [string, string | Uint8Array][] = [];
  readonly #names = new Map<string, string>();

  name(kind: string, key: string, make: () => Files): string {
    const known = this.#names.get(`${kind} ${key}`);
    if (known !== undefined) return known;
    const count = [...this.#names.keys()].filter((other) => other.startsWith(`${kind} `)).length;
    const folder = `histories/${kind}-${count}`;
    this.#names.set(`${kind} ${key}`, folder);
    for (const [path, bytes] of make()) this.files.push([`${folder}${path}`, bytes]);
    return folder;
  }
}

export function historyVectors(): Vectors {
  const named = new Named();
  const rows = [...HISTORY_CASES, ...CONVERSATION_CASES].map((one) => rowOf(one, named));
  return Object.fromEntries([...named.files, ["histories.json", print(rows as never)]]);
}

function rowOf(one: HistoryCase | BundleCase, named: Named) {
  const { name, reason, history, hasAnchor = false, expected } = one;
  const log = one.log.split(" ");
  const walked = log.slice(0, one.walked ?? log.length);
  const kind = "turns" in one ? "bundle" : "report";
  const evidence = print(evidenceOf(one, log) as never);
  const below = (files: Map<string, Uint8Array>): Files => [...files].map(([path, bytes]) => [`/${path}`, bytes]);
  return {
    ...{ name, reason },
    file: `${named.name(kind, evidence, () => [[".json", evidence]])}.json`,
    history:
      history === null
        ? null
        : named.name("history", `${history} ${hasAnchor}`, () =>
            below(historyFiles(history.split(" "), hasAnchor)),
          ),
    log: walked.length === 0 ? null : named.name("log", walked.join(" "), () => below(logFiles(walked))),
    expected,
  };
}

function evidenceOf(one: HistoryCase | BundleCase, log: readonly string[]): object {
  if ("turns" in one) return bundleOf(log, one.turns, one.isErased ?? false);
  return typeof one.receipt === "string" ? pendingIn(one.receipt) : reportAt(log, one.receipt, one);
}
