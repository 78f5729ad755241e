import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { writePrivateFile } from "../../device/private-file.ts";
import { type ScoutId, scoutId } from "../../events/ids.ts";

/** The scout there is, and the first there was; notes from before there was a second do without. */
const kept = z.object({ scoutId, firstId: scoutId.optional() });

/**
 * The scout that was made for the home's own mailbox. It is made once: a person who removes it does not want it back with
 * the next start.
 */
export class MailboxScout {
  readonly #file: string;

  constructor(dataFolder: string) {
    this.#file = path.join(dataFolder, "device", "mailbox-scout.json");
  }

  /** Undefined until one was made, and when the file is damaged: then the worst is a scout that has to be removed again. */
  read(): ScoutId | undefined {
    return this.#read()?.scoutId;
  }

  /** Whether a scout is not the first that was made for this mailbox. */
  isAnother(id: ScoutId): boolean {
    const note = this.#read();
    return note !== undefined && (note.firstId ?? note.scoutId) !== id;
  }

  #read(): z.infer<typeof kept> | undefined {
    if (!existsSync(this.#file)) return undefined;
    try {
      return kept.parse(JSON.parse(readFileSync(this.#file, "utf8")));
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }

  write(id: ScoutId): void {
    const note = this.#read();
    if (note?.scoutId === id) return;
    const firstId = note?.firstId ?? note?.scoutId ?? id;
    writePrivateFile(this.#file, { scoutId: id, firstId });
  }
}
