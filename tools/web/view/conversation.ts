// A conversation as a whole: what its receipts and requests say of it.
import { missingTurns } from "../../../evidence/reader/conversation-pages.ts";
import { describeErasures } from "../../../evidence/reader/text/erasure.ts";
import { formatNumber, localTime, textAt, utcTime } from "../../../evidence/reader/text/format.ts";
import { isWhole } from "../../../evidence/reader/verdict.ts";
import { definitions, el, section } from "./dom.ts";
import { bdi } from "./format.ts";
import type { View } from "./view.ts";

export function conversationFacts(view: View): HTMLElement | null {
  const { text, entry } = view;
  if (entry.evidence.kind !== "bundle") return null;
  const { facts } = text;
  const { bundle } = entry.evidence;
  const isLastTurnStated = missingTurns(entry.evidence).from === null && !isWhole(entry.examination);
  const agents = new Set(
    bundle.requests.map((request) => (request === null ? facts.erased : textAt(request, "agent_identity"))),
  );
  return section(
    "facts",
    facts.conversation,
    definitions(
      [
        [facts.interaction, bdi(bundle.interaction_id)],
        [facts.agent, bdi([...agents].join(", "))],
        [facts.receipts, formatNumber(text.locale, bundle.receipts.length)],
        [facts.period, period(view, bundle.receipts)],
      ],
      "pairs",
    ),
    ...erasureRemarks(view),
    el("p", { class: "remark" }, entry.verdict.outcome === "does_not_hold" ? facts.brokenWhole : facts.limit),
    isLastTurnStated ? el("p", { class: "remark" }, facts.lastTurn) : null,
  );
}

/** The erasure that the file tells of, if it tells of any. */
export const erasureRemarks = ({ text, entry }: View): HTMLElement[] =>
  describeErasures(text, entry.evidence).map((sentence) => el("p", { class: "remark" }, sentence));

function period({ text, timeZone }: View, receipts: readonly unknown[]): HTMLElement {
  const { facts, locale } = text;
  const [from = "", until = ""] = [receipts.at(0), receipts.at(-1)].map((each) => textAt(each, "issued_at"));
  const [localFrom, localUntil] = [from, until].map((instant) => localTime(locale, instant, timeZone));
  return el(
    "span",
    {},
    facts.to(utcTime(locale, from), utcTime(locale, until)),
    localFrom == null || localUntil == null ? null : el("small", {}, facts.to(localFrom, localUntil)),
    el("small", {}, facts.ownClock),
  );
}
