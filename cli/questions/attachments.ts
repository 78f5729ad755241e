import { openDeviceTrail } from "../../device/actions/device-trail.ts";
import { attachmentLimits } from "../../device/attachments/attachment-limits.ts";
import { type GatheredAttachments, gatherAttachments } from "../../device/attachments/gather-attachments.ts";
import { fileHandler } from "../../device/attachments/handlers/attach-file.ts";
import { mcpHandler } from "../../device/attachments/handlers/attach-mcp.ts";
import { pageHandler } from "../../device/attachments/handlers/attach-page.ts";
import { proposalHandler } from "../../device/attachments/handlers/attach-proposal.ts";
import { toolHandler } from "../../device/attachments/handlers/attach-tool.ts";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { openItem } from "../../device/connection/content/open-item.ts";
import { systemPorts } from "../../device/connection/ports.ts";
import { Extractor } from "../../device/folders/extraction/extractor.ts";
import type { Project } from "../../device/store/folder-schema.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { runTool } from "../../device/tools/run-tool.ts";
import { confirmedToolList, toolNamed } from "../../device/tools/tool-list.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";
import { fetchPage } from "../output/fetch-page.ts";
import { printable } from "../output/printable.ts";
import { saysYes } from "../output/yes-or-no.ts";
import { terminalApprover } from "../projects/project-context.ts";

/**
 * Reads what was attached at the command line, where all kinds can be.
 *
 * @throws as {@link gatherAttachments}
 */
export async function attachedAtTerminal(
  context: CliContext,
  flags: CommonOptions,
  {
    store,
    names,
    project,
  }: { readonly store: DeviceStore; readonly names: readonly string[]; readonly project: Project | undefined },
): Promise<GatheredAttachments | undefined> {
  if (names.length === 0) return undefined;
  const { io, now, newId, workingFolder, variables = {} } = context;
  const dataFolder = dataFolderOf(context, flags);
  const extractor = new Extractor();
  const extract: Extractor["extract"] = (job) => extractor.extract(job);
  const tools = { dataFolder, store, variables, now, newId };
  const { trail, close } = openDeviceTrail(dataFolder, now);
  const projectFolder = project?.folderPath ?? undefined;
  try {
    return await gatherAttachments(names, {
      handlers: {
        file: fileHandler({
          dataFolder,
          projectFolder,
          workingFolder,
          approver: terminalApprover(context),
          now,
          newId,
        }),
        https: pageHandler(fetchPage(now), extract, attachmentLimits.timeMs),
        mcp: mcpHandler({ toolNamed: (name) => toolNamed(confirmedToolList(tools), name), variables, extract }),
        proposal: proposalHandler(store, (id, signal) =>
          openItem(id, {
            api: homeOf(dataFolder, now),
            deviceId: store.identity.get().deviceId,
            ports: systemPorts,
            signal,
          }),
        ),
        tool: toolHandler((name, signal) =>
          runTool(
            {
              ...{ name, project: project ?? null, arguments: {}, caller: "person", keepsChanges: false, signal },
              mayWorkInPlace: (root) => saysYes(io, printable(`${name} works on ${root} itself. Run it?`)),
            },
            tools,
          ),
        ),
      },
      trail,
      clock: systemPorts.clock,
      signal: io.signal,
    });
  } finally {
    close();
    await extractor.close();
  }
}
