import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replay } from "../../../device/access/audit/replay.ts";
import { openProject } from "../../../device/access/open-project.ts";
import { nobody } from "../../../device/access/policy/approver.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import type { Operations } from "./scripted-client.ts";

/** Holds the tree against the audit trail: every byte the client changed is there because a record says so. */
export async function unaccounted(
  root: string,
  dataFolder: string,
  { toldVersions, toldPaths }: Operations,
): Promise<{ readonly problems: string[]; readonly records: number }> {
  const project = await openProject({ ...systemTimeAndIds, root, dataFolder, approver: nobody });
  const problems: string[] = [];
  try {
    const { audit, kit } = project.access;
    const verdict = audit.verify();
    if (!verdict.ok) problems.push(`the trail is ${verdict.reason} at ${verdict.seq}`);
    const { files, missing } = replay(audit.records(), kit.store.contents);
    for (const { path } of missing) problems.push(`the content of ${path} is not kept`);
    for (const [path, bytes] of files) {
      const there = existsSync(join(root, path)) ? readFileSync(join(root, path)) : null;
      const isSame = bytes === null || there === null ? bytes === there : Buffer.compare(bytes, there) === 0;
      if (!isSame) problems.push(`${path} is not what a replay of the trail gives`);
    }
    for (const path of toldPaths) if (!files.has(path)) problems.push(`the trail knows nothing of ${path}`);
    const inTrail = new Set([...audit.records()].flatMap((record) => record.files.map(({ versionId }) => versionId)));
    const lost = toldVersions.filter((id) => !inTrail.has(id));
    if (lost.length > 0) problems.push(`${lost.length} versions were told and are not in the trail`);
    return { problems, records: verdict.ok ? verdict.records : 0 };
  } finally {
    project.close();
  }
}
