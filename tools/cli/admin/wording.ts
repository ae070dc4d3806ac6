// `admin wording`: registers a tenant's own wordings by their digests, retires them, and lists them. A text that is given is
// hashed here; the service never gets it.
import { DIGEST_PREFIX } from "../../../contract/policy-paths.ts";
import { formatDigest } from "../../../evidence/core/merkle/hash.ts";
import type { OwnWording } from "../../../evidence/core/policy/effective-layer.ts";
import { gapsOf, hasOnlyGaps, OPERATOR_GAP } from "../../../evidence/core/policy/gaps.ts";
import { hashWording, OWN_PREFIX } from "../../../evidence/core/policy/policy-layer.ts";
import type { Operator } from "../../../service/operator.ts";
import { readCurrentLayer } from "../../../service/policy/published-layers.ts";
import {
  parseWording,
  type RegisteredWording,
  WordingRegistry,
} from "../../../service/policy/wording-registry.ts";
import { Exit, type ExitCode, UsageError } from "../command.ts";
import { readWording } from "../files/wording.ts";
import { printTable } from "../output/table.ts";
import { bold, dim, green, type StyledText, type Terminal, yellow } from "../output/terminal.ts";
import { firstOf, onlyOne, readDay, readTenantId } from "./arguments.ts";
import { onTarget, pasteable, readAdminArguments, type TargetValues } from "./target.ts";

const OPTIONS = {
  jurisdiction: { type: "string" },
  modality: { type: "string" },
  methods: { type: "string" },
  language: { type: "string" },
  digest: { type: "string" },
  text: { type: "string" },
  "text-file": { type: "string" },
  "approved-by": { type: "string" },
  "approved-on": { type: "string" },
  until: { type: "string" },
  template: { type: "string" },
  id: { type: "string" },
  "last-day": { type: "string" },
} as const;
type OptionName = keyof typeof OPTIONS;

/** An id that was not given is made of so many digits of the digest. */
const ID_DIGITS = 12;

interface WordingCall {
  readonly operator: Operator;
  readonly tenantId: string;
  readonly rest: readonly string[];
  readonly values: Readonly<Partial<Record<OptionName, string>>> & {
    readonly json?: boolean | undefined;
  } & TargetValues;
  readonly terminal: Terminal;
}

const ACTIONS: Readonly<Record<string, (call: WordingCall) => Promise<void>>> = { add, retire, list };

export async function run(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readAdminArguments(args, OPTIONS);
  const [name = "", ...subjects] = positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) throw new UsageError(`wording takes one of ${Object.keys(ACTIONS).join(", ")}`);
  for (const option of Object.keys(OPTIONS)) {
    const owner = option === "last-day" ? "retire" : "add";
    if (Object.hasOwn(values, option) && name !== owner)
      throw new UsageError(`--${option} is not for wording ${name}`);
  }
  const { first, rest } = firstOf(subjects, "a tenant");
  if (name !== "retire" && rest.length > 0) throw new UsageError(`${rest[0]} is one argument too many`);
  const tenantId = readTenantId(first);
  await onTarget(values, (operator) => action({ operator, tenantId, rest, values, terminal }));
  return Exit.holds;
}

async function add(call: WordingCall): Promise<void> {
  const { operator, tenantId, values, terminal } = call;
  const registry = new WordingRegistry(operator.table);
  const jurisdiction = required(values, "jurisdiction");
  const given = await readGiven(call);
  const registered = await registry.list(tenantId);
  const layer = await readCurrentLayer(operator.roots.files, jurisdiction);
  // A repetition on another day is the same wording, unless it says that it is not.
  const earlier = registered.find(({ wording }) => wording.id === given.id)?.wording.approved_on;
  const approved_on =
    values["approved-on"] === undefined ? (earlier ?? given.approved_on) : given.approved_on;
  const wording = { ...given, approved_on };
  const isNew = await registry.add(tenantId, layer, wording);
  show(call, { jurisdiction, wording });
  if (values.json === true) return;
  if (!isNew) terminal.note("It was registered already, just so.");
  if (layer.status === "in_development")
    terminal.note(
      `The layer of ${jurisdiction} is in development, for previews only: ${pasteable(`tenant preview ${tenantId} on`, values)}`,
    );
  terminal.note(whenInForce(wording, todayOf(operator)));
  terminal.note(
    `To end it: ${pasteable(`wording retire ${tenantId} ${wording.id} --last-day DATE`, values)}`,
  );
}

