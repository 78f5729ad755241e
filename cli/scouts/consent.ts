import { consentAtHome } from "../../device/connect/local-home.ts";
import { openBrowser } from "../../device/connect/open-browser.ts";
import type { Consent } from "../../device/sources/consent.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";
import { printable } from "../output/printable.ts";
import { deviceOf } from "./scouts-home.ts";

/** A person may take this long to consent; the cloud waits no longer either. */
const consentMs = 600_000;

/** Ends with the command, or when the cloud has stopped waiting. */
const consentSignal = ({ io }: CliContext): AbortSignal => AbortSignal.any([io.signal, AbortSignal.timeout(consentMs)]);

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
    if (!printOnly && (await consentAtHome(dataFolder, url))) return;
    io.stderr.write(`${why} Open this page:\n${printable(url)}\n`);
    if (!printOnly) openBrowser(url);
  };
}

/** How a command asks for consent. @param why one sentence before the address of the page */
export function consentFor(
  context: CliContext,
  flags: CommonOptions & { readonly printUrl?: boolean },
  why: string,
): Consent {
  return {
    deviceId: deviceOf(context, flags),
    openConsent: consentOpener(context, dataFolderOf(context, flags), why, flags.printUrl ?? false),
    signal: consentSignal(context),
  };
}
