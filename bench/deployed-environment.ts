// The environment in which benches run the deployed handlers in this process, beside the addresses of its own stand-ins.
import { METRICS_NAMESPACE } from "../contract/metric-names.ts";
import { DEFAULT_PLANS } from "../contract/plans.ts";

export const TABLE_NAME = "disclosure-receipts";

/** As deployed: log lines from INFO on, and metrics. */
export const DEPLOYED_ENVIRONMENT = {
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "local",
  AWS_SECRET_ACCESS_KEY: "local",
  AWS_EC2_METADATA_DISABLED: "true",
  TABLE_NAME,
  ROOTS_BUCKET: "roots",
  BILLS_BUCKET: "bills",
  ROOTS_RETENTION_DAYS: "1",
  PLANS: JSON.stringify(DEFAULT_PLANS),
  LOG_ORIGIN: "receipts.example.com/v1/metachain",
  POWERTOOLS_LOG_LEVEL: "INFO",
  POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
  POWERTOOLS_SERVICE_NAME: "disclosure-receipts",
};
