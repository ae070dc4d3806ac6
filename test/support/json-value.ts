// JSON values that our strict reader accepts: any text, and no integer beyond 2^53.
import fc from "fast-check";

const MAX = Number.MAX_SAFE_INTEGER;
export const { value: jsonValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.string({ unit: "binary" }),
    fc.maxSafeInteger(),
    fc.double({ min: -MAX, max: MAX, noNaN: true }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.string({ unit: "binary" }), tie("value"), { maxKeys: 5 }),
  ),
}));
