// The month's budget (AWS Budgets) for what this deployment costs, found by its cost tag. It stops nothing: it tells the
// alarm topic when the month is forecast to come close, and again when the money is spent.
import { Stack } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { Construct } from "constructs";
import { COST_TAG } from "../parts/cost-tag.ts";
import type { AlarmTopic } from "./alarm-topic.ts";

/** In percent of the budget, each told once a month. */
const NOTICES = [
  { notificationType: "FORECASTED", threshold: 80 },
  { notificationType: "ACTUAL", threshold: 100 },
] as const;

export interface MonthlyBudgetProps {
  /** The deployment's name. */
  readonly name: string;
  /** Whole US dollars. */
  readonly usd: number;
  readonly alarmTopic: AlarmTopic;
}

export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { name, usd, alarmTopic }: MonthlyBudgetProps) {
    super(scope, id);
    const stack = Stack.of(this);
    alarmTopic.allowBudgets();
    const budget = new CfnBudget(this, "Budget", {
      budget: {
        // The account has one list of budgets for all its regions.
        budgetName: `${name}-${stack.region}`,
        budgetType: "COST",
        timeUnit: "MONTHLY",
        budgetLimit: { amount: usd, unit: "USD" },
        costFilters: { TagKeyValue: [`user:${COST_TAG}$${name}`] },
      },
      notificationsWithSubscribers: NOTICES.map((notice) => ({
        notification: { ...notice, thresholdType: "PERCENTAGE", comparisonOperator: "GREATER_THAN" },
        subscribers: [{ subscriptionType: "SNS", address: alarmTopic.topic.topicArn }],
      })),
    });
    // Budgets looks whether it may publish when a notice is made.
    budget.node.addDependency(alarmTopic);
  }
}
