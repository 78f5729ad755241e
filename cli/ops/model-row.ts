import { ledgerKey } from "../../shared/keys.ts";
import type { Table } from "../../shared/ports/table.ts";
import { isModelRowDamaged } from "../up/item-counts.ts";
import { inLedger } from "./deployed-ledger.ts";
import { onStoppedLedger } from "./stopped-ledger.ts";

/**
 * Deletes what a home has noted of its language model where that cannot be read. Nothing is lost by it: it says whether the model
 * answered the last time, and the next failure has it asked again.
 *
 * @returns whether there was such a row
 */
async function resetModel(ledger: Table): Promise<boolean> {
  return (await isModelRowDamaged(ledger)) && (await ledger.delete(ledgerKey.breaker()));
}

/** {@link resetModel} in a home on this machine. @throws as {@link onStoppedLedger} */
export const resetModelHere = (dataFolder: string): Promise<boolean> =>
  onStoppedLedger(dataFolder, "scouts ops model reset", resetModel);

/** {@link resetModel} in a deployed Ledger. */
export const resetModelDeployed = (tableName: string): Promise<boolean> => inLedger(tableName, resetModel);
