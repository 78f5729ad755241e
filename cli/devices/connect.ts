import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { readCredentials } from "../../device/connect/credentials.ts";
import { deployedHome } from "../../device/connect/deployed-home.ts";
import { homeFolderOf, keepHomeFolder, refuseSecondHome } from "../../device/connect/devices/home-folder.ts";
import { localHome } from "../../device/connect/local-home.ts";
import { mayPass } from "../../device/connect/may-pass.ts";
import { ofOnePerson } from "../../device/connect/one-person.ts";
import { Device } from "../../device/connection/device.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { DeviceError, isDeviceError } from "../../device/errors.ts";
import { proposalJson } from "../../device/proposals/proposal-json.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { requireSound } from "../../device/store/require-sound.ts";
import { cloudFolderOf } from "../../infra/local/cloud-folder.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withCommonOptions } from "../context.ts";
import { encryptedAddressGiven } from "../given-address.ts";
import { pathGiven } from "../given-path.ts";
import { clockLine, warnOfHome } from "../home/running-home.ts";
import { type Output, outputOn } from "../output/output.ts";
import { calledOf } from "../proposals/called.ts";
import { showArrival } from "../proposals/shown-proposals.ts";
import { tellTroubles } from "../scouts/shown/told-troubles.ts";

interface ConnectFlags extends CommonOptions {
  readonly api?: string;
  readonly home?: string;
  readonly once?: boolean;
}

/** The data folder of the home on this machine to be a device of: named now, or before. @throws DeviceError `home_other`, `folder_unusable` */
function homeFolderFor(context: CliContext, { home, api }: ConnectFlags, dataFolder: string): string | undefined {
  if (home === undefined) {
    const kept = homeFolderOf(dataFolder);
    return api !== undefined || kept === dataFolder || readCredentials(dataFolder) !== undefined ? undefined : kept;
  }
  const named = pathGiven(context, home);
  if (named !== dataFolder && existsSync(cloudFolderOf(dataFolder))) refuseSecondHome(dataFolder, named);
  return named;
}

/** The home to be a device of. @throws DeviceError `login_needed`, `home_not_running`, `usage` */
function homeFor(
  context: CliContext,
  flags: ConnectFlags,
  dataFolder: string,
  homeFolder: string | undefined,
): CloudApi {
  if (homeFolder !== undefined) return localHome(homeFolder, () => performance.now());
  const home = deployedHome(dataFolder, context.now);
  if (flags.api === undefined || encryptedAddressGiven(flags.api) === new URL(home.apiUrl).href) return home;
  throw new DeviceError("login_needed", {
    sentence: `Not signed in to ${flags.api}; run \`scouts login --api\` with it.`,
  });
}

/**
 * Tells whoever has to sign in again so now, and not by a device that tries for ever. Who stays waits for a network that is not there
 * yet, as when a machine has just been started, and shows meanwhile what it holds.
 *
 * @throws DeviceError what `auth` throws and does not pass by itself; whatever it throws where the device ends when all is fetched
 */
async function requireSignIn({ auth }: CloudApi, { once = false }: ConnectFlags): Promise<void> {
  await auth().catch((error: unknown) => {
    if (once || !isDeviceError(error) || !mayPass(error)) throw error;
  });
}

function tell(device: Device, output: Output, context: CliContext, json: boolean): void {
  const line = (event: string, fields: object) =>
    void context.io.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
  let isClockTold = false;
  device.events.on("ready", ({ sessionId, clockOffsetMs }) => {
    const clock = clockLine(clockOffsetMs);
    if (clock !== undefined && !isClockTold) context.io.stderr.write(`scouts: ${clock}\n`);
    isClockTold = clock !== undefined;
    if (json) line("ready", { sessionId, clockOffsetMs });
    else output.line(output.style("dim", "connected"));
  });
  device.events.on("proposal", (proposal) => {
    if (json) line("proposal", { proposal: proposalJson(proposal) });
    else showArrival(output, proposal);
  });
  device.events.on("closed", (proposal) => {
    if (json) line("closed", { proposal: proposalJson(proposal) });
    else output.line(`closed (${proposal.closedReason?.replaceAll("_", " ")}): ${calledOf(proposal)}`);
  });
  device.events.on("problem", ({ code, message }) => {
    if (json) line("problem", { code, message });
    else context.io.stderr.write(`scouts: ${message} (${code})\n`);
  });
}

