import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { isDeviceError } from "../../device/errors.ts";
import { exitCodes } from "../../device/exit-codes.ts";
import { openDeviceStore, storePath } from "../../device/store/open.ts";
import type { OffScout } from "../../device/store/schema.ts";
import type { TimeAndIds } from "../../device/time-and-ids.ts";
import type { DeviceId } from "../../events/ids.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, type CommonOptions, dataFolderOf, wholeNumber, withCommonOptions } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { type Check, checkDatabase, checkFolder, checkNode, checkPort, checkSpace } from "./checks.ts";
import { checkHome, checkSocket } from "./home-checks.ts";
import { checksOfRunning } from "./running-checks.ts";
import { checkKnownScouts, checkScouts } from "./scout-checks.ts";

const marks = { ok: ["green", "ok  "], note: ["yellow", "note"], fail: ["red", "fail"] } as const;

function show(output: Output, checks: readonly Check[]): void {
  for (const { name, state, detail, advice } of checks) {
    const [style, mark] = marks[state];
    output.line(`${output.style(style, mark)}  ${name.padEnd(12)}${printable(detail)}`);
    if (advice !== undefined) output.line(`      ${" ".repeat(12)}${printable(advice)}`);
  }
}

/** The home this data folder belongs to, where it belongs to one; or the one that was named, from outside. */
async function checksOfHome(context: CliContext, dataFolder: string, api: string | undefined): Promise<Check[]> {
  if (api !== undefined) return checkHome(api, context.now);
  const known = ["home.json", "device/credentials.json"].some((file) => existsSync(path.join(dataFolder, file)));
  const device = deviceIn(dataFolder, context);
  const off = checkKnownScouts(device?.off ?? [], context.now());
  if (!known) {
    return [{ name: "home", state: "note", detail: "none yet", advice: "Run `scouts up` or `scouts login`." }, ...off];
  }
  try {
    const home = homeOf(dataFolder, context.now);
    const checks = await checkHome(home.apiUrl, context.now);
    if (checks[0]?.state !== "ok") return [...checks, ...off];
    const scouts = await checkScouts(context, { data: dataFolder }, home);
    return [...checks, ...(device === undefined ? [] : [await checkSocket(home, device.id)]), ...scouts];
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    const home: Check = {
      name: "home",
      state: "fail",
      detail: error.message,
      advice: "Run `scouts up` or `scouts login`.",
    };
    return [home, ...off];
  }
}

/** The device's id and the scouts it knows to be off, where there is a database that can be read; what is wrong with it another check says. */
function deviceIn(dataFolder: string, { now, newId }: TimeAndIds): { id: DeviceId; off: OffScout[] } | undefined {
  if (!existsSync(storePath(dataFolder))) return undefined;
  try {
    const store = openDeviceStore({ dataFolder, mustExist: true, now, newId });
    try {
      return { id: store.identity.get().deviceId, off: store.knownScouts.off() };
    } finally {
      store.close();
    }
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    return undefined;
  }
}

/** `scouts doctor`: looks at everything a device needs and says what to do. */
export function addDoctor(program: Command, context: CliContext, exitWith: ExitWith): void {
  const command = program
    .command("doctor")
    .description("check node, data folder, database, clock, home, socket, ports and credentials, and say what to do")
    .option("--api <url>", "look at this home instead of the one the data folder belongs to")
    .option("--port <number>", "also check this loopback port", wholeNumber(1, 65_535));
  withCommonOptions(command).action(async (flags: CommonOptions & { port?: number; api?: string }) => {
    const dataFolder = dataFolderOf(context, flags);
    const folder = checkFolder(dataFolder);
    const home = await checksOfHome(context, dataFolder, flags.api);
    const measured = home.some(({ name }) => name === "clock");
    const database = folder.state === "ok" ? checkDatabase(dataFolder, context) : [];
    const checks = [
      checkNode(process.versions.node),
      folder,
      checkSpace(dataFolder),
      // What the last connection measured is of interest only where the home cannot be asked.
      ...database.filter(({ name }) => !(measured && name === "clock")),
      ...home,
      await checkPort(flags.port ?? 0),
      ...(flags.api === undefined ? await checksOfRunning(context, dataFolder) : []),
    ];
    const ok = checks.every(({ state }) => state !== "fail");
    const output = outputOn(context.io);
    if (flags.json) output.json({ ok, checks });
    else show(output, checks);
    exitWith(ok ? exitCodes.done : exitCodes.attention);
  });
}
