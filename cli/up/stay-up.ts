import { outputOn } from "../output/output.ts";
import { showProposals } from "../proposals/proposals.ts";
import type { CliIo, UpOptions } from "../home/up-options.ts";
import type { Ground } from "../../infra/local/world/ground.ts";
import type { SystemOn } from "./system.ts";

/** Shows proposals as they come, until interrupted. */
export async function stayUp(system: SystemOn<Ground>, options: UpOptions, io: CliIo): Promise<void> {
  const output = outputOn(io);
  if (!options.json) output.line(`Listening on ${system.home.apiUrl}; new mail is shown as it arrives. Ctrl-C stops.`);
  system.device.events.on("proposal", (proposal) => {
    if (options.json) io.stdout.write(`${JSON.stringify(proposal)}\n`);
    else showProposals(output, [proposal], Date.now());
  });
  if (io.signal.aborted) return;
  await new Promise<void>((resolve) => io.signal.addEventListener("abort", () => resolve(), { once: true }));
}
