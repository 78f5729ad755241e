import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { type Command, Option } from "commander";
import type { PasteAddress } from "../../device/connect/connect-gmail.ts";
import { homeFolderOf } from "../../device/connect/devices/home-folder.ts";
import { consentAtHome } from "../../device/connect/local-home.ts";
import { openBrowser } from "../../device/connect/open-browser.ts";
import { DeviceError } from "../../device/errors.ts";
import type { Consent } from "../../device/sources/consent.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";
import { printable } from "../output/printable.ts";
import { deviceOf } from "./scouts-home.ts";

/** A person may take this long to consent; the cloud waits no longer either. */
const consentMs = 600_000;

/** Ends with the command, or when the cloud has stopped waiting. */
const consentSignal = ({ io }: CliContext): AbortSignal => AbortSignal.any([io.signal, AbortSignal.timeout(consentMs)]);

const pasteHint =
  "On another machine the browser ends on an address that begins with http://127.0.0.1 and shows an error: copy that " +
  "address and paste it here.";

/** Takes pasted addresses from standard input, a line each. */
function pasteFrom({ io, secrets }: CliContext): PasteAddress | undefined {
  if (secrets === undefined) return undefined;
  const { stdin } = secrets;
  return (take) => {
    const lines = createInterface({ input: stdin instanceof Readable ? stdin : Readable.from(stdin) });
    lines.on("line", (line) => {
      if (line.trim() === "" || take(line)) return;
      io.stderr.write("This is not the address the consent ended on; it holds state= and code=.\n");
    });
    return () => lines.close();
  };
}

/**
 * Google's device flow grants no scope of Gmail (docs/decisions/0132), so there is nothing to wait for.
 *
 * @throws DeviceError `device_code_unsupported`
 */
export function refuseDeviceCode(flags: ConsentFlags): void {
  if (flags.deviceCode) throw new DeviceError("device_code_unsupported");
}

/** Flags of whatever asks for a consent. */
export interface ConsentFlags {
  readonly printUrl?: boolean;
  readonly deviceCode?: boolean;
}

/** Adds the options that say where a person consents. Only one way of connecting can be chosen. */
export const withConsentOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        "--print-url",
        "only print the address of the consent page: open it on any machine and paste back what it ends on",
      ).conflicts(["settingsStdin", "passwordStdin"]),
    )
    .option("--device-code", "consent by a code typed on another machine, where the source's provider allows that");

/**
 * Shows a consent page: in the browser, and its address on stderr for where there is none. The page of a local home's own
 * mailbox is answered here.
 *
 * @param why one sentence before the address
 * @param printOnly only the address is given, whosever page it is
 */
function consentOpener(
  { io }: CliContext,
  dataFolder: string,
  why: string,
  printOnly = false,
): (url: string) => Promise<void> {
  return async (url) => {
    if (!printOnly && (await consentAtHome(homeFolderOf(dataFolder), url))) return;
    io.stderr.write(`${why} Open this page:\n${printable(url)}\n`);
    if (printOnly) io.stderr.write(`${pasteHint}\n`);
    else openBrowser(url);
  };
}

/** How a command asks for consent. @param why one sentence before the address of the page */
export function consentFor(context: CliContext, flags: CommonOptions & ConsentFlags, why: string): Consent {
  refuseDeviceCode(flags);
  return {
    deviceId: deviceOf(context, flags),
    openConsent: consentOpener(context, dataFolderOf(context, flags), why, flags.printUrl ?? false),
    paste: flags.printUrl ? pasteFrom(context) : undefined,
    signal: consentSignal(context),
  };
}