async function retire(call: WordingCall): Promise<void> {
  const { operator, tenantId, rest, values, terminal } = call;
  const id = onlyOne(rest, "the id of a wording");
  const lastDay = readDay(values["last-day"] ?? todayOf(operator), "--last-day");
  const registry = new WordingRegistry(operator.table);
  await registry.retire(tenantId, id, lastDay);
  const found = (await registry.list(tenantId)).find(({ wording }) => wording.id === id);
  if (found !== undefined) show(call, found);
  if (values.json === true) return;
  terminal.note(`After ${lastDay} (UTC) a disclosure with it gets BLOCK; older receipts stay as they are.`);
  terminal.note("It takes effect within a minute.");
}

async function list({ operator, tenantId, values, terminal }: WordingCall): Promise<void> {
  const registered = await new WordingRegistry(operator.table).list(tenantId);
  if (values.json === true) return terminal.printJson({ wordings: registered });
  if (registered.length === 0) return terminal.print(`${tenantId} has no wording of its own`);
  const rows = registered.map(({ jurisdiction, wording }) => [
    wording.id,
    jurisdiction,
    wording.modality,
    wording.methods.join(","),
    wording.language,
    stateOf(wording, todayOf(operator)),
    wording.digest,
  ]);
  const headings = ["id", "of", "modality", "methods", "language", "state", "digest"];
  printTable(terminal, [headings.map(dim), ...rows]);
}

/** The wording that the options describe. Throws `UsageError` for what lacks, and `invalid_request`. */
async function readGiven(call: WordingCall): Promise<OwnWording> {
  const { values, operator } = call;
  const { until } = values;
  const digest = await readDigest(call);
  const ownId = OWN_PREFIX + digest.slice(DIGEST_PREFIX.length).slice(0, ID_DIGITS);
  return parseWording({
    id: values.id ?? ownId,
    language: required(values, "language"),
    modality: required(values, "modality"),
    methods: required(values, "methods").split(","),
    digest,
    approved_on: readDay(values["approved-on"] ?? todayOf(operator), "--approved-on"),
    retired_on: until === undefined ? null : readDay(until, "--until"),
    approved_by: required(values, "approved-by"),
    template: values.template ?? null,
  });
}

async function readDigest({ values }: WordingCall): Promise<string> {
  const { digest, text, "text-file": file } = values;
  if ([digest, text, file].filter((given) => given !== undefined).length !== 1)
    throw new UsageError("wording add takes one of --digest, --text and --text-file");
  if (digest !== undefined) return digest;
  const words = text ?? (await readWording(file ?? ""));
  const other = gapsOf(words).find((name) => name !== OPERATOR_GAP);
  if (other !== undefined || !hasOnlyGaps(words))
    throw new UsageError(
      `the text has a brace${other === undefined ? "" : `, {${other}}`}: only {${OPERATOR_GAP}} may be in a registered text`,
    );
  return formatDigest(hashWording(words));
}

function required(values: WordingCall["values"], option: OptionName): string {
  const value = values[option];
  if (value === undefined) throw new UsageError(`wording add needs --${option}`);
  return value;
}

/** UTC, as receipts are judged. */
const todayOf = ({ clock }: Operator): string => {
  const [day = ""] = clock().toISOString().split("T");
  return day;
};

const whenInForce = ({ approved_on }: OwnWording, today: string): string =>
  approved_on > today
    ? `It is in force from ${approved_on} (UTC) on; until then a disclosure with it gets MODIFY.`
    : "It is in force within a minute.";

function stateOf({ approved_on, retired_on }: OwnWording, today: string): StyledText {
  if (approved_on > today) return yellow(`from ${approved_on}`);
  if (retired_on === null) return green("in force");
  return retired_on < today ? yellow(`ended ${retired_on}`) : green(`until ${retired_on}`);
}

function show(
  { values, terminal, operator }: WordingCall,
  { jurisdiction, wording }: RegisteredWording,
): void {
  if (values.json === true) {
    terminal.printJson({ jurisdiction, wording });
    return;
  }
  terminal.print("wording ", bold(wording.id));
  const rows: [string, StyledText][] = [
    ["jurisdiction", jurisdiction],
    ["use", `${wording.modality}, ${wording.methods.join(", ")}, ${wording.language}`],
    ["digest", wording.digest],
    ["state", stateOf(wording, todayOf(operator))],
    ["approved by", wording.approved_by],
    ...(wording.template === null ? [] : [["template", wording.template] satisfies [string, string]]),
  ];
  printTable(
    terminal,
    rows.map(([name, value]) => [dim(name), value]),
  );
}
