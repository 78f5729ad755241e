import { existsSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { cloudFolderOf } from "../../infra/local/cloud-folder.ts";
import { region } from "../../infra/local/components/names.ts";
import { Principals } from "../../infra/local/engines/access.ts";
import { Meter } from "../../infra/local/engines/meter.ts";
import { RequestAuthorizer } from "../../infra/local/engines/request-authorizer.ts";
import { startTables } from "../../infra/local/engines/tables.ts";
import { LocalHomeError, noHomeYet } from "../../infra/local/errors.ts";
import { evaluate, type Graph } from "../../infra/local/graph.ts";
import { lockData } from "../../infra/local/lock.ts";
import { Teardown } from "../../infra/local/teardown.ts";
import { DynamoTable } from "../../shared/aws/dynamo-table.ts";
import { systemRetries } from "../../shared/ports/clock.ts";
import type { Table } from "../../shared/ports/table.ts";

/** Who asks the engines of a home, and what is asked of them with it. */
export interface Operator {
  readonly principals: Principals;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Starts the tables of a home whose folders are locked already. @returns its Ledger's name, and who asks it */
export async function startLedger(
  dataFolder: string,
  graph: Graph,
  { principals, credentials }: Operator,
  teardown: Teardown,
): Promise<{ readonly name: string; readonly client: DynamoDBClient }> {
  const door = new RequestAuthorizer(principals, new Meter(), undefined);
  const tables = await startTables(join(dataFolder, "cloud", "dynamodb"), graph, door);
  teardown.add(() => tables.close());
  const node = graph.tables["Ledger"];
  if (!node) throw new LocalHomeError("config_invalid", "The configuration has no Ledger.");
  const client = new DynamoDBClient({ region, credentials, endpoint: tables.endpoint });
  teardown.add(() => client.destroy());
  return { name: node.tableName, client };
}

/**
 * The Ledger of a home on this machine, which must not run meanwhile.
 *
 * @param program whose command holds the home's folder
 * @throws LocalHomeError `data_in_use`, `data_unusable`
 */
export async function onStoppedLedger<T>(
  dataFolder: string,
  program: string,
  use: (ledger: Table) => Promise<T>,
): Promise<T> {
  const cloud = cloudFolderOf(dataFolder);
  if (!existsSync(cloud)) throw noHomeYet(dataFolder);
  const teardown = new Teardown();
  try {
    teardown.add(lockData(cloud, program));
    const principals = new Principals();
    const { accessKeyId, secretAccessKey } = principals.create("operator", "everything");
    const operator = { principals, credentials: { accessKeyId, secretAccessKey } };
    const { name, client } = await startLedger(dataFolder, await evaluate(), operator, teardown);
    return await use(new DynamoTable(name, systemRetries, client));
  } finally {
    await teardown.run();
  }
}
