import type { ExternalServices } from "../../infra/local/world/external-services.ts";
import type { CliIo, UpOptions } from "../home/up-options.ts";
import { outputOn } from "../output/output.ts";
import { showArrival } from "../proposals/proposals.ts";
import { tellTroubles } from "../scouts/told-troubles.ts";
import type { SystemOn } from "./system.ts";

/** Shows proposals as they come, until interrupted. */
export async function stayUp(system: SystemOn<ExternalServices>, options: UpOptions, io: CliIo): Promise<void> {
  const output = outputOn(io);
  if (!options.json) output.line(`Listening on ${system.home.apiUrl}; new mail is shown as it arrives. Ctrl-C stops.`);
  system.device.events.on("proposal", (proposal) => {
    if (options.json) io.stdout.write(`${JSON.stringify(proposal)}\n`);
    else showArrival(output, proposal);
  });
  tellTroubles(system, Date.now, {
    off: ({ line, code }) => void io.stderr.write(`scouts: ${line} (${code})\n`),
    mended: (line) => void io.stderr.write(`scouts: ${line}\n`),
  });
  if (io.signal.aborted) return;
  await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }));
}
