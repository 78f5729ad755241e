import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { FileAccess } from "../../device/access/file-access.ts";
import { openProjectDatabase } from "../../device/access/open-access.ts";
import { openActivityStore } from "../../device/activity/activity-store.ts";
import { waitingApprover } from "../../device/activity/waiting-approver.ts";
import { emptyDraft } from "../../device/categorize/draft.ts";
import { systemClock } from "../../device/connection/clock.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { askedCloud } from "./asked-cloud.ts";
import { type ProjectHome, startProject } from "./project-home.ts";

const dayMs = 86_400_000;
const plan = (bed: string) => `# Plan\n\n${bed}\n\nThe path is of gravel.\n`;
const planned = {
  now: "The north bed is empty.",
  program: "The north bed gets beans.",
  person: "The north bed is dug.",
};
export const merged = plan("The north bed is dug and gets beans.");

export interface Morning extends ProjectHome {
  /** A program changes the plan, which somebody has changed since it read it: a person is asked how both go together. */
  proposeMerge(): Promise<{ readonly ok: boolean }>;
}

/** A device with twelve proposals, a project with a folder, and a cloud that answers one question about it. */
export async function startMorning(): Promise<Morning> {
  const held = Array.from({ length: 12 }, (_, n) => makeProposal(n + 1, { triagedAt: Date.now() - dayMs + n }));
  const project = await startProject({ "plan.md": plan(planned.now) }, { proposals: [], held });
  const { home, id, folder } = project;
  home.store.proposals.claim("test", 1_000, 60_000);
  for (const [n, each] of held.entries()) {
    const draft = { ...emptyDraft, title: `Draft ${n + 1}` };
    home.store.proposals.categorize(each.id, "test", { category: "task", priority: "soon", draft });
  }
  const lines = { project_id: id, path: "plan.md", startLine: 1, endLine: 5 };
  askedCloud(home, [{ calls: [["read_lines", lines]] }, { says: ['It says "The path is of gravel".'] }]);

  const { dataFolder } = home.store;
  const activity = openActivityStore(dataFolder, systemTimeAndIds);
  const database = openProjectDatabase(dataFolder, folder.root);
  onTestFinished(() => {
    database.close();
    activity.close();
  });
  const access = new FileAccess({
    ...systemTimeAndIds,
    files: new FsProjectFiles(folder.root),
    store: database.store,
    lease: database.lease,
    approver: waitingApprover({
      approvals: activity.approvals,
      root: folder.root,
      client: { canAsk: () => false, approve: async () => false },
      isServed: () => true,
      clock: systemClock,
    }),
    mergeProposer: { propose: async () => merged },
  });
  return {
    ...project,
    async proposeMerge() {
      await access.start();
      const session = access.openSession({ caller: "gardener" });
      await access.call(session, "read_file", { path: "plan.md" });
      writeFileSync(join(folder.root, "plan.md"), plan(planned.person));
      const patch = `*** Begin Patch\n*** Update File: plan.md\n@@\n-${planned.now}\n+${planned.program}\n*** End Patch\n`;
      return access.call(session, "apply_patch", { patch, onConflict: "propose_merge" });
    },
  };
}
