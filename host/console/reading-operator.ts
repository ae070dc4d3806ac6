// The console gets a part of an operator's connection: all that reads, and nothing that makes bills or secrets.
import type { Operator } from "../../service/operator.ts";

export type ReadingOperator = Omit<Operator, "bills" | "webhookSecrets">;
