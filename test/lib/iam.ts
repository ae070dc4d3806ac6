// The policies of a synthesized stack, function by function, and what they say to a request.
import type { Resource, Synthesized } from "./synthesis.ts";

export interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
}

/** What is asked for: an action, and the values of the condition keys that come with it. */
export interface Request {
  readonly action: string;
  /** What follows the resource's ARN, such as an object's key. */
  readonly suffix?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

export const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** IAM's StringLike. */
export const isLike = (value: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll("?", ".")}$`).test(value);

/** How the operators that we use read: the values of a request, and those of the condition. */
const OPERATORS: Readonly<Record<string, (values: readonly string[], wanted: string[]) => boolean>> = {
  Null: (values, wanted) => wanted.includes(String(values.length === 0)),
  StringEquals: (values, wanted) => values.length === 1 && wanted.includes(values[0] ?? ""),
  "ForAnyValue:StringEquals": (values, wanted) => values.some((value) => wanted.includes(value)),
  "ForAllValues:StringEquals": (values, wanted) => values.every((value) => wanted.includes(value)),
  "ForAllValues:StringLike": (values, wanted) =>
    values.every((value) => wanted.some((pattern) => isLike(value, pattern))),
};

export class Policies {
  readonly #stack: Synthesized;

  constructor(stack: Synthesized) {
    this.#stack = stack;
  }

  functionOf(handler: string): Resource {
    const id = new RegExp(
      `(?:Handlers|Sealer|Biller|StageGuard|Webhooks)${handler.replaceAll("-", "")}Function`,
    );
    return this.#stack.one("AWS::Lambda::Function", id);
  }

  statementsOf({ Properties }: Resource): Statement[] {
    const role = Properties.Role["Fn::GetAtt"][0];
    return this.#stack
      .all("AWS::IAM::Policy")
      .filter((policy) => policy.Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role))
      .flatMap((policy) => policy.Properties.PolicyDocument.Statement);
  }

  /** Whether a function's own policy lets the request through. */
  allows(handler: string, request: Request): boolean {
    return this.statementsOf(this.functionOf(handler)).some((statement) => isAllowedBy(statement, request));
  }
}

function isAllowedBy({ Effect, Action, Resource, Condition = {} }: Statement, request: Request): boolean {
  if (Effect !== "Allow" || !list(Action).includes(request.action)) return false;
  const { suffix, context = {} } = request;
  if (suffix !== undefined && !list(Resource).some((resource) => isLike(suffix, suffixOf(resource))))
    return false;
  return Object.entries(Condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => {
      const holds = OPERATORS[operator];
      if (holds === undefined) throw new Error(`no condition of ours should need ${operator}`);
      return holds(context[key] ?? [], list(wanted));
    }),
  );
}

/** What a policy writes behind a resource's ARN: `Fn::Join` of the ARN and the rest. */
const suffixOf = (resource: unknown): string => JSON.stringify(resource).match(/"\/([^"]*)"\]\]/)?.[1] ?? "";
