import { nobody } from "../../access/policy/approver.ts";
import { openDeviceTrail } from "../../actions/device-trail.ts";
import { attachmentLimits } from "../../attachments/attachment-limits.ts";
import { type GatheredAttachments, gatherAttachments } from "../../attachments/gather-attachments.ts";
import { fileHandler } from "../../attachments/handlers/attach-file.ts";
import { type FetchPage, pageHandler } from "../../attachments/handlers/attach-page.ts";
import { proposalHandler } from "../../attachments/handlers/attach-proposal.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { openItem } from "../../connection/content/open-item.ts";
import type { ConnectionPorts } from "../../connection/ports.ts";
import { Extractor } from "../../folders/extraction/extractor.ts";
import type { DeviceStore } from "../../store/open.ts";

export interface ConsoleAttachmentParts {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly ports: ConnectionPorts;
  readonly fetchPage: FetchPage;
  readonly signal: AbortSignal;
  /** Of the project the question is about. */
  readonly projectFolder: string | undefined;
}

/**
 * Reads what a tab attached: files of the question's project, pages and items. Programs are not started from a page, and nobody
 * is there to be asked, so what the rules ask about is refused.
 *
 * @throws as {@link gatherAttachments}
 */
export async function attachedInConsole(
  names: readonly string[],
  { store, api, ports, fetchPage, signal, projectFolder }: ConsoleAttachmentParts,
): Promise<GatheredAttachments | undefined> {
  if (names.length === 0) return undefined;
  const { dataFolder, newId } = store;
  const now = () => ports.clock.now();
  const extractor = new Extractor();
  const { trail, close } = openDeviceTrail(dataFolder, now);
  const { deviceId } = store.identity.get();
  try {
    return await gatherAttachments(names, {
      handlers: {
        file: fileHandler({ dataFolder, projectFolder, approver: nobody, now, newId }),
        https: pageHandler(fetchPage, (job) => extractor.extract(job), attachmentLimits.timeMs),
        proposal: proposalHandler(store, (id, until) => openItem(id, { api, deviceId, ports, signal: until })),
      },
      trail,
      clock: ports.clock,
      signal,
    });
  } finally {
    close();
    await extractor.close();
  }
}
