// The newest published root with its age, the log's newest checkpoint, and who signed it, as the service states them.

import { rootPath } from "../../../../contract/metachain-paths.ts";
import { HOUR_MS } from "../../../../contract/time.ts";
import type { Seal } from "../../../../evidence/core/formats/metachain.ts";
import { timestampsOf } from "../../../../evidence/core/formats/metachain.ts";
import type { ReadStatus } from "../../../../evidence/core/formats/service-status.ts";
import { MAX_QUORUM_AGE_MS } from "../../../../evidence/core/log/open-checkpoint.ts";
import { formatNumber } from "../../../../evidence/reader/text/format.ts";
import { ageOf } from "../../status/age.ts";
import { type Child, definitions, el, section } from "../dom.ts";
import { bdi, hash, zonedTime } from "../format.ts";
import { labelIn, missingPart, type StatusView } from "./part.ts";

export function rootsView(view: StatusView): HTMLElement {
  const { text, answers } = view;
  const { head } = answers;
  if (head.kind !== "read") return section("roots", text.roots.heading, missingPart(text, head));
  const { size, latest } = head.value;
  if (latest === null) return section("roots", text.roots.heading, el("p", {}, text.roots.none));
  return section("roots", text.roots.heading, figures(view, size, latest), sealFacts(view, latest));
}

/** The eye looks for these first: is the service alive, and how large is it? */
function figures({ text, answers }: StatusView, size: number, latest: Seal): HTMLElement {
  const age = ageOf(text.locale, latest.sealed_at, answers.readAt);
  const count = formatNumber(text.locale, size);
  return el(
    "dl",
    { class: "figures" },
    figure(text.roots.newest, age ?? text.roots.number(formatNumber(text.locale, latest.index))),
    figure(text.roots.count, count),
    figure(text.roots.entries, formatNumber(text.locale, latest.tree_size)),
  );
}

const figure = (term: string, value: string): HTMLElement =>
  el("div", {}, el("dt", {}, term), el("dd", {}, value));

function sealFacts(view: StatusView, latest: Seal): HTMLElement {
  const { text, answers } = view;
  const { roots, locale } = text;
  const age = ageOf(locale, latest.sealed_at, answers.readAt);
  const index = formatNumber(locale, latest.index);
  return definitions(
    [
      [roots.newest, el("a", { href: `/${rootPath(latest.index)}` }, roots.number(index))],
      [
        roots.sealed,
        el(
          "span",
          {},
          zonedTime(view, latest.sealed_at),
          el("small", {}, age === null ? roots.future : roots.clock),
        ),
      ],
      [roots.receipts, roots.newReceipts(formatNumber(locale, latest.receipt_count))],
      [roots.timestamps, authorities(view, latest)],
      [roots.root, hash(latest.merkle_root)],
    ],
    "pairs",
  );
}

function authorities({ text }: StatusView, seal: Seal): Child {
  const urls = timestampsOf(seal).flatMap(({ tsa_url }) => tsa_url ?? []);
  if (urls.length === 0) return text.roots.pending;
  return el("span", {}, ...urls.map((url) => el("span", { class: "line" }, bdi(url))));
}

export function logView(view: StatusView): HTMLElement {
  const { text, answers } = view;
  const { log } = text;
  const { head, checkpoint, status } = answers;
  const lead = el("p", { class: "remark" }, log.lead);
  if (checkpoint.kind === "absent")
    return section("log", log.heading, lead, el("p", { class: "notice" }, log.none));
  if (checkpoint.kind === "failed") return section("log", log.heading, lead, missingPart(text, checkpoint));
  const { origin, size, cosigners } = checkpoint.value;
  const quorum = status.kind === "read" ? status.value.log.quorum : null;
  const key = head.kind === "read" ? head.value.log?.vkey : undefined;
  const facts = definitions(
    [
      [log.origin, bdi(origin)],
      [log.size, formatNumber(text.locale, size)],
      [log.cosigners, cosigners.length === 0 ? log.noCosigners : el("span", {}, ...cosigners.map(line))],
      [log.quorum, quorum && quorumView(view, quorum)],
      [log.key, key === undefined ? null : hash(key)],
    ],
    "pairs",
  );
  return section("log", log.heading, lead, quorum && oldNotice(text, quorum), facts);
}

type Quorum = ReadStatus["log"]["quorum"];

/** The states in which nobody need doubt that this is the newest state of the log. */
const FINE: ReadonlySet<string> = new Set(["recent", "not_asked"]);

/** A state that this page does not know stands for itself. */
function quorumView(view: StatusView, { status, at, tree_size }: Quorum): HTMLElement {
  const { log, locale } = view.text;
  const name = FINE.has(status) ? {} : { class: "doubt" };
  if (at === null) return el("span", name, labelIn(log.quorumStates, status) ?? status);
  const age = ageOf(locale, at, view.answers.readAt);
  return el(
    "span",
    {},
    age === null ? null : el("span", name, age),
    el("small", {}, zonedTime(view, at)),
    tree_size === null ? null : el("small", {}, log.quorumSize(formatNumber(locale, tree_size))),
  );
}

const oldNotice = ({ log, locale }: StatusView["text"], { status }: Quorum): HTMLElement | null =>
  status === "old"
    ? el("p", { class: "notice stale" }, log.old(formatNumber(locale, MAX_QUORUM_AGE_MS / HOUR_MS)))
    : null;

const line = (name: string): HTMLElement => el("span", { class: "line" }, bdi(name));
