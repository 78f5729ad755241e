import { once } from "node:events";
import { proposalJson } from "../../device/proposals/proposal-json.ts";
import type { ExternalServices } from "../../infra/local/world/external-services.ts";
import type { CliIo, UpOptions } from "../home/up-options.ts";
import { outputOn } from "../output/output.ts";
import { tellClosedUndecided } from "../proposals/closed-undecided.ts";
import { showArrival } from "../proposals/shown-proposals.ts";
import { tellTroubles } from "../scouts/shown/told-troubles.ts";
import { runScout } from "./drain.ts";
import { type ModelNews, watchModel } from "./shown/told-model.ts";
import type { SystemOn } from "./system.ts";

/** Shows proposals as they come, and tells of what goes wrong and is mended, until interrupted. */
export async function stayUp(
  system: SystemOn<ExternalServices>,
  news: ModelNews,
  options: UpOptions,
  io: CliIo,
  now: () => number,
): Promise<void> {
  const output = outputOn(io);
  if (!options.json) output.line(`Listening on ${system.home.apiUrl}; new mail is shown as it arrives. Ctrl-C stops.`);
  system.device.events.on("proposal", (proposal) => {
    if (options.json) io.stdout.write(`${JSON.stringify(proposalJson(proposal))}\n`);
    else showArrival(output, proposal);
  });
  tellTroubles(system, now, {
    off: ({ line, code }) => void io.stderr.write(`scouts: ${line} (${code})\n`),
    mended: (line) => void io.stderr.write(`scouts: ${line}\n`),
  });
  tellClosedUndecided(system.device, (text) => void io.stderr.write(`scouts: ${text}\n`));
  const { counter } = system;
  const home = {
    isGivenUp: async () => (await counter.givenUp()) !== undefined,
    onMended: async () => void (await runScout(system)),
  };
  const interrupted = io.signal.aborted ? Promise.resolve() : once(io.signal, "abort").then(() => undefined);
  const watching = watchModel(news, home, io.signal).catch((error: unknown) => {
    // Who interrupts does not wait for a model that takes its time; what is under way then finds its home closed.
    if (!io.signal.aborted) throw error;
  });
  await Promise.race([interrupted, watching]);
}
