// Asks the console's own program, and tells its silence from a deployment that can't be read.
/** From the request to the last byte of the answer: the first look at a large deployment takes seconds. */
const TIMEOUT_MS = 60_000;

/** Why there is no answer: the console's program is `gone`, or it says a code of its own. */
export class Unanswered extends Error {
  /** Null where nobody answered. */
  readonly problem: string | null;

  constructor(problem: string | null) {
    super(problem ?? "gone");
    this.problem = problem;
  }
}

interface Schema<T> {
  readonly safeParse: (value: unknown) => { data?: T };
}

/** `question` names what is asked for; members that are null are left out. Throws `Unanswered`. */
export async function ask<T>(
  path: string,
  schema: Schema<T>,
  question: Readonly<Record<string, string | null>> = {},
): Promise<T> {
  const asked = Object.entries(question).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const url = `${path}?${new URLSearchParams(asked)}`;
  const answer = await fetch(url, {
    credentials: "omit",
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  if (answer === null) throw new Unanswered(null);
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw new Unanswered(problemIn(body) ?? String(answer.status));
  const read = schema.safeParse(body);
  if (read.data === undefined) throw new Unanswered("malformed");
  return read.data;
}

const problemIn = (body: unknown): string | null =>
  typeof body === "object" && body !== null && "problem" in body ? String(body.problem) : null;
