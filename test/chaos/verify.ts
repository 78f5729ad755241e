import { readdir } from "node:fs/promises";
import { drain } from "../../cli/up/drain.ts";
import { judged } from "../../cli/up/item-counts.ts";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ProjectId } from "../../events/ids.ts";
import type { Feature } from "../../shared/billing/tiers.ts";
import { parseUsageRow } from "../../shared/billing/usage-row.ts";
import { parseFileRow } from "../../shared/folders/index/index-row.ts";
import type { Item } from "../../shared/ports/table.ts";
import { parseItemRow } from "../../shared/scouts/items/item-row.ts";
import { folderCommand, type Places, projectName, runProgram } from "./chaos-run.ts";
import { rowsOf } from "./rows.ts";

export interface Finding {
  readonly promise: string;
  readonly found: string;
}

/** A reservation's life and the step its index entry is kept in: after that the cron ends it. */
const reservationLifeMs = 10 * 60_000;

/** Lets the home run in peace until nothing is left to do, and holds every promise against what the stores then say. */
export async function verify(
  places: Places,
): Promise<{ facts: Readonly<Record<string, number>>; findings: Finding[] }> {
  const { signal } = new AbortController();
  const { dataFolder, mailboxPath, secondDevice } = places;
  const system = await startSystem({ ...systemTimeAndIds, dataFolder, mailboxPath, environment: {}, signal });
  try {
    const counts = await drain(system, signal);
    const first = proposalIds(system.store.proposals.list({ limit: 1_000_000 }));
    const second = await settledOn(system, secondDevice);
    const { relevant, unjudged, spam, deadLettered, waiting, failed } = judged(counts);
    const proposed = relevant + unjudged;
    const rescan = await rescanned(places);
    const onDisk = (await readdir(places.project)).length;
    const files = system.store.folderFiles.list(rescan.projectId);
    const [ledger, sessions] = [await rowsOf(system, "Ledger"), await rowsOf(system, "Sessions")];
    const findings = [
      ...differs("P2: every mail ends in one way", proposed + spam + deadLettered + waiting + failed, places.mails),
      ...differs("P2: nothing is left to be judged", waiting + failed, 0),
      ...differs("P2: every relevant mail is on the first device, once", first.length, proposed),
      ...differs("P2: and on the second", second.length, proposed),
      ...differs("P2: they are the same", first.filter((id) => !second.includes(id)).length, 0),
      ...differs("P2: the folder's last scan ends well", rescan.exitCode, 0),
      ...differs("P2: every file has its row", files.length, onDisk),
      ...differs("P2: and its summary", files.filter(({ summary }) => summary !== null).length, onDisk),
      ...tokensAgree("triage", tokensOfItems(ledger), ledger, Date.now()),
      ...tokensAgree("folder_index", tokensOfFiles(sessions), ledger, Date.now()),
    ];
    return { facts: { relevant, unjudged, spam, deadLettered, failed, files: files.length }, findings };
  } finally {
    await system.stop();
  }
}

function proposalIds(proposals: readonly { readonly id: string }[]): string[] {
  return [...new Set(proposals.map(({ id }) => id))];
}

/** The second device connects in peace and catches up. */
async function settledOn({ api }: LocalSystem, dataFolder: string): Promise<string[]> {
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  const device = new Device({ ...systemPorts, ...api, store });
  try {
    device.connect();
    await device.settled();
    return proposalIds(store.proposals.list({ limit: 1_000_000 }));
  } finally {
    await device.close();
    store.close();
  }
}

/** The folder once more, by the command line; where every kill came before it was linked, for the first time. */
async function rescanned(places: Places): Promise<{ projectId: ProjectId; exitCode: number }> {
  const { dataFolder } = places;
  const exitCode = await runProgram(folderCommand(places));
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  try {
    const project = store.projects.list().find(({ name }) => name === projectName);
    if (!project) throw new Error("the project is gone");
    return { projectId: project.id, exitCode };
  } finally {
    store.close();
  }
}

function tokensOfItems(ledger: readonly Item[]): number {
  const items = ledger.filter(({ sk }) => sk.startsWith("ITEM#")).map(parseItemRow);
  return items.reduce((sum, { inputTokens = 0, outputTokens = 0 }) => sum + inputTokens + outputTokens, 0);
}

/** Files' rows live for hours, longer than this run. */
function tokensOfFiles(sessions: readonly Item[]): number {
  const files = sessions.filter(({ sk }) => sk.startsWith("INDEXED#")).map(parseFileRow);
  return files.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** What usage says was used is what the results say, but for reservations that are still to end by them. */
function tokensAgree(feature: Feature, spent: number, ledger: readonly Item[], nowMs: number): Finding[] {
  const usage = ledger.filter(({ sk }) => sk.startsWith("USAGE#") && sk.endsWith(`#${feature}`)).map(parseUsageRow);
  const used = usage.reduce((sum, row) => sum + row.used, 0);
  const open = usage.flatMap((row) => [...row.open.values()]);
  const overdue = open.filter(({ expiresAt }) => expiresAt + 2 * reservationLifeMs < nowMs);
  const found = `${used} used, ${spent} in results, ${open.length} reservations open`;
  const off = used > spent || (open.length === 0 && used < spent);
  return [
    ...(off ? [{ promise: `tokens of ${feature} are counted once`, found }] : []),
    ...differs(`no reservation of ${feature} outlives its time`, overdue.length, 0),
  ];
}

export function differs(promise: string, found: number, expected: number): Finding[] {
  return found === expected ? [] : [{ promise, found: `${found} instead of ${expected}` }];
}
