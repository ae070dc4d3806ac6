// The local engine in a process of its own: `engine-process.ts FILE`. It tells its endpoint, and ends when it is told anything.
import { startDynamoDb } from "../../host/local/dynamodb.ts";

const engine = await startDynamoDb({ file: process.argv[2] ?? "" });
process.once("message", () => void engine.close().then(() => process.exit(0)));
process.send?.(engine.endpoint);
