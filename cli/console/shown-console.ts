import { systemPorts } from "../../device/connection/ports.ts";
import type { ConsoleOptions } from "../../device/console/serve.ts";
import { type ServedConsole, serveConsole } from "../../device/console/serve.ts";
import { isDiskFull } from "../../device/errors/disk-full.ts";
import { isDeviceError } from "../../device/errors.ts";
import { isScoutsError } from "../../events/errors.ts";
import { keepError } from "../error-log.ts";
import { failureOf } from "../failure.ts";
import type { CliIo } from "../home/up-options.ts";
import { fetchPage } from "../output/fetch-page.ts";
import { outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";

export interface ShownConsole {
  /**
   * Serves the console and prints where it is; a device without its page is still a device. Once it is served, no more.
   *
   * @param mailRead settles when the mail that lies there has been read: until then the page says that it is being read
   */
  start(mailRead?: Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** The console of a program that stays, said on the terminal unless it prints JSON. */
export function showConsole(
  parts: Pick<ConsoleOptions, "device" | "store" | "api" | "rescans" | "program" | "variables">,
  { json }: { readonly json: boolean },
  io: CliIo,
): ShownConsole {
  const { clock } = systemPorts;
  const tell = (error: unknown) => {
    const { line } = failureOf(error, { keep: () => undefined, debug: false });
    io.stderr.write(`console: ${line}\n`);
  };
  // An error of a request may quote the mail that was asked for, and what stands on a terminal is kept by many a log.
  const onProblem = (error: unknown) => {
    if (isDeviceError(error) || isScoutsError(error) || isDiskFull(error)) return tell(error);
    const file = keepError(parts.store.dataFolder, error, clock.now());
    const where = file === undefined ? "" : ` It is kept in ${printable(file)}.`;
    io.stderr.write(
      `console: scouts: Something unexpected went wrong with what the page asked for.${where} (internal)\n`,
    );
  };
  let served: Promise<ServedConsole | undefined> | undefined;
  return {
    async start(mailRead) {
      if (served !== undefined) return;
      const options = { ...parts, clock, fetchPage: fetchPage(clock.now), onProblem, mailRead };
      served = serveConsole(options).catch((error: unknown) => {
        tell(error);
        return undefined;
      });
      const console = await served;
      if (console === undefined || json) return;
      outputOn(io).line(`Console: ${console.origin} (scouts console opens it)`);
    },
    close: async () => (await served)?.close(),
  };
}
