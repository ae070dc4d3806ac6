// `wordings`: lists the texts of the policy layers, checks a layer's file, and fills in for whom an agent speaks.
import { jurisdictionPath, layerPath } from "../../../contract/policy-paths.ts";
import { parseJson } from "../../../evidence/core/canonical-json.ts";
import { DisclosureError } from "../../../evidence/core/errors.ts";
import { jurisdictionPolicySchema } from "../../../evidence/core/formats/policy-index.ts";
import { formatDigest, hashBytes } from "../../../evidence/core/merkle/hash.ts";
import { digestOfLayer } from "../../../evidence/core/policy/policy-layer.ts";
import { count } from "../../../evidence/core/verify/count.ts";
import { policyLayers } from "../../../evidence/policy/index.ts";
import { parseAs } from "../../../evidence/reader/metachain.ts";
import { type Command, Exit, type ExitCode, readArguments, UsageError } from "../command.ts";
import { HttpReader, unavailable } from "../metachain/http-reader.ts";
import { bold, dim, type Terminal } from "../output/terminal.ts";
import { CHECK_HELP, runCheck } from "./wordings-check.ts";
import { FILL_HELP, runFill } from "./wordings-fill.ts";
import { type ListedLayer, listedLayerSchema, printWordings } from "./wordings-list.ts";

const OPTIONS = { service: { type: "string" }, json: { type: "boolean" } } as const;
const COUNTRY = /^[A-Z]{2}$/;

const HELP = `Usage: disclosure-receipts wordings [JURISDICTION] [--service URL] [--json]
       disclosure-receipts wordings check FILE [--json]
       disclosure-receipts wordings fill ID --operator NAME [--layer FILE]

Lists the wordings that this program was built with: the text, how it is said or
shown, its digest, what it is for, and until when it may be used. JURISDICTION
is a country's two letters, such as DE.

  --service URL   those of the current layer that this deployment publishes,
                  checked against its digest; needs a JURISDICTION
  --json          the layer itself, to be saved, changed and used as a policy
                  file; needs a JURISDICTION

  check           checks a layer's file, all of it in one run
  fill            fills in for whom the agent speaks, where a wording has
                  {operator}, and shows how to register the text

Exit status: 0, or 2 if there is no such layer.`;

/** A layer, as it came and as it is listed. */
interface ListableLayer {
  readonly digest: string;
  readonly data: unknown;
  readonly listed: ListedLayer;
}

async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [part, ...rest] = args;
  if (part === "check") return runCheck(rest, terminal);
  if (part === "fill") return runFill(rest, terminal);
  const { values, positionals } = readArguments(args, OPTIONS);
  const [country, ...more] = positionals;
  if (more.length > 0) throw new UsageError("wordings takes one jurisdiction, or check, or fill");
  if (country !== undefined && !COUNTRY.test(country))
    throw new UsageError(`${country} is no jurisdiction: give a country's two letters, such as DE`);
  const layers = await findLayers(country, values.service);
  if (values.json !== true) for (const layer of layers) printLayer(layer, terminal);
  else if (country === undefined) throw new UsageError("--json prints one layer: name its jurisdiction");
  else for (const { data } of layers) terminal.printJson(data);
  return Exit.holds;
}

async function findLayers(
  country: string | undefined,
  service: string | undefined,
): Promise<readonly ListableLayer[]> {
  if (service !== undefined && country === undefined)
    throw new UsageError("--service shows one layer: name its jurisdiction");
  if (service !== undefined && country !== undefined) return [await fetchLayer(service, country)];
  const layers = policyLayers.filter(({ jurisdiction }) => country === undefined || jurisdiction === country);
  if (layers.length === 0) throw new DisclosureError("not_found", `this program has no layer for ${country}`);
  return layers.map((layer) => ({ digest: digestOfLayer(layer), data: layer, listed: layer }));
}

/** The deployment is not trusted: what it hands out must be the layer that its index names. */
async function fetchLayer(service: string, country: string): Promise<ListableLayer> {
  const url = URL.parse(service);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${service} is no address: give a URL`);
  const reader = new HttpReader(new URL(url.pathname.replace(/\/*$/, "/"), url));
  const index = await reader.get(jurisdictionPath(country));
  if (index === null) throw new DisclosureError("not_found", `${service} publishes no layer for ${country}`);
  const { current: digest } = parseAs(jurisdictionPolicySchema, index, `the index of ${country}`);
  const bytes = await reader.get(layerPath(digest));
  if (bytes === null) throw unavailable(`${service} names the layer ${digest} and does not publish it`);
  if (formatDigest(hashBytes(bytes)) !== digest)
    throw new DisclosureError("proof_invalid", `${service} publishes another layer than ${digest}`);
  return { digest, data: parseJson(bytes), listed: parseAs(listedLayerSchema, bytes, `the layer ${digest}`) };
}

function printLayer({ digest, listed }: ListableLayer, terminal: Terminal): void {
  const { jurisdiction, status, version, wordings } = listed;
  terminal.print(
    bold(`${jurisdiction}, ${status}, version ${version}, ${count(wordings.length, "wording")}`),
  );
  terminal.print("  ", dim(digest));
  printWordings(wordings, new Date().toISOString().slice(0, "2026-11-22".length), terminal);
}

export const command: Command = { help: HELP, topics: { check: CHECK_HELP, fill: FILL_HELP }, run };
