// A layer as far as it can be read: the lint finds all faults of a file in one run, also where one part is no layer's.
import * as z from "zod";

/** Empty where there is no such text: what can't be read, the schema of layers reports. */
const text = z.string().catch("");
const texts = z.array(text).catch([]);

const draftWordingShape = z.object({
  id: text,
  language: text,
  modality: text,
  methods: texts,
  text,
  digest: text,
  approved_on: text,
  retired_on: z.string().nullable().catch(null),
});
export type DraftWording = z.infer<typeof draftWordingShape>;

const NO_WORDING: DraftWording = draftWordingShape.parse({});
const draftMethodShape = z.object({ id: text, modalities: texts, reported: z.boolean().catch(false) });

const draftLayerShape = z.object({
  jurisdiction: text,
  status: text,
  version: text,
  disclosure_methods: z.array(draftMethodShape.catch({ id: "", modalities: [], reported: false })).catch([]),
  wordings: z.array(draftWordingShape.catch(NO_WORDING)).catch([]),
});
export type DraftLayer = z.infer<typeof draftLayerShape>;

const NO_LAYER: DraftLayer = draftLayerShape.parse({});

export const readDraft = (data: unknown): DraftLayer => draftLayerShape.catch(NO_LAYER).parse(data);

/** How messages name a wording: by its id, or by its place in the file. */
export const nameOfWording = ({ id }: Pick<DraftWording, "id">, index: number): string =>
  `Wording ${id === "" ? index + 1 : id}`;
