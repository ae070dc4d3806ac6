// `npm run synth`: the stack's template, by the CDK's own program.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const CDK = createRequire(import.meta.url).resolve("aws-cdk/bin/cdk");
/** The version is the one that goes with the library here, so nobody need ask whether there is a newer one. */
const env = { ...process.env, CDK_DISABLE_VERSION_CHECK: "1" };

const { status } = spawnSync(process.execPath, [CDK, "synth", "--quiet"], { stdio: "inherit", env });
process.exitCode = status ?? 1;
