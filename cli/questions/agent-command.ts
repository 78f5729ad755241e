import type { AgentRequest } from "../../device/agent/run-agent.ts";
import { homeOf } from "../../device/connect/deployed-home.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { ExitWith } from "../context.ts";
import { type CliContext, type CommonOptions, dataFolderOf, withStore, zoneOf } from "../context.ts";
import { requireModel } from "../home/running-home.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { terminalClient } from "../projects/project-context.ts";
import { answerOn, exitCodeOf, runForPrograms } from "./agent-answer.ts";

export interface AgentFlags extends CommonOptions {
  /** False with `--no-rescan`. */
  readonly rescan?: boolean;
}

/**
 * What a command says before it asks, from the device alone; `isAll` when there is nothing to ask. Fields are for programs,
 * beside those of the run.
 */
export type Opening = (
  store: DeviceStore,
  output: Output,
) => Promise<{ readonly isAll: boolean; readonly fields: object }>;

/**
 * One question to an agent, from the command line. A folder that turned out to have changed is read again while the agent
 * works; the answer does not wait for that, the command does.
 */
export function agentCommand(
  context: CliContext,
  flags: AgentFlags,
  exitWith: ExitWith,
  requestOf: (store: DeviceStore) => AgentRequest | Promise<AgentRequest>,
  opening?: Opening,
): Promise<void> {
  return withStore(context, flags, async (store, output) => {
    const { io } = context;
    const opened = await opening?.(store, output);
    if (opened?.isAll) return flags.json ? output.json(opened.fields) : undefined;
    const request = await requestOf(store);
    const dataFolder = dataFolderOf(context, flags);
    const api = homeOf(dataFolder, context.now);
    await requireModel(dataFolder, io);
    // What the other commands do not need is not loaded for them.
    const [{ askAgent }, { backgroundRescans }, { systemPorts }, { openContentChannel }, { isConsoleServed }] =
      await Promise.all([
        import("../../device/agent/ask-agent.ts"),
        import("../../device/agent/background-rescans.ts"),
        import("../../device/connection/ports.ts"),
        import("../../device/connection/content/content-channel.ts"),
        import("../../device/console/presence.ts"),
      ]);
    const { clock } = systemPorts;
    const { deviceId } = store.identity.get();
    const openContent = () => openContentChannel({ api, deviceId, ports: systemPorts });
    const rescans = backgroundRescans({ store, api, clock, openContent, signal: io.signal });
    const answer = answerOn(io, zoneOf(context), store.projects.list());
    try {
      const result = await askAgent(request, {
        store,
        dataFolder,
        clock,
        openContent,
        signal: io.signal,
        tools: {
          variables: context.variables ?? {},
          client: terminalClient(context),
          isServed: () => isConsoleServed(dataFolder),
        },
        events: flags.json ? {} : answer.events,
        ...(flags.rescan === false ? {} : { onStale: rescans.begin }),
      });
      if (flags.json) output.json({ ...opened?.fields, ...runForPrograms(result) });
      else answer.finish(result);
      exitWith(exitCodeOf[result.status]);
    } finally {
      if (rescans.running > 0 && (!flags.json || io.isTTY))
        io.stderr.write("Bringing the list of files up to date (Ctrl-C leaves it for later).\n");
      for (const { code, sentence } of await rescans.ended()) {
        io.stderr.write(`scouts: The list of files is not up to date: ${printable(sentence)} (${code})\n`);
      }
    }
  });
}
