// `npm start`: the service on this machine, until Ctrl-C.
import {
  ATTESTATION_PATH,
  OPENAPI_PATH,
  PAGE_PATH,
  STATUS_PAGE_PATH,
  TRUST_ANCHORS_PATH,
} from "../contract/public-paths.ts";
import { isDisclosureError } from "../evidence/core/errors.ts";
import { policyLayers } from "../evidence/policy/index.ts";
import { readSettings } from "../host/local/settings.ts";
import { type LocalStack, startStack } from "../host/local/stack.ts";

const EXIT_FAILURE = 1;

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const stack = await startStack(settings, settings.CALL_LINES ? console.log : null);
  // It listens for signals before it says that it is ready: whoever reads that line may stop it at once.
  const asked = signalled();
  introduce(stack);
  const reason = await Promise.race([stack.died, asked]);
  if (reason !== null) console.error(`the local stack stops: ${reason}`);
  await stack.stop();
  // The process is ended here, since a seal that still waits for its authority would keep it for seconds more.
  process.exit(reason === null ? 0 : EXIT_FAILURE);
}

/** Null once this process is asked to stop. A second request does not wait. */
function signalled(): Promise<null> {
  const { promise, resolve } = Promise.withResolvers<null>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      resolve(null);
      process.once(signal, () => process.exit(EXIT_FAILURE));
    });
  }
  return promise;
}

function introduce({ url, apiKey, consoleUrl }: LocalStack): void {
  console.log(`ready      ${url}`);
  console.log(`API key    ${apiKey}`);
  console.log(`status     ${url}${STATUS_PAGE_PATH}`);
  console.log(`API        ${url}${OPENAPI_PATH}`);
  console.log(`verify     ${url}${PAGE_PATH}`);
  if (consoleUrl !== null) console.log(`console    ${consoleUrl}`);
  console.log(`stop       Ctrl-C\n`);
  console.log(`Record a disclosure:\n`);
  console.log(exampleCall(url, apiKey));
  console.log(`\nWhen its root is published, some seconds later, fetch its report and check it:\n`);
  for (const line of exampleCheck(url, apiKey)) console.log(line);
  console.log(`\nOr open ${url}${PAGE_PATH} and drop report.json there.`);
}

/** One line, so that it can be pasted anywhere. The digest is that of an approved German greeting. */
function exampleCall(url: string, apiKey: string): string {
  const wording = policyLayers
    .flatMap(({ wordings }) => wordings)
    .find(({ methods, modality }) => modality === "voice" && methods.includes("spoken_introduction"));
  const request = {
    interaction_id: "call-1",
    modality: "voice",
    article_50_clause: "1",
    disclosure_method: "spoken_introduction",
    agent_identity: "voice-agent",
    jurisdiction: "DE",
    subject_hash: wording?.digest,
  };
  const headers = `-H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json'`;
  return `curl -sS ${url}${ATTESTATION_PATH} ${headers} -d '${JSON.stringify(request)}' | tee receipt.json`;
}

const EVENT_ID = `$(node -p 'JSON.parse(require("fs").readFileSync("receipt.json")).event_id')`;

/** The certificate of the development authority is no known one, so the reader is given it. */
const exampleCheck = (url: string, apiKey: string): string[] => [
  `curl -sS ${url}${ATTESTATION_PATH}/${EVENT_ID} -H 'Authorization: Bearer ${apiKey}' -o report.json`,
  `curl -sS ${url}${TRUST_ANCHORS_PATH} -o ca.pem`,
  `npm run -s receipts -- verify report.json --metachain ${url} --tsa-ca ca.pem`,
];

main().catch((error: unknown) => {
  // An error that a person can put right is one line; any other is a fault of ours and shows where.
  console.error(isDisclosureError(error, "misconfigured") ? error.message : error);
  process.exit(EXIT_FAILURE);
});
