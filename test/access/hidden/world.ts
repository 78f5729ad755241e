import { FileAccess } from "../../../device/access/file-access.ts";
import type { ProjectFiles } from "../../../device/files/project-files.ts";
import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import { memoryAccessStore } from "../../memory/access-store.ts";
import { temporaryFolder } from "../setting.ts";
import { type HiddenKind, projectFiles, rulesOf } from "./hidden-kinds.ts";
import type { Known } from "./probes.ts";

/** A project with a file that may not be shown, as some program finds it. */
export interface World {
  readonly access: FileAccess;
  readonly files: ProjectFiles;
  readonly known: Known;
}

/** Versions that nobody ever made. */
export const unknownVersions: Known["versions"] = [`ver_${"0".repeat(26)}`, `ver_${"1".repeat(26)}`];

/** The same project whatever is hidden in it: clock, ids and keys are counted, not drawn. */
export async function world(kind: HiddenKind, content: string | null): Promise<World> {
  const files = projectFiles(kind, temporaryFolder(), content);
  let [at, id] = [1_793_000_000_000, 0];
  const common = {
    files,
    store: memoryAccessStore(),
    now: () => ++at,
    newId: () => String(++id).padStart(26, "0"),
    redactor: new Redactor(Buffer.alloc(32, 7)),
    answersKey: Buffer.alloc(32, 7),
  };
  let versions = unknownVersions;
  if (kind.hadHistory === true && content !== null) {
    const then = new FileAccess(common);
    await then.start();
    const session = then.openSession({ caller: "then" });
    await then.call(session, "read_file", { path: kind.asked });
    for (const text of [`${content}then\n`, content])
      await then.call(session, "write_file", { path: kind.asked, content: text });
    const [last, first] = common.store.versions.list(kind.stored, 2);
    versions = [first?.id ?? unknownVersions[0], last?.id ?? unknownVersions[1]];
  }
  const access = new FileAccess({ ...common, rules: rulesOf(kind) });
  await access.start();
  return { access, files, known: { versions } };
}
