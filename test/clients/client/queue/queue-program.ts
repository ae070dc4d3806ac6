// A program with a queue, for a test to kill: puts numbered disclosures of one conversation in, and prints the number
// of each that is safe on disk.
import { DisclosureClient, DurableQueue, hashWordingText } from "../../../../clients/client/node.ts";
import { disclosure } from "../../../support/api-client.ts";

const [baseUrl = "", apiKey = "", folder = "", from = "0", count = "0"] = process.argv.slice(2);

const client = new DisclosureClient({ baseUrl, apiKey });
const queue = new DurableQueue(client, {
  folder,
  onHandover: (_, { code }) => console.log(`handed over: ${code}`),
});
for (let n = Number(from); n < Number(from) + Number(count); n++) {
  const request = disclosure({ interaction_id: "killed", subject_hash: hashWordingText(`wording ${n}`) });
  if (await queue.add(request)) console.log(n);
}
await queue.flush(60_000);
await queue.close();
console.log("done");
