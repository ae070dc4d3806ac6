// Arithmetic on leaf indices and tree sizes. They pass 2^31, so it divides: JavaScript's bit operators cut to 32 bits.

export const half = (n: number): number => Math.floor(n / 2);
export const isOdd = (n: number): boolean => n % 2 === 1;
