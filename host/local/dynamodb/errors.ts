// The errors that DynamoDB answers with, by its names.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html

const SERVICE = "com.amazonaws.dynamodb.v20120810";
const BAD_REQUEST = 400;

/** The error's whole type on the wire; a client reads what is behind the `#`. */
const TYPES = {
  ConditionalCheckFailedException: SERVICE,
  IdempotentParameterMismatchException: SERVICE,
  ResourceInUseException: SERVICE,
  ResourceNotFoundException: SERVICE,
  SerializationException: "com.amazon.coral.service",
  TransactionCanceledException: SERVICE,
  TransactionConflictException: SERVICE,
  ValidationException: "com.amazon.coral.validate",
} as const;

/** A refusal of one request. `details` are members of the answer beside its type and message. */
export class DynamoDbError extends Error {
  readonly status = BAD_REQUEST;
  readonly type: keyof typeof TYPES;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(type: keyof typeof TYPES, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.type = type;
    this.details = details;
  }

  /** The answer's body. */
  toJson(): string {
    return JSON.stringify({
      __type: `${TYPES[this.type]}#${this.type}`,
      message: this.message,
      ...this.details,
    });
  }
}

export const invalid = (message: string): DynamoDbError => new DynamoDbError("ValidationException", message);

/** A part of DynamoDB that this engine leaves out is refused by its name, so that it is never read in another meaning. */
export const unsupported = (what: string): DynamoDbError =>
  invalid(`the local DynamoDB does not know ${what}: the service does not use it`);
