// The public side: the static files and roots behind CloudFront or, if the operator wants no CloudFront, the API alone.
import { Construct } from "constructs";
import type { Roots } from "../evidence/roots.ts";
import type { Assets } from "../parts/assets.ts";
import type { AccessLogs } from "../parts/private-bucket.ts";
import type { Config } from "../settings/config.ts";
import { Misconfigured } from "../settings/misconfigured.ts";
import type { Front } from "./front.ts";
import { PublicHost } from "./public-host.ts";
import { Site } from "./site.ts";

export interface PublicSiteProps {
  readonly assets: Assets;
  readonly config: Config;
  readonly front: Front;
  readonly roots: Roots;
  readonly accessLogs: AccessLogs;
}

export class PublicSite extends Construct {
  /** The public address of the service, without scheme and without a slash at its end. */
  readonly address: string;
  /** Null where there is no CloudFront. */
  readonly distributionId: string | null;

  constructor(scope: Construct, id: string, props: PublicSiteProps) {
    super(scope, id);
    const { config, front } = props;
    const host = config.cloudFront ? this.#host(props) : null;
    this.address = config.domain?.name ?? host?.address ?? addressOf(front);
    this.distributionId = host?.distributionId ?? null;
  }

  get url(): string {
    return `https://${this.address}`;
  }

  #host({ assets, config, front, roots, accessLogs }: PublicSiteProps): PublicHost {
    const site = new Site(this, "Site", { assets, config, accessLogs });
    return new PublicHost(this, "Host", { config, front, roots, site });
  }
}

function addressOf(front: Front): string {
  if (front.runtime === "functions") return front.api.address;
  throw new Misconfigured("cloudFront: the web runtime can only be reached through it");
}
