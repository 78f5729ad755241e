import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { FileAccess, type FileAccessOptions } from "../../device/access/file-access.ts";
import type { AccessSession } from "../../device/access/session/session.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { PatchResult } from "../../events/agent-tools/patch-result.ts";
import { Redactor } from "../../shared/privacy/redaction/redact.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { patchWith } from "./in-memory-setting.ts";

/** A folder that is gone when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scouts-access-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Setting {
  readonly access: FileAccess;
  readonly session: AccessSession;
  readonly files: ProjectFiles;
  /** The text of a file, undefined when it is not there. */
  text(path: string): Promise<string | undefined>;
  patch(patch: string, more?: Record<string, unknown>): Promise<PatchResult>;
}

/** File access on files in memory, started, with one session of a cloud model. */
export async function setting(
  initial: Record<string, string | Uint8Array>,
  options: Partial<FileAccessOptions> = {},
): Promise<Setting> {
  const files = options.files ?? new InMemoryProjectFiles(initial, systemTimeAndIds);
  const access = new FileAccess({
    ...systemTimeAndIds,
    store: memoryAccessStore(),
    redactor: new Redactor(Buffer.alloc(32, 7)),
    ...options,
    files,
  });
  await access.start();
  const session = access.openSession({ caller: "test-model" });
  return {
    access,
    session,
    files,
    async text(path) {
      return (await files.exists(path)) ? Buffer.from(await files.read(path)).toString("utf8") : undefined;
    },
    patch: (patch, more = {}) => patchWith(access, session, { patch, ...more }),
  };
}
