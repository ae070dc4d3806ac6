// The calls of a process, recorded, and what each of them asks of IAM: policies are then asked whether AWS would have let it.
import { expect } from "vitest";
import type { Call, Interceptor } from "../support/faults.ts";
import { Policies, type Request } from "./iam.ts";
import { Synthesized, VARIANTS } from "./synthesis.ts";

export const policies = new Policies(new Synthesized(VARIANTS.production));

interface Keyed {
  readonly pk: { readonly S: string };
}
export interface Input {
  readonly Key?: Keyed | string;
  readonly Item?: Keyed;
  readonly RequestItems?: Record<string, { readonly Keys: readonly Keyed[] }>;
  readonly TransactItems?: readonly { readonly Put: { readonly Item: Keyed } }[];
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, { readonly S: string }>;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly MacAlgorithm?: string;
  readonly SigningAlgorithm?: string;
  readonly MessageType?: string;
  readonly IfNoneMatch?: string;
  readonly ObjectLockMode?: string;
}

const onTable = (operation: string, items: readonly (Keyed | undefined)[], more = {}): Request => ({
  action: `dynamodb:${operation}`,
  context: { "dynamodb:LeadingKeys": items.map((item) => item?.pk.S ?? "no key"), ...more },
});

/** The attributes that an update names, by themselves or through a placeholder. */
function attributesOf({
  UpdateExpression = "",
  ConditionExpression = "",
  ExpressionAttributeNames = {},
}: Input) {
  const names = `${UpdateExpression} ${ConditionExpression}`.match(/(?<![:\w])#?[a-z]\w*(?!\w*\()/g) ?? [];
  return ["pk", "sk", ...names.map((name) => ExpressionAttributeNames[name] ?? name)];
}

const signing = ({ SigningAlgorithm, MessageType }: Input) => ({
  "kms:SigningAlgorithm": [String(SigningAlgorithm)],
  "kms:MessageType": [String(MessageType)],
});

/** What IAM is asked when the SDK makes a call. */
function requestsOf(name: string, input: Input): Request[] {
  const item = typeof input.Key === "object" ? input.Key : input.Item;
  const suffix = String(input.Key);
  switch (name) {
    case "GetItem":
    case "PutItem":
      return [onTable(name, [item])];
    case "UpdateItem":
      return [onTable(name, [item], { "dynamodb:Attributes": attributesOf(input) })];
    case "BatchGetItem":
      return [
        onTable(
          name,
          Object.values(input.RequestItems ?? {}).flatMap(({ Keys }) => Keys),
        ),
      ];
    case "Query":
      return [onTable(name, [{ pk: input.ExpressionAttributeValues?.[":pk"] ?? { S: "no key" } }])];
    case "TransactWriteItems": {
      const enclosing = { "dynamodb:EnclosingOperation": [name] };
      return (input.TransactItems ?? []).map(({ Put }) => onTable("PutItem", [Put.Item], enclosing));
    }
    case "GenerateMac":
      return [{ action: "kms:GenerateMac", context: { "kms:MacAlgorithm": [String(input.MacAlgorithm)] } }];
    case "Sign":
      return [{ action: "kms:Sign", context: signing(input) }];
    case "GetPublicKey":
      return [{ action: "kms:GetPublicKey" }];
    case "GetObject":
      return [{ action: "s3:GetObject", suffix }];
    case "PutObject": {
      const lock = input.ObjectLockMode === undefined ? [] : [{ action: "s3:PutObjectRetention", suffix }];
      return [{ action: "s3:PutObject", suffix }, ...lock];
    }
    case "PutEvents":
      return [{ action: "events:PutEvents", context: { "events:source": ["disclosure-receipts"] } }];
    case "Stamp":
    case "Post":
      return [];
    default:
      throw new Error(`nobody has said which right ${name} takes`);
  }
}

/** Records the calls of a process, and lists those that the function's policy refuses. */
export class Recorder {
  readonly calls: Call[] = [];
  readonly intercept: Interceptor = (call, send) => {
    this.calls.push(call);
    return send();
  };

  /** The partitions of the items that were put. */
  written(): (string | undefined)[] {
    const inputs = this.calls.map(({ input }) => input as Input);
    const partitions = inputs.flatMap(({ TransactItems = [] }) =>
      TransactItems.map(({ Put }) => Put.Item.pk.S),
    );
    return partitions.map((pk) => pk.match(/^[^#]*#?/)?.[0]);
  }

  refusedTo(handler: string): Request[] {
    const requests = this.calls.flatMap(({ name, input }) => requestsOf(name, input as Input));
    expect(requests.length).toBeGreaterThan(0);
    return requests.filter((request) => !policies.allows(handler, request));
  }
}
