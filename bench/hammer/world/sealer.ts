// The sealer as a process of its own, run by a schedule as in a deployment.
import { startScheduler } from "../../../host/local/scheduler.ts";
import { LISTENING } from "./messages.ts";

const INTERVAL_MS = Number(process.env.HAMMER_SEAL_INTERVAL_MS);

// It reads the environment when it is loaded.
const { handler } = await import("../../../lambdas/seal.ts");
startScheduler(() => handler(), INTERVAL_MS);
console.log(JSON.stringify({ message: LISTENING, port: 0 }));
