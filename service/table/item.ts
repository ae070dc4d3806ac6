// An item of the table: its attributes by name, as DynamoDB takes them.
import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export type Item = Record<string, AttributeValue>;
