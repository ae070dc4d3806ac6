// Calls that must be refused: the right problem, explained on its page, and nothing left behind in the chain.
import { expect } from "vitest";
import { complianceReceiptSchema } from "../../evidence/core/formats/compliance-receipt.ts";
import { type ApiClient, disclosure, readJson, readProblem } from "./api-client.ts";
import { isDeployed } from "./target.ts";

export interface Expected {
  readonly status: number;
  /** What `type` ends in. */
  readonly name: string;
  /** Whether the gateway answers by itself; see `expectGatewayProblem`. */
  readonly byGateway?: boolean;
  /** The pointers of `errors`; none where the problem has no such member. */
  readonly pointers?: readonly string[];
}

const INSIDE = / at .*\.(?:ts|js):|node_modules|AWS|dynamo/i;

export class Refusals {
  readonly api: ApiClient;
  /** What the next receipt must have. */
  nextSequence = 0;
  /** The page that the problems' types lead to. */
  readonly #page: string;

  private constructor(api: ApiClient, page: string) {
    this.api = api;
    this.#page = page;
  }

  static async against(api: ApiClient): Promise<Refusals> {
    const response = await api.call("GET", "/v1/problems", { key: null });
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const refusals = new Refusals(api, await response.text());
    await refusals.expectNothingLeft();
    return refusals;
  }

  async expectProblem(response: Response, { status, name, pointers, byGateway }: Expected): Promise<void> {
    if (byGateway === true && isDeployed) {
      expect(response.status).toBe(status);
      return this.expectNothingLeft();
    }
    const problem = await readProblem(response);
    expect([problem.status, problem.type]).toEqual([status, `/v1/problems#${name}`]);
    for (const member of [problem.title, problem.detail, problem.instance]) expect(member).toMatch(/./);
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(JSON.stringify(problem)).not.toMatch(INSIDE);
    expect(this.#page).toContain(`id="${name}"`);
    await this.expectNothingLeft();
  }

  /** The chain has grown by our own calls alone. */
  async expectNothingLeft(): Promise<void> {
    const expected = this.nextSequence;
    expect(await this.attestGood()).toBe(expected);
  }

  /** A call that is right; the sequence of its receipt. */
  async attestGood(
    body = JSON.stringify(disclosure()),
    headers: Record<string, string> = {},
  ): Promise<number> {
    const response = await this.api.post("/v1/attestation", body, { headers });
    const { receipts } = await readJson(response, complianceReceiptSchema);
    const { sequence } = receipts[0] ?? expect.unreachable("a receipt is missing");
    this.nextSequence = sequence + 1;
    return sequence;
  }
}
