// The settings of our own app: from cdk.json's context, from `-c setting=value`, or from a file that `-c config=` names,
// one for each environment.
import { readFileSync } from "node:fs";
import type { Node } from "constructs";
import { configSchema } from "./config.ts";
import { Misconfigured } from "./misconfigured.ts";

/** Our settings are plain words; the CDK's own names in the context have a colon, a slash or a dash. */
const SETTING = /^[A-Za-z]+$/;
const CONFIG_FILE = "config";

/** The settings, still to be parsed. The command line and cdk.json take precedence over the file. */
export function readSettings(node: Node): Record<string, unknown> {
  const context: Record<string, unknown> = node.getAllContext();
  const settings = Object.entries(context).filter(([name]) => SETTING.test(name) && name !== CONFIG_FILE);
  const file = context[CONFIG_FILE];
  return {
    ...(file !== undefined && readFile(String(file))),
    ...Object.fromEntries(settings.map(([name, value]) => [name, readValue(name, value)])),
  };
}

/** The command line passes texts only. */
function readValue(name: string, value: unknown): unknown {
  const isText = configSchema.shape[name as keyof typeof configSchema.shape]?.safeParse("text").success;
  if (typeof value !== "string" || isText === true) return value;
  try {
    return JSON.parse(value);
  } catch {
    // The schema then says what the setting must be.
    return value;
  }
}

function readFile(file: string): Record<string, unknown> {
  try {
    return Object.assign({}, JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new Misconfigured(`config: ${file} can't be read as a JSON file`, error);
  }
}
