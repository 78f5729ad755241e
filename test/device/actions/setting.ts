import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { AuditRecord } from "../../../device/access/audit/record.ts";
import { openProject } from "../../../device/access/open-project.ts";
import { nobody } from "../../../device/access/policy/approver.ts";
import { ActionTable, type ActionTableOptions } from "../../../device/actions/action-table.ts";
import { openDeviceTrail } from "../../../device/actions/device-trail.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";

export interface Setting {
  readonly store: DeviceStore;
  readonly root: string;
  readonly projectId: ProjectId;
  readonly table: Table;
  /** Records of the device's own trail. */
  deviceAudit(): AuditRecord[];
  /** Records of the project's trail; closes the table. */
  projectAudit(): Promise<AuditRecord[]>;
}

/** The table, whose calls have an id when it matters. */
interface Table extends Pick<ActionTable, "close"> {
  run(action: string, data: Readonly<Record<string, unknown>>, callId?: string): ReturnType<ActionTable["run"]>;
}

export const noExtraction: ActionTableOptions["extract"] = async () => ({ outcome: "failed", reason: "no_text" });

/** A project with a folder of these files, and the table of actions for one run. */
export function setting(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<ActionTableOptions> = {},
): Setting {
  const dataFolder = temporaryFolder();
  const root = join(temporaryFolder(), "folder");
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const store = temporaryStore(dataFolder, options.now);
  const { id: projectId } = store.projects.add("Garden");
  store.projects.link(projectId, root);
  const { trail, close } = openDeviceTrail(dataFolder, Date.now);
  const caller = "agent:home";
  const actions = new ActionTable({
    now: Date.now,
    store,
    dataFolder,
    caller,
    session: "run_x",
    trail,
    extract: noExtraction,
    ...options,
  });
  const table: Table = {
    run: (action, data, callId = "cal_x") => actions.run(action, data, callId),
    close: () => actions.close(),
  };
  onTestFinished(() => {
    table.close();
    close();
  });
  return {
    store,
    root,
    projectId,
    table,
    deviceAudit: () => [...trail.records()],
    async projectAudit() {
      table.close();
      const project = await openProject({ ...systemTimeAndIds, root, dataFolder, approver: nobody });
      const records = [...project.access.audit.records()];
      project.close();
      return records;
    },
  };
}
