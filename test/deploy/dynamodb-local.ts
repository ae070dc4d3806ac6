// AWS's own DynamoDB Local, in memory, in place of the engine that the service's tests run on otherwise.
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { freePort, startDaemon } from "./daemon.ts";
import { newRunFolder } from "./run-folder.ts";
import { installDynamoDbLocal } from "./tools.ts";

/** A run of minutes is too short for the second compiler and for threads that collect garbage beside it. */
const JVM = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
const MAIN = "software.amazon.dynamodb.services.local.main.ServerRunner";

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const jars = await installDynamoDbLocal();
  const folder = newRunFolder("dynamodb");
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const close = await startDaemon({
    command: [
      "java",
      ...JVM,
      "-cp",
      join(jars, "*"),
      MAIN,
      "-inMemory",
      "-disableTelemetry",
      "-port",
      String(port),
    ],
    cwd: folder,
    environment: { PATH: process.env.PATH, HOME: folder },
    log: join(folder, "dynamodb-local.log"),
    url: endpoint,
  });
  project.provide("dynamoDbEndpoint", endpoint);
  return close;
}
