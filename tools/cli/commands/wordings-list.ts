// The wordings of a layer as `wordings` lists them. A newer deployment's layer may have more members than this program knows.
import * as z from "zod";
import { printTable } from "../output/table.ts";
import { bold, dim, type Terminal } from "../output/terminal.ts";

const listedWordingSchema = z.object({
  id: z.string(),
  language: z.string(),
  modality: z.string(),
  methods: z.array(z.string()).readonly(),
  digest: z.string(),
  text: z.string(),
  use: z.string(),
  approved_on: z.string(),
  retired_on: z.string().nullable(),
});
type ListedWording = z.infer<typeof listedWordingSchema>;

export const listedLayerSchema = z.object({
  jurisdiction: z.string(),
  status: z.string(),
  version: z.string(),
  wordings: z.array(listedWordingSchema).readonly(),
});
export type ListedLayer = z.infer<typeof listedLayerSchema>;

/** `today` is YYYY-MM-DD, in UTC. */
export function printWordings(wordings: readonly ListedWording[], today: string, terminal: Terminal): void {
  for (const wording of wordings) {
    const { id, modality, methods, language, text, use, digest } = wording;
    terminal.print(bold(id), dim(`  ${modality}, ${methods.join(", ")}, ${language}`));
    printTable(terminal, [
      [dim("text"), text],
      [dim("for"), use],
      [dim("digest"), digest],
      [dim("state"), stateOf(wording, today)],
    ]);
  }
}

/** The verdict on this wording at a day, in words. */
function stateOf({ approved_on, retired_on }: ListedWording, today: string): string {
  if (today < approved_on) return `approved from ${approved_on}; MODIFY before that day`;
  if (retired_on === null) return `in use since ${approved_on}`;
  if (today > retired_on) return `retired on ${retired_on}; BLOCK since`;
  return `in use since ${approved_on}, to ${retired_on}; BLOCK after that day`;
}
