import type { TokenUsage } from "../../llm/chat-model.ts";
import type { Condition } from "../../ports/table.ts";
import type { ItemRow } from "./item-row.ts";

/** What a row counts of an item's tries. */
export type Counts = Pick<ItemRow, "attempts" | "alone" | "inputTokens">;

/** What a row counts; nothing where there is none yet. */
export const countsIn = (row?: ItemRow): Counts => ({
  attempts: row?.attempts ?? 0,
  alone: row?.alone ?? 0,
  inputTokens: row?.inputTokens ?? 0,
});

/** That a row counts what it did when it was read. */
export function areStill(seen: Counts): Condition[] {
  return Object.entries(seen).map(([name, value]): Condition => {
    const same: Condition = { path: [name], is: "=", value };
    return value === 0 ? { any: [{ absent: [name] }, same] } : same;
  });
}

/** Only these two, whatever else an answer's usage says. */
export function countsOf({ inputTokens, outputTokens }: TokenUsage): TokenUsage {
  return { inputTokens, outputTokens };
}
