import { decodeTime, encodeTime, isValid } from "ulidx";
import * as z from "zod";
import { errorCodes } from "../../../events/error-kinds.ts";
import { ScoutsError } from "../../../events/errors.ts";
import type { ScoutRunResponse } from "../../../events/http/scouts.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import { everyItem } from "../../ports/every-item.ts";
import type { Item, Table } from "../../ports/table.ts";
import { runLifeMs } from "../../run-history.ts";
import type { ScoutRow } from "../scout-row.ts";

const hourMs = 3_600_000;

const syncRow = z.object({
  sk: z.string(),
  kind: z.literal("sync"),
  scoutId: z.string(),
  at: z.number(),
  outcome: z.enum(["complete", "continued", "overtaken", "held"]),
  queued: z.number(),
  pages: z.number(),
  durationMs: z.number(),
  code: z.enum(errorCodes).optional(),
});

export interface ListRunsPorts {
  readonly ledger: Table;
  readonly clock: Clock;
}

/**
 * A page of a scout's runs, newest first. The table gives rows in ascending order only, so stretches of time are read
 * backwards, each twice as long as the one before, until the page is full or runs are as old as they get.
 *
 * @param page.after the `last` of a page
 * @throws invalid_request when it is none
 */
export async function listRuns(
  { ledger, clock }: ListRunsPorts,
  scout: ScoutRow,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<{ runs: ScoutRunResponse[]; last?: string }> {
  const nowMs = clock();
  if (page.after !== undefined && !isValid(page.after)) {
    throw new ScoutsError("invalid_request", { data: { where: "cursor" } });
  }
  const runs: ScoutRunResponse[] = [];
  // A ULID of the same millisecond as the newest may still be greater than any text of its time alone.
  let endMs = page.after === undefined ? nowMs + hourMs : decodeTime(page.after) + 1;
  for (let spanMs = hourMs; endMs > nowMs - runLifeMs && runs.length <= page.limit; spanMs *= 2) {
    const found = await runsBetween(ledger, scout, endMs - spanMs, endMs);
    const older = page.after === undefined ? found : found.filter(({ id }) => id < String(page.after));
    runs.push(...older.reverse());
    endMs -= spanMs;
  }
  const shown = runs.slice(0, page.limit);
  const last = runs.length > page.limit ? shown.at(-1)?.id : undefined;
  return last === undefined ? { runs: shown } : { runs: shown, last };
}

/** Oldest first; the end is not part of it. */
async function runsBetween(ledger: Table, scout: ScoutRow, fromMs: number, toMs: number): Promise<ScoutRunResponse[]> {
  const { pk } = ledgerKey.user(scout.userId);
  const range = { from: rangeKey(Math.max(0, fromMs)), to: rangeKey(toMs) };
  return (await everyItem(ledger, { hash: pk, ...range })).flatMap((item) => runOf(item, scout));
}

const rangeKey = (ms: number): string => `${ledgerPrefix.runs}${encodeTime(ms, 10)}`;

function runOf(item: Item, { scoutId }: ScoutRow): ScoutRunResponse[] {
  const row = syncRow.safeParse(item);
  if (!row.success || row.data.scoutId !== scoutId) return [];
  const { sk, kind: _, code, ...facts } = row.data;
  return [{ ...facts, scoutId, id: sk.slice(ledgerPrefix.runs.length), code: code ?? null }];
}
