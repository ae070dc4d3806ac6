// The examples that the page brings along, for visitors without a receipt: build/web.ts puts them into the page.

export interface SampleFile {
  readonly name: string;
  readonly text: string;
}

type Samples = Readonly<Record<"good" | "forged", readonly SampleFile[]>>;

/** The files of an example: a receipt, and all that it is checked with. */
export function readSample(name: keyof Samples): readonly SampleFile[] {
  const json = document.getElementById("samples")?.textContent ?? "";
  return (JSON.parse(json) as Samples)[name];
}
