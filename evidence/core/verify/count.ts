// Counts with a singular or plural noun.

/** "1 root", "2 roots". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;
