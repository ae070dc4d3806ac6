// The script of the page in which a browser verifies reports for a bench. It is built as the scripts of tools/web/ are.
import { parseBase64 } from "../../evidence/core/bytes.ts";
import type { Seal } from "../../evidence/core/formats/metachain.ts";
import { openReports, type VerifyReport } from "./report-work.ts";

/** The reports that the page is given, the published seal that they lead to, and the authority's certificates in Base64. */
export interface GivenReports {
  readonly texts: readonly string[];
  readonly seal: Seal;
  readonly trustAnchors: readonly string[];
}

/** The bench calls this in the page. */
export class ReportPage {
  #given: GivenReports | null = null;
  #verify: VerifyReport = () => Promise.reject(new Error("there are no reports"));

  open(given: GivenReports): void {
    this.#given = given;
    this.#verify = openReports(given.texts, given.trustAnchors.map(parseBase64));
  }

  /** Verifies all reports, so many times one after the other. */
  async verifyAll(times: number): Promise<void> {
    const { texts = [], seal } = this.#given ?? {};
    const knowledge = seal === undefined ? {} : { seal };
    for (let round = 0; round < times; round++)
      for (let i = 0; i < texts.length; i++) await this.#verify(i, knowledge);
  }
}

export interface WithReportPage {
  reportPage: ReportPage;
}

(globalThis as unknown as WithReportPage).reportPage = new ReportPage();
