import { type EditedFile, mergeText, saveText, textToEdit } from "../../projects/edit-text.ts";
import type { OpenedFolders } from "../../projects/opened-folders.ts";
import type { EventLog } from "../news/event-log.ts";
import type { Drafts, SealedDraft } from "./drafts.ts";

export interface EditParts {
  readonly folders: OpenedFolders;
  readonly log: EventLog;
  readonly drafts: Drafts;
}

/** What a tab can do to edit files. */
export type EditUseCases = ReturnType<typeof editUseCases>;

/** The use cases of editing, as the console offers them. */
export function editUseCases({ folders, log, drafts }: EditParts) {
  return {
    /** @throws as `textToEdit` */
    text: (file: EditedFile) => textToEdit(folders, file),

    /** @throws as `saveText` */
    async save(file: EditedFile, text: string, baseHash: string | null) {
      const saved = await saveText(folders, file, text, baseHash);
      log.add({ type: "files", project: file.project });
      return saved;
    },

    /** @throws as `mergeText` */
    merge: (file: EditedFile, texts: { readonly base: string; readonly mine: string }) =>
      mergeText(folders, file, texts),

    drafts: () => ({ key: drafts.key(), ...drafts.list() }),
    /** @throws DeviceError `drafts_many`, `store_full`, `folder_unusable` */
    keep(draft: SealedDraft) {
      drafts.put(draft);
      return { kept: true };
    },
    forget(id: string) {
      drafts.remove(id);
      return { kept: false };
    },
  };
}
