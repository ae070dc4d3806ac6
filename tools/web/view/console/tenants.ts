// The tenants with the month's receipts beside their quota, one of them by day and by chain.
import type {
  ConsoleChains,
  ConsoleDays,
  ConsoleTenant,
  ConsoleTenants,
} from "../../../../contract/console.ts";
import { button, type Child, el, section, svg } from "../dom.ts";
import { bdi } from "../format.ts";
import { asTable, type ConsoleView, clockElement, number, remark, row, table } from "./part.ts";

/** From here on a quota counts as nearly used up. */
const NEARLY = 0.8;
/** Shares below this are said to be less than it. */
const LEAST = 0.001;
const BAR_WIDTH = 100;
const BAR_HEIGHT = 10;
const PLOT_HEIGHT = 150;
const PLOT_TOP = 22;
const PLOT_FOOT = 22;
const PLOT_SIDE = 6;
const DAY_LENGTH = 2;

export function tenantsView(
  view: ConsoleView,
  { month, tenants, left_out: leftOut }: ConsoleTenants,
  onShow: (tenant: string) => void,
): HTMLElement {
  const { tenants: words } = view.text;
  if (tenants.length === 0) return section("tenants", words.heading, el("p", { class: "empty" }, words.none));
  const heads = [words.tenant, words.plan, words.use];
  const most = Math.max(1, ...tenants.map(({ receipts }) => receipts));
  const rows = tenants.map((tenant) =>
    row(heads, nameOf(view, tenant, onShow), bdi(tenant.plan), useOf(view, tenant, most)),
  );
  return section(
    "tenants",
    words.heading,
    remark(words.lead(monthName(view, month))),
    table(heads, rows, "listing tenant-rows", words.heading),
    leftOut === 0 ? null : remark(words.leftOut(number(view, leftOut))),
  );
}

const monthName = ({ text }: ConsoleView, month: string): string =>
  new Intl.DateTimeFormat(text.locale, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

function nameOf(
  { text }: ConsoleView,
  { id, is_suspended }: ConsoleTenant,
  onShow: (id: string) => void,
): Child {
  const { tenants: words } = text;
  const attributes = { class: "link", id: `show-${id}`, "aria-label": words.show(id) };
  const name = button(id, () => onShow(id), attributes);
  return el("span", {}, name, is_suspended ? el("small", {}, words.suspended) : null);
}

/** Beside a quota the bar is a part of it; without one, it is a part of what the busiest tenant has. */
function useOf(view: ConsoleView, { receipts, quota }: ConsoleTenant, most: number): HTMLElement {
  const { tenants: words, locale } = view.text;
  const count = number(view, receipts);
  if (quota === null)
    return el("span", { class: "use" }, useBar(receipts / most, "is-free"), words.unlimited(count));
  const part = quota === 0 ? 1 : receipts / quota;
  const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const isLess = part > 0 && part < LEAST;
  const percent = isLess ? words.less(percents.format(LEAST)) : percents.format(part);
  const state = part >= 1 ? "is-broken" : part >= NEARLY ? "is-open" : "is-counted";
  const warning = part >= 1 ? words.usedUp : part >= NEARLY ? words.nearly : null;
  return el(
    "span",
    { class: "use" },
    useBar(part, state),
    words.of(count, number(view, quota), percent),
    warning === null ? null : el("strong", { class: state }, warning),
  );
}

const useBar = (part: number, state: string): SVGElement =>
  svg(
    "svg",
    {
      class: `use-bar ${state}`,
      viewBox: `0 0 ${BAR_WIDTH} ${BAR_HEIGHT}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    svg("rect", { width: BAR_WIDTH, height: BAR_HEIGHT, class: "use-all" }),
    svg("rect", {
      width: part === 0 ? 0 : Math.min(BAR_WIDTH, Math.max(1, part * BAR_WIDTH)),
      height: BAR_HEIGHT,
      class: "use-part",
    }),
  );

export function daysView(view: ConsoleView, { tenant, days }: ConsoleDays): HTMLElement {
  const { days: words } = view.text;
  const heading = words.heading(tenant);
  if (days === null) return section("days", heading, remark(words.tooMany));
  const heads = [words.day, words.receipts];
  const rows = days.map(({ day, receipts }) => row(heads, day, number(view, receipts)));
  return section(
    "days",
    heading,
    plotOf(view, days),
    asTable("day-table", words.asTable, table(heads, rows, "listing dense", heading)),
  );
}

type Days = NonNullable<ConsoleDays["days"]>;

/** The days of the month so far as a line over an area; a month has room for 31 of them. */
function plotOf(view: ConsoleView, days: Days): SVGElement {
  const most = Math.max(1, ...days.map(({ receipts }) => receipts));
  const step = (view.width - 2 * PLOT_SIDE) / Math.max(1, days.length - 1);
  const foot = PLOT_HEIGHT - PLOT_FOOT;
  const points = days.map(({ receipts }, i) => {
    const x = days.length === 1 ? view.width / 2 : PLOT_SIDE + i * step;
    return { x, y: foot - (receipts / most) * (foot - PLOT_TOP) };
  });
  const line = points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(" L");
  const [first, last] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0];
  // Every label has room, however narrow the picture is.
  const every = Math.max(1, Math.ceil((days.length * 26) / view.width));
  return svg(
    "svg",
    {
      class: "day-picture",
      role: "img",
      "aria-label": view.text.days.picture(number(view, days.length), number(view, most)),
      viewBox: `0 0 ${view.width} ${PLOT_HEIGHT}`,
      width: view.width,
      height: PLOT_HEIGHT,
    },
    svg("line", { x1: 0, x2: view.width, y1: PLOT_TOP, y2: PLOT_TOP, class: "lane is-most" }),
    svg("line", { x1: 0, x2: view.width, y1: foot, y2: foot, class: "lane" }),
    svg("text", { x: 0, y: PLOT_TOP - 6, class: "lane-most" }, number(view, most)),
    svg("path", { d: `M${first} ${foot} L${line} L${last} ${foot} Z`, class: "area" }),
    svg("path", { d: `M${line}`, class: "curve" }),
    ...points.map(({ x, y }) => svg("circle", { cx: x, cy: y, r: 2.6, class: "dot" })),
    ...points.flatMap(({ x }, i) => (i % every === 0 ? [dayLabel(days[i]?.day ?? "", x, view.width)] : [])),
  );
}

function dayLabel(day: string, x: number, width: number): SVGElement {
  const anchor = x < PLOT_SIDE * 2 ? "start" : x > width - PLOT_SIDE * 2 ? "end" : "middle";
  const label = String(Number(day.slice(-DAY_LENGTH)));
  return svg("text", { x, y: PLOT_HEIGHT - 5, class: "lane-time", "text-anchor": anchor }, label);
}

export function chainsView(
  view: ConsoleView,
  { tenant, chains, left_out: leftOut }: ConsoleChains,
): HTMLElement {
  const { chains: words } = view.text;
  const heads = [words.chain, words.size, words.sealed, words.newest];
  const rows = chains.map(({ shard, chain_id, size, sealed_size, newest }) =>
    row(
      heads,
      el("span", {}, number(view, shard), el("small", {}, el("code", {}, chain_id))),
      number(view, size),
      number(view, sealed_size),
      newest === null ? "–" : clockElement(newest),
    ),
  );
  return section(
    "chains",
    words.heading(tenant),
    table(heads, rows, "listing dense", words.heading(tenant)),
    leftOut === 0 ? null : remark(words.leftOut(number(view, leftOut))),
  );
}
