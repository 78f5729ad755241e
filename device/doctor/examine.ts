import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { DeviceId } from "../../events/ids.ts";
import { readCredentials } from "../connect/credentials.ts";
import { homeOf } from "../connect/deployed-home.ts";
import { homeFolderOf } from "../connect/devices/home-folder.ts";
import { hasNotice } from "../connect/local-home.ts";
import { type Quoted, quoted } from "../errors/quoted.ts";
import { isDeviceError } from "../errors.ts";
import { upOn } from "../shell-words.ts";
import { openDeviceStore, storePath } from "../store/open.ts";
import type { OffScout } from "../store/schema.ts";
import type { KnownScoutTable } from "../store/tables/known-scouts.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import { type Check, checkDatabase, checkFolder, checkNode, checkPort, checkSpace } from "./checks.ts";
import { checkEmbeddings } from "./embedding-checks.ts";
import { found } from "./findings.ts";
import { checkHome, checkSocket } from "./home-checks.ts";
import { checkPassphrase } from "./passphrase-check.ts";
import { checksOfRunning, type Looking } from "./running-checks.ts";
import { checkKnownScouts, checkScouts } from "./scout-checks.ts";
import { checkDecisions } from "./stored/decision-checks.ts";
import { checkFolders } from "./stored/folder-checks.ts";
import { openIfSound } from "./stored/open-if-sound.ts";
import { checkRecords } from "./stored/record-checks.ts";
import { checkSettings } from "./stored/settings-checks.ts";

export interface Examination extends Looking, TimeAndIds {
  /** Absolute. */
  readonly dataFolder: string;
  /** A home to look at instead of the one the data folder belongs to, by its address. */
  readonly api?: string | undefined;
  /** What keeps a home from starting on this data folder, asked where none answers; for a program that is no home itself. */
  readonly damageOfHome?: (() => Quoted | undefined) | undefined;
  /** A loopback port to check as well; 0 for any. */
  readonly port?: number | undefined;
}

/** Looks at everything a device needs: what is well, what is not, and what to do about it. */
export async function examine(examination: Examination): Promise<readonly Check[]> {
  const { dataFolder, api, port = 0 } = examination;
  const folder = checkFolder(dataFolder);
  const home = api === undefined ? await checksOfHome(examination) : await checkHome(api, examination.now);
  const measured = home.some(({ name }) => name === "clock");
  // One that does not say whether it is well says nothing else either: who waits is not kept waiting twice.
  const isSilent = home.some(({ code }) => code === "home_gone");
  const database = folder.state === "ok" ? checkDatabase(dataFolder, examination) : [];
  return [
    checkNode(process.versions.node),
    folder,
    checkSpace(dataFolder),
    // What the last connection measured is of interest only where the home cannot be asked.
    ...database.filter(({ name }) => !(measured && name === "clock")),
    ...home,
    ...(folder.state === "ok" ? checkDecisions(dataFolder, examination) : []),
    await checkPort(port),
    ...(api === undefined && !isSilent ? await checksOfRunning(examination, dataFolder) : []),
    ...(folder.state === "ok" ? await checkFolders(dataFolder, examination) : []),
    ...(folder.state === "ok" ? await checkEmbeddings(dataFolder, examination) : []),
    ...checkPassphrase(dataFolder),
    ...(folder.state === "ok" ? await checkSettings(dataFolder, examination) : []),
    ...(folder.state === "ok" ? checkRecords(dataFolder, examination) : []),
  ];
}

/** The home this data folder belongs to, where it belongs to one. */
async function checksOfHome(examination: Examination): Promise<Check[]> {
  const { dataFolder, now } = examination;
  const device = deviceIn(examination);
  const off = checkKnownScouts(device?.off ?? [], now());
  let homeFolder = dataFolder;
  try {
    homeFolder = homeFolderOf(dataFolder);
    const known = hasNotice(homeFolder) || existsSync(path.join(dataFolder, "device", "credentials.json"));
    if (!known) {
      const none: Check = { name: "home", state: "note", ...found("home_none", { up: upOn(homeFolder) }) };
      return [...damage(examination, none), ...off];
    }
    const home = homeOf(dataFolder, now);
    // A home that was stopped takes its notice with it.
    const goneFrom = readCredentials(dataFolder) === undefined ? homeFolder : undefined;
    const checks = await checkHome(home.apiUrl, now, goneFrom);
    if (checks[0]?.code === "home_gone") return [...damage(examination, checks[0]), ...off];
    if (checks[0]?.state !== "ok") return [...checks, ...off];
    const scouts = await checkScouts(home, now(), (work) => withKnownScouts(examination, work));
    return [...checks, ...(device === undefined ? [] : [await checkSocket(home, device.id)]), ...scouts];
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    const home: Check = {
      name: "home",
      state: "fail",
      ...found("home_unusable", { up: upOn(homeFolder) }, { why: quoted(error) }),
    };
    return [home, ...off];
  }
}

/** That none answers is told of a home that can be started; of one that cannot, why. */
function damage({ damageOfHome }: Examination, none: Check): Check[] {
  const why = damageOfHome?.();
  return [why === undefined ? none : { name: "home", state: "fail", ...found("home_damaged", {}, { why }) }];
}

function withKnownScouts<T>(
  { dataFolder, now, newId }: Examination,
  work: (known: KnownScoutTable) => T,
): T | undefined {
  if (!existsSync(storePath(dataFolder))) return undefined;
  const store = openDeviceStore({ dataFolder, mustExist: true, now, newId });
  try {
    return work(store.knownScouts);
  } finally {
    store.close();
  }
}

/** The device's id and the scouts it knows to be off, where there is a database that can be read; what is wrong with it another check says. */
function deviceIn(examination: Examination): { id: DeviceId; off: OffScout[] } | undefined {
  const store = openIfSound(examination.dataFolder, examination);
  if (store === undefined) return undefined;
  try {
    return { id: store.identity.get().deviceId, off: store.knownScouts.off() };
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    return undefined;
  } finally {
    store.close();
  }
}
