// The numbers that are missing from a list.

/** Numbers that follow each other, both ends included. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** The gaps from `start` to the last of these numbers, which ascend and may repeat. */
export function gapsIn(numbers: readonly number[], start: number): NumberRange[] {
  const gaps: NumberRange[] = [];
  let expected = start;
  for (const number of numbers) {
    if (number > expected) gaps.push({ from: expected, to: number - 1 });
    expected = Math.max(expected, number + 1);
  }
  return gaps;
}
