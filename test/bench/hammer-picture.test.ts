// What a run shows at its end: the picture and the table.
import { expect, test } from "vitest";
import { Measures } from "../../bench/hammer/load/measures.ts";
import { byName, figuresOf } from "../../bench/hammer/show/figures.ts";
import { renderPicture } from "../../bench/hammer/show/picture.ts";
import { renderTable } from "../../bench/hammer/show/table.ts";

const moment = (second: number) => ({
  second,
  attestations: second * 10,
  p50: 5,
  p99: 50,
  faults: second % 2,
});
const picture = (seconds: number) =>
  renderPicture({
    title: "a <b> & c",
    figures: { moments: Array.from({ length: seconds }, (_, second) => moment(second)) },
  });

test("the picture is one SVG with titled axes, in light and dark", () => {
  const svg = picture(60);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
  for (const words of [
    "receipts a second",
    "latency of an attestation",
    "seconds since the load began",
    "faults",
  ])
    expect(svg).toContain(words);
  expect(svg).toContain("prefers-color-scheme: dark");
  expect(svg).toContain("a &lt;b> &amp; c");
  expect(svg).not.toContain("NaN");
});

test("a long run has no more points than can be seen, and no second of faults is left out", () => {
  const svg = picture(3_600);
  const [points = ""] = svg.match(/(?<=polyline class="line one" points=")[^"]*/) ?? [];
  expect(points.split(" ").length).toBeLessThanOrEqual(480);
  expect(svg.match(/class="fault"/g)?.length).toBe(1_800);
});

test("a run without a call has a picture, too", () => {
  expect(renderPicture({ title: "", figures: { moments: [] } })).not.toMatch(/NaN|Infinity/);
});

test("the table has each kind of call, what a receipt took, the faults, and what was found", () => {
  const measures = new Measures();
  measures.took("attest", 12);
  measures.answered(200);
  const counts = {
    requests: { "attest Query": 4, "seal Query": 9 },
    units: { "attest write": 12, "attest read": 2 },
    faults: { "fails attest Query": 1, "fails seal Query": 2, "disk-full": 1 },
    held: 0,
    shownOtherBytes: 0,
  };
  const inTime = { seconds: 10, receipts: 2 };
  const figures = figuresOf({
    measures,
    inTime,
    receipts: 2,
    openCalls: 0,
    lostRaces: 1,
    counts,
    driverFaults: { kill: 1 },
  });
  const findings = [{ at: "2026-11-23T00:00:00Z", by: "report", what: "does not hold" }];
  const table = renderTable({ figures, findings, verdict: null, holds: false });
  expect(figures.perSecond).toBe(0.2);
  expect(table).toContain("a receipt: 2.00 requests, 6.00 write units, 1.00 read units");
  expect(table).toMatch(/attest +1 +12/);
  expect(table).toMatch(/fails +3/);
  expect(table).toMatch(/kill +1/);
  expect(table).toContain("report: does not hold");
  expect(table).toContain("SOMETHING WAS FOUND");
  const checks = [
    { name: "sizes", count: 3, findings: ["one"], unmade: null },
    { name: "no other chain", count: 0, findings: [], unmade: "an anchor is not known" },
  ];
  const judged = renderTable({ figures, findings, verdict: { checks, verdict: "findings" }, holds: false });
  expect(judged).toMatch(/sizes +3, 1 found$/m);
  expect(judged).toMatch(/no other chain +0, not made: an anchor is not known$/m);
  expect(byName(counts.faults)).toEqual({ fails: 3, "disk-full": 1 });
});
