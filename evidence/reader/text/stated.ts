// What the caller states beyond what it must, as every program shows it. No check says that it is true.
import { statedInstantSchema } from "../../core/formats/shapes.ts";
import type { Text } from "./text.ts";

export interface StatedField {
  readonly label: string;
  readonly value: string;
  readonly isTime: boolean;
}

/** In the order of the catalogue. The receipt may hold anything. */
export function statedFields({ facts }: Text, receipt: unknown): StatedField[] {
  const { disclosure } = (receipt ?? {}) as { disclosure?: Readonly<Record<string, unknown>> | null };
  return Object.entries(facts.stated).flatMap(([name, label]) => {
    const value = disclosure?.[name];
    return typeof value !== "string"
      ? []
      : [{ label, value, isTime: statedInstantSchema.safeParse(value).success }];
  });
}
