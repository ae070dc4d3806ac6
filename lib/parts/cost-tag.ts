// The tag by which AWS's bill tells what one deployment costs. Its value is the deployment's name.
import { Tags } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

export const COST_TAG = "disclosure-receipts";

/** Tags all that is in `scope`, whoever's app it is part of. */
export const tagCosts = (scope: IConstruct, name: string): void => Tags.of(scope).add(COST_TAG, name);
