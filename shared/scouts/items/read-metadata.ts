import { asScoutsError } from "../../outcome/outcome.ts";
import type { ConnectorRegistry, ItemMetadata, ScoutAtSource, SourceConnector } from "../connectors/connector.ts";
import type { ItemRow } from "./item-row.ts";

type Read = ItemMetadata | Error;
/** What tells where an item is. */
export type ItemAtSource = Pick<ItemRow, "userId" | "scoutId" | "sourceType" | "ref">;

/**
 * Reads items afresh at their sources: in batches where a source can, else a few at a time. Every row has an answer, be
 * it what went wrong.
 */
export async function readMetadata<Row extends ItemAtSource>(
  connectors: ConnectorRegistry,
  scouts: ReadonlyMap<string, ScoutAtSource>,
  rows: readonly Row[],
  atOnce: number,
): Promise<ReadonlyMap<Row, Read>> {
  const byScout = [...Map.groupBy(rows, ({ scoutId }) => scoutId)];
  const read = await Promise.all(byScout.map(([id, own]) => readOfScout(connectors, scouts.get(id), own, atOnce)));
  return new Map(read.flat());
}

async function readOfScout<Row extends ItemAtSource>(
  connectors: ConnectorRegistry,
  known: ScoutAtSource | undefined,
  rows: readonly Row[],
  atOnce: number,
): Promise<[Row, Read][]> {
  const [first] = rows;
  const connector = first && connectors.get(first.sourceType);
  if (!first || !connector) return rows.map((row) => [row, new TypeError("No connector for a stored item")]);
  const scout = known ?? first;
  if (connector.fetchMetadataMany) return readBatch(connector, scout, rows);
  const read: [Row, Read][] = [];
  for (let start = 0; start < rows.length; start += atOnce) {
    const some = rows.slice(start, start + atOnce);
    read.push(
      ...(await Promise.all(some.map(async (row) => [row, await readOne(connector, scout, row)] as [Row, Read]))),
    );
  }
  return read;
}

async function readBatch<Row extends ItemAtSource>(
  connector: SourceConnector,
  scout: ScoutAtSource,
  rows: readonly Row[],
): Promise<[Row, Read][]> {
  try {
    const refs = rows.map(({ ref }) => ref);
    const answers = (await connector.fetchMetadataMany?.(scout, refs)) ?? [];
    return rows.map((row, index) => [row, answers[index] ?? asScoutsError(undefined)]);
  } catch (error) {
    return rows.map((row) => [row, asScoutsError(error)]);
  }
}

function readOne(connector: SourceConnector, scout: ScoutAtSource, row: ItemAtSource): Promise<Read> {
  return connector.fetchMetadata(scout, row.ref).catch(asScoutsError);
}
