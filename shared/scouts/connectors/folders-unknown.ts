import { ScoutsError } from "../../../events/errors.ts";
import type { Transient } from "../../privacy/transient.ts";

/** Folders a scout is to read are not at its source. Which is for its owner's eyes, in the answer alone. */
export class FoldersUnknown extends ScoutsError {
  readonly folders: Transient<readonly string[]>;

  constructor(folders: Transient<readonly string[]>) {
    super("source_folder_unknown");
    this.folders = folders;
  }
}
