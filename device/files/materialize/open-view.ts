import { FsProjectFiles } from "../backends/fs/fs-project-files.ts";
import type { OpenView } from "./materialize.ts";

/** The directory of a view is one of this machine, whatever the files in it come from. */
export const openView: OpenView = (root) => new FsProjectFiles(root, { ripgrep: false });
