// What of AWS an operator's command talks to beside the table: SSM's parameter and API Gateway's control plane, on HTTP
// as the SDK speaks it.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { FakeGateway } from "./fake-gateway.ts";

export interface FakeAws {
  readonly url: string;
  readonly gateway: FakeGateway;
  /** By their names. */
  readonly parameters: Map<string, string>;
  /** The error by which SSM answers everything, or null. */
  refusal: string | null;
  readonly close: () => void;
}

type Reply = readonly [status: number, body: object, error?: string];

const API_KEYS = /^\/apikeys(?:\/([^/]+))?$/;
const PLAN_KEYS = /^\/usageplans\/([^/]+)\/keys$/;

export async function startFakeAws(): Promise<FakeAws> {
  const gateway = new FakeGateway();
  const parameters = new Map<string, string>();
  const server = createServer((request, response) => {
    answer(fake, request).then(([status, body, error]) => {
      response.writeHead(status, {
        "x-amzn-errortype": error ?? "",
        "content-type": "application/x-amz-json-1.1",
      });
      response.end(JSON.stringify(body));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => void server.close();
  const fake: FakeAws = { url: `http://127.0.0.1:${port}`, gateway, parameters, refusal: null, close };
  return fake;
}

async function answer(fake: FakeAws, request: IncomingMessage): Promise<Reply> {
  const body = JSON.parse((await text(request)) || "{}");
  if (request.headers["x-amz-target"] === "AmazonSSM.GetParameter") return parameter(fake, body.Name);
  try {
    return [200, control(fake.gateway, request, body)];
  } catch (error) {
    return [
      error instanceof Error && error.name === "NotFoundException" ? 404 : 409,
      {},
      (error as Error).name,
    ];
  }
}

function parameter({ parameters, refusal }: FakeAws, name: string): Reply {
  const Value = parameters.get(name);
  if (refusal !== null) return [400, { __type: refusal }, refusal];
  if (Value === undefined) return [400, { __type: "ParameterNotFound" }, "ParameterNotFound"];
  return [200, { Parameter: { Name: name, Value } }];
}

function control(gateway: FakeGateway, { method = "", url = "" }: IncomingMessage, body: object): object {
  const { pathname, searchParams } = new URL(url, "http://api");
  const page = {
    nameQuery: searchParams.get("name") ?? "",
    position: searchParams.get("position") ?? "0",
    includeValues: searchParams.get("includeValues") === "true",
  };
  const [isKeys, apiKey] = API_KEYS.exec(pathname) ?? [];
  const [, usagePlanId = ""] = PLAN_KEYS.exec(pathname) ?? [];
  if (method === "DELETE") return gateway.answer("DeleteApiKey", { apiKey });
  if (method === "POST") {
    return isKeys === undefined
      ? gateway.answer("CreateUsagePlanKey", { usagePlanId, ...body })
      : gateway.answer("CreateApiKey", body);
  }
  const list = isKeys === undefined ? "GetUsagePlanKeys" : "GetApiKeys";
  const { items, ...rest } = gateway.answer(list, { usagePlanId, ...page }) as { items: object[] };
  return { item: items, ...rest };
}
