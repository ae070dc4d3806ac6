// The examples that the page brings along, for visitors without a receipt: build/web.ts puts them into the page.

import type { GivenAs } from "./given-file.ts";

export interface SampleFile {
  readonly name: string;
  readonly text: string;
  /** The example's root counts as published: no host is asked about an example. */
  readonly as?: GivenAs;
}

type Samples = Readonly<Record<"good" | "forged", readonly SampleFile[]>>;

/** The files of an example: a receipt, and all that it is checked with. */
export function readSample(name: keyof Samples): readonly SampleFile[] {
  const json = document.getElementById("samples")?.textContent ?? "";
  return (JSON.parse(json) as Samples)[name];
}
