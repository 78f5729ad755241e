import { type ClockRow, clockTable } from "./clock-table.ts";
import { damageTable } from "./damage-table.ts";

const holds = ({ waitMs, boundMs }: ClockRow) => waitMs <= boundMs;

/** Prints the tables. @returns the exit code: 1 when something in them is not as it should be */
export async function showTables(): Promise<number> {
  const clocks = await clockTable();
  console.log("A clock steps: how long whoever comes next has to wait, in seconds");
  for (const row of clocks) {
    const { rule, step, waitMs, boundMs } = row;
    const seconds = (ms: number) => String(Math.ceil(ms / 1000)).padStart(8);
    const verdict = holds(row) ? "" : "  TOO LONG";
    console.log(`${rule.padEnd(40)}${step.padEnd(14)}${seconds(waitMs)}  of at most ${seconds(boundMs)}${verdict}`);
  }
  const files = await damageTable();
  console.log("\nA file is damaged or gone: what the next start says");
  for (const { file, damage, refusal } of files) {
    console.log(`${file.padEnd(40)}${damage.padEnd(24)}${refusal === undefined ? "NOTHING" : "refused by name"}`);
  }
  return clocks.every(holds) && files.every(({ refusal }) => refusal !== undefined) ? 0 : 1;
}