function tellTroublesOn(parts: Parameters<typeof tellTroubles>[0], { io, now }: CliContext, json: boolean): void {
  const line = (event: string, fields: object) => void io.stdout.write(`${JSON.stringify({ event, ...fields })}\n`);
  tellTroubles(parts, now, {
    off: ({ line: sentence, scoutId, code }) =>
      json ? line("reauth", { scoutId, code }) : void io.stderr.write(`scouts: ${sentence} (${code})\n`),
    mended: (sentence, scoutId) => (json ? line("mended", { scoutId }) : void io.stderr.write(`scouts: ${sentence}\n`)),
  });
}

async function connect(context: CliContext, flags: ConnectFlags): Promise<void> {
  const dataFolder = dataFolderOf(context, flags);
  const homeFolder = homeFolderFor(context, flags, dataFolder);
  const signedIn = homeFor(context, flags, dataFolder, homeFolder);
  await requireSignIn(signedIn, flags);
  const store = openDeviceStore({
    dataFolder,
    now: context.now,
    newId: context.newId,
    passphrase: context.environment.SCOUTS_PASSPHRASE,
  });
  requireSound(store);
  const home = ofOnePerson(signedIn, store);
  try {
    await requireSignIn(home, flags);
    if (homeFolder !== undefined) keepHomeFolder(dataFolder, homeFolder);
  } catch (error) {
    store.close();
    throw error;
  }
  const output = outputOn(context.io);
  const device = new Device({ ...home, ...systemPorts, store });
  const { signal } = context.io;
  // What the other commands do not need is not loaded for them.
  const { backgroundWork } = await import("../home/background-work.ts");
  const background = backgroundWork(
    { device, store, api: home, newId: context.newId, environment: context.environment, variables: context.variables },
    flags,
    context.io,
  );
  try {
    tell(device, output, context, flags.json ?? false);
    tellTroublesOn({ device, store, api: home }, context, flags.json ?? false);
    const stopped = signal.aborted ? Promise.resolve() : once(signal, "abort");
    if (homeFolder !== undefined) await warnOfHome(homeFolder, context.io);
    device.connect();
    background.start();
    if (flags.once) background.rescans.start();
    await (flags.once
      ? Promise.race([
          stopped,
          Promise.all([
            device
              .settled()
              .then(() => background.categorizer.whenIdle())
              .then(() => background.modelReader.whenIdle()),
            background.rescans.whenIdle(),
          ]),
        ])
      : stopped);
  } finally {
    await background.close();
    // The device comes back: its session is kept, and ends by itself when it does not.
    await device.close({ keepSession: true });
    store.close();
  }
}

/** `scouts connect`: this data folder as a device of a home, in the foreground. */
export function addConnect(program: Command, context: CliContext): void {
  const command = program
    .command("connect")
    .summary("be a device of a home that runs elsewhere, until interrupted")
    .description(
      "Connects the device of this data folder to the home it is signed in to (scouts login), shows proposals as they come, " +
        "and reconnects until interrupted. Decisions made meanwhile by `scouts proposals` are sent at once, and folders of " +
        "projects are read again once a day.",
    )
    .option("--api <url>", "the home's address, to be sure: refused unless signed in to it")
    .option(
      "--home <folder>",
      "a home that runs on this machine, by its data folder, in place of a sign-in; remembered",
    )
    .option("--once", "end when everything there is has been fetched and sent");
  withCommonOptions(command).action((flags: ConnectFlags) => connect(context, flags));
}
