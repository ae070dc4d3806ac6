// What the files of a session come to together. Evidence of which a check failed is left out of everything but the outcome
// and the uses of companions: nobody knows what it is.
import { turnsOf } from "../conversation-pages.ts";
import { conversationKey } from "../conversations.ts";
import { CrossCheck } from "../cross-check.ts";
import { judgeChecks, worstOf } from "../verdict.ts";
import type { CrossFinding, FileFinding, JoinedPages, SessionFindings } from "./findings.ts";
import type { GivenRequest } from "./given.ts";
import type { Examined, OpenedSession } from "./opened-session.ts";
import { Inventory } from "./summary.ts";
import { Uses } from "./uses.ts";
import { WordingComparison } from "./wording-comparison.ts";

/** A page of a conversation: its first and its last turn. */
interface ConversationPage {
  readonly key: string;
  readonly interactionId: string;
  readonly first: number;
  readonly last: number;
  readonly file: string;
}

export class Together {
  readonly #crossCheck = new CrossCheck();
  readonly #inventory: Inventory;
  readonly #comparison = new WordingComparison();
  readonly #uses = new Uses();
  readonly #pages: ConversationPage[] = [];

  constructor(requests: readonly GivenRequest[]) {
    const ids = requests.flatMap(({ inputHash, request: { interaction_id: id } }) =>
      typeof id === "string" ? [[inputHash, id] as const] : [],
    );
    this.#inventory = new Inventory(new Map(ids));
  }

  add({ file, evidence, examination, verdict }: Examined): void {
    this.#uses.add(evidence, examination);
    if (verdict.outcome === "does_not_hold") return;
    this.#crossCheck.add(evidence, file);
    this.#inventory.add(evidence, file);
    this.#comparison.add(examination, file);
    const turns = evidence.kind === "bundle" ? turnsOf(evidence) : null;
    if (evidence.kind !== "bundle" || turns === null) return;
    const { bundle } = evidence;
    const [first, last] = turns;
    this.#pages.push({
      key: conversationKey(bundle),
      interactionId: bundle.interaction_id,
      first,
      last,
      file,
    });
  }

  async conclude<T>(
    files: readonly FileFinding<T>[],
    session: OpenedSession,
    text: string | null,
  ): Promise<SessionFindings<T>> {
    const together = this.#crossCheck.isComparable ? await this.#checkTogether() : null;
    const outcomes = files.map(({ outcome }) => outcome);
    return {
      // Where there is no evidence, nothing holds.
      outcome:
        files.length === 0
          ? "unreadable"
          : worstOf([...outcomes, ...(together === null ? [] : [together.outcome])]),
      files,
      together,
      companions: this.#uses.companions(session),
      pages: together === null || together.outcome === "does_not_hold" ? [] : joinPages(this.#pages),
      summary: this.#inventory.summary(session.tenant),
      comparison: text === null ? null : this.#comparison.compare(text),
      usedAnchors: this.#uses.usedAnchors(session.anchors),
    };
  }

  async #checkTogether(): Promise<CrossFinding> {
    const { checks } = await this.#crossCheck.verify();
    const placed = checks.map((check) => ({ ...check, place: "" }));
    return { outcome: judgeChecks(placed).outcome, checks: placed };
  }
}

/** Conversations in several files whose turns follow one another. */
function joinPages(pages: readonly ConversationPage[]): JoinedPages[] {
  return [...Map.groupBy(pages, ({ key }) => key).values()].flatMap((group) => {
    const ordered = group.toSorted((a, b) => a.first - b.first);
    const [first, last] = [ordered.at(0), ordered.at(-1)];
    const isWhole = ordered.every(({ first }, i) => i === 0 || first === (ordered[i - 1]?.last ?? 0) + 1);
    if (first === undefined || last === undefined || group.length < 2 || !isWhole) return [];
    const { interactionId } = first;
    return [{ interactionId, first: first.first, last: last.last, files: ordered.map(({ file }) => file) }];
  });
}
