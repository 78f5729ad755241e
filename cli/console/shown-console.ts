import { systemPorts } from "../../device/connection/ports.ts";
import type { ConsoleOptions } from "../../device/console/serve.ts";
import { type ServedConsole, serveConsole } from "../../device/console/serve.ts";
import { failureOf } from "../failure.ts";
import type { CliIo } from "../home/up-options.ts";
import { outputOn } from "../output/output.ts";

export interface ShownConsole {
  /** Serves the console and prints where it is; a device without its page is still a device. */
  start(): void;
  close(): Promise<void>;
}

/** The console of a program that stays, said on the terminal unless it prints JSON. */
export function showConsole(
  parts: Pick<ConsoleOptions, "device" | "store" | "api" | "rescans" | "program">,
  { json }: { readonly json: boolean },
  io: CliIo,
): ShownConsole {
  const onProblem = (error: unknown) => {
    const { line } = failureOf(error, { keep: () => undefined, debug: false });
    io.stderr.write(`console: ${line}\n`);
  };
  let served: Promise<ServedConsole | undefined> | undefined;
  return {
    start() {
      served = serveConsole({ ...parts, clock: systemPorts.clock, onProblem }).catch((error: unknown) => {
        onProblem(error);
        return undefined;
      });
      void served.then((console) => {
        if (console === undefined || json) return;
        outputOn(io).line(`Console: ${console.origin} (scouts console opens it)`);
      });
    },
    close: async () => (await served)?.close(),
  };
}
