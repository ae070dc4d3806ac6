// The options of `admin` that name a deployment, for every help page.

export const TARGET = `  --local[=DIR]     the local stack that runs on this data folder; without DIR
                    that of DATA_DIR, or .data
  --name NAME       the deployment in AWS (disclosure-receipts)
  --region REGION   its region, if the settings of this shell name no other
  --profile NAME    the profile of these settings to take
  --json            one JSON document on standard output`;
