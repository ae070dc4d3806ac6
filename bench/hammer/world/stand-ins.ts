// The stand-ins for AWS, in a process of their own: the table's engine, the bucket, the keys, two timestamp authorities and
// a witness. `node stand-ins.ts FOLDER`, with a parent that is told where they are.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { readSettings } from "../../../host/local/settings.ts";
import { setEnvironment, startStandIns, TABLE_NAME } from "../../../host/local/stand-ins.ts";
import { startTimestampAuthority } from "../../../host/local/timestamp-authority.ts";
import { openTable } from "../../../service/opening/connections.ts";
import { ensureTable } from "../../../service/table/table-schema.ts";
import type { FromStandIns } from "./messages.ts";
import { startWitness } from "./witness.ts";

/** The variables that a process of the service needs of what the local stack sets. */
const PASSED_ON =
  /^(?:AWS_|TABLE_|ROOTS_|BILLS_|MAC_|LOG_|TSA_|POLICY_|WITNESS_|WEBHOOK_|SHARED_|PLANS$|RATE_)/;

const [folder = "."] = process.argv.slice(2);
const file = (name: string): string => join(folder, name);
const send = (message: FromStandIns): void => void process.send?.(message);

const settings = readSettings({ DATA_DIR: folder });
const standIns = await startStandIns(settings, file, []);
const second = await startTimestampAuthority({ directory: file("second-authority") });
appendFileSync(standIns.authority.caFile, second.certificatePem);
const witness = await startWitness((finding) => send({ kind: "finding", finding }));
const policyFile = file("policy.json");
// The policy's module reads its settings from the environment, which is set by now.
const { localLayers, publishLayers, writeLayers } = await import("../../../host/local/policy.ts");
const layers = localLayers(settings);
writeLayers(policyFile, layers);
setEnvironment(settings, standIns, policyFile);
await ensureTable(TABLE_NAME);
await publishLayers(openTable(), layers);
const passedOn = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
send({
  kind: "open",
  upstreams: {
    table: standIns.database.endpoint,
    objects: standIns.objects.endpoint,
    keys: standIns.keys.endpoint,
    authorities: [standIns.authority.urls, second.url],
    witness: witness.url,
  },
  environment: Object.fromEntries(passedOn.map(([name, value]) => [name, value ?? ""])),
  witnessKey: witness.vkey,
});
process.on("disconnect", () => process.exit(0));
