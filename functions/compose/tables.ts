import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemRetries } from "../../shared/ports/clock.ts";
import { linked } from "../environment.ts";
import { once } from "../once.ts";

export const ledger = once(() => new DynamoTable(linked("LedgerTable").name, systemRetries));
export const sessions = once(() => new DynamoTable(linked("SessionsTable").name, systemRetries));
