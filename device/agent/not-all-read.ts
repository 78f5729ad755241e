import { existsSync } from "node:fs";
import type { ProjectId } from "../../events/ids.ts";
import { indexPath } from "../knowledge/index/index-file.ts";
import { isBehind } from "../knowledge/index/update-index.ts";
import type { DeviceStore } from "../store/open.ts";
import type { AgentRequest } from "./run-agent.ts";

/** A project an answer may rest on, of whose folder not all had been read when the question was asked. */
export interface NotAllRead {
  readonly projectId: ProjectId;
  readonly name: string;
  /** Somebody is at it; otherwise it waits for a scan. */
  readonly isScanning: boolean;
}

/** What a question cannot be answered from yet: whoever reads the answer would take it for all there is. */
export function notAllRead({ agent, projectId }: AgentRequest, store: DeviceStore): NotAllRead[] {
  // It is about one message.
  if (agent === "categorize") return [];
  return store.projects
    .linked()
    .filter(({ id }) => projectId === undefined || id === projectId)
    .filter(({ id }) => !existsSync(indexPath(store.dataFolder, id)) || isBehind(store, id))
    .map(({ id, name, folderLastScanStatus }) => ({
      projectId: id,
      name,
      isScanning: folderLastScanStatus === "scanning",
    }));
}
