// The beginning and the end of the status page: what this is, where to go, and when it was read.
import { CHECKPOINT_ROUTE, HEAD_ROUTE } from "../../../../contract/metachain-paths.ts";
import { POLICY_ROUTE } from "../../../../contract/policy-paths.ts";
import { OPENAPI_PATH, PAGE_PATH, PROBLEMS_PATH, STATUS_PATH } from "../../../../contract/public-paths.ts";
import type { StatusText } from "../../status/text-en.ts";
import { button, el, section } from "../dom.ts";
import { zonedTime } from "../format.ts";
import type { StatusView } from "./part.ts";

export const introView = ({ intro }: StatusText): HTMLElement =>
  el(
    "section",
    { class: "intake", "aria-labelledby": "intro-heading" },
    el("h1", { id: "intro-heading" }, intro.heading),
    el("p", { class: "lead" }, intro.lead),
    el(
      "p",
      { class: "actions" },
      el("a", { href: PAGE_PATH, class: "button main" }, intro.verify),
      el("a", { href: OPENAPI_PATH, class: "button" }, intro.describe),
    ),
  );

export const readingView = (view: StatusView, onAgain: () => void): HTMLElement =>
  el(
    "div",
    { class: "reading" },
    el("p", { class: "remark" }, view.text.stated),
    el(
      "p",
      { class: "remark" },
      `${view.text.readAt} `,
      zonedTime(view, view.answers.readAt.toISOString()),
      button(view.text.again, onAgain, { class: "link", id: "again" }),
    ),
  );

export function linksView({ links }: StatusText): HTMLElement {
  const entries = [
    [PAGE_PATH, links.verify],
    [OPENAPI_PATH, links.openapi],
    [PROBLEMS_PATH, links.problems],
    [POLICY_ROUTE, links.policy],
    [HEAD_ROUTE, links.head],
    [CHECKPOINT_ROUTE, links.checkpoint],
    [STATUS_PATH, links.status],
  ] as const;
  const items = entries.map(([path, words]) =>
    el("li", {}, el("a", { href: path }, el("code", {}, path)), el("span", {}, words)),
  );
  return section("links", links.heading, el("ul", { class: "link-list" }, ...items));
}
