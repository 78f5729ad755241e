import { openProjectDatabase } from "../../device/access/open-access.ts";
import { FileAccess } from "../../device/access/file-access.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { fiveFilePatch, watched } from "./five-file-patch.ts";

/** A process that applies the five-file patch and is killed at a given step: `node killed-writer.ts <root> <data> <step>`. */
const [root = "", data = "", step = "0"] = process.argv.slice(2);
const { store, lease } = openProjectDatabase(data, root);
const files = watched(new FsProjectFiles(root), (at) => {
  if (at === Number(step)) process.kill(process.pid, "SIGKILL");
});
const access = new FileAccess({ files, store, lease });
await access.start();
const outcome = await access.call(access.openSession({ caller: "killed" }), "apply_patch", { patch: fiveFilePatch });
process.stdout.write(outcome.ok ? "done" : outcome.error.code);
