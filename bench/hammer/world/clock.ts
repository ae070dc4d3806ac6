// Loaded before a process of the service: its parent moves its clock. Durations are not moved, as on a machine whose
// clock is set.
import type { ToClock } from "./messages.ts";

const realNow = Date.now.bind(Date);
let offsetMs = 0;
const now = (): number => realNow() + offsetMs;

Date.now = now;
globalThis.Date = new Proxy(Date, {
  construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
  apply: () => new Date(now()).toString(),
});

process.on("message", (message: ToClock) => {
  if (message.kind === "clock") offsetMs = message.offsetMs;
});
// A parent that is gone leaves nobody to serve; and waiting for its messages keeps no process alive.
process.on("disconnect", () => process.exit(0));
process.channel?.unref();
