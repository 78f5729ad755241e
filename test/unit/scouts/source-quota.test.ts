import { expect, test } from "vitest";
import { ledgerKey } from "../../../shared/keys.ts";
import type { ScoutAtSource } from "../../../shared/scouts/connectors/connector.ts";
import { gmailLimits } from "../../../shared/scouts/connectors/gmail/connector.ts";
import { imapLimits } from "../../../shared/scouts/connectors/imap/limits.ts";
import { SourceQuota } from "../../../shared/scouts/quota/source-quota.ts";
import { MemoryTable } from "../../memory/table.ts";
import { ada, inbox, nowMs } from "./setting.ts";

const address = "a-mailbox";
const scout: ScoutAtSource = { userId: ada, scoutId: inbox, address };
const batch = 10;
const minuteMs = 60_000;

/** When each of so many batches of reads was granted, in milliseconds from the first, each asked for as soon as it may be. */
async function grants(limits: typeof gmailLimits, batches: number): Promise<number[]> {
  const ledger = new MemoryTable();
  await ledger.put({ ...ledgerKey.mailbox(address) });
  let atMs = nowMs;
  const quota = new SourceQuota(
    ledger,
    () => atMs,
    () => 0.5,
  );
  const grantedAt: number[] = [];
  for (let asked = 0; grantedAt.length < batches && asked < 10 * batches; asked += 1) {
    const turn = await quota.take(scout, limits, batch * limits.costs.read);
    if (turn.granted) grantedAt.push(atMs - nowMs);
    else atMs = turn.untilMs;
  }
  return grantedAt;
}

const limitsOf = { gmail: gmailLimits, imap: imapLimits };

test.each([
  { source: "gmail", unitsPerMinute: 30 },
  { source: "gmail", unitsPerMinute: 150 },
  { source: "gmail", unitsPerMinute: 600 },
  { source: "gmail", unitsPerMinute: 6_000 },
  { source: "imap", unitsPerMinute: 2 },
  { source: "imap", unitsPerMinute: 30 },
  { source: "imap", unitsPerMinute: 1_200 },
] as const)("however little $source allows, $unitsPerMinute a minute are kept to and all batches come", async (row) => {
  const limits = { ...limitsOf[row.source], unitsPerMinute: row.unitsPerMinute };
  const batches = 12;
  const grantedAt = await grants(limits, batches);
  expect(grantedAt).toHaveLength(batches);
  const cost = batch * limits.costs.read;
  for (const [earlier, atMs] of grantedAt.entries()) {
    // A batch may be dearer than a minute's units: what was taken before it is what has to have come back.
    const takenInMinute = grantedAt.slice(0, earlier).filter((each) => each > atMs - minuteMs).length * cost;
    expect(takenInMinute).toBeLessThanOrEqual(row.unitsPerMinute);
  }
  const idealMs = ((batches - 1) * cost * minuteMs) / row.unitsPerMinute;
  expect(grantedAt.at(-1)).toBeGreaterThanOrEqual(idealMs - minuteMs);
  expect(grantedAt.at(-1)).toBeLessThanOrEqual(3 * idealMs + minuteMs);
});
