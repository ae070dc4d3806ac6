// A deployment is a trial, which can be destroyed, or a production, which keeps its evidence.
export const PRODUCTION = "production";
export const STAGES = ["trial", PRODUCTION] as const;

/** Under which name CloudFormation tells the stage to its guard (lambdas/stage-guard.ts). */
export const STAGE_PROPERTY = "Stage";
