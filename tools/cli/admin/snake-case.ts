// Names in `--json` are in snake_case, like those of the API.

/** The value with every member's name in snake_case, at any depth. */
export function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toSnakeCase(name), inSnakeCase(member)]),
  );
}

const toSnakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
