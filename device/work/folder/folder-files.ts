import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { exportFailed } from "../../errors/export-failed.ts";
import { DeviceError } from "../../errors.ts";
import { isNoteFile, type LeftOut, leftOutOf } from "./left-out.ts";

/** Notes and a calendar are larger only by mistake. */
const mostBytes = 20_000_000;
const draftName = /^\..*\.scouts-tmp$/u;

/** SHA-256 of a text as UTF-8, in hexadecimal. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A folder a person has chosen, as text files in it; names are relative, with / between their parts. */
export class FolderFiles {
  readonly #root: string;
  readonly #newId: () => string;

  constructor(root: string, newId: () => string) {
    this.#root = root;
    this.#newId = newId;
  }

  /**
   * Asks for the folder itself. It is not made here: one that is not there is on a drive that is away, and what was made in its
   * place would be taken for what the person left.
   *
   * @throws DeviceError `export_failed`
   */
  requireFolder(): void {
    const found = this.#attempt("", () => statSync(this.#root));
    if (found?.isDirectory() === true) return;
    const sentence = `${this.#root} is not there, or is no folder, so nothing was written to it. Bring it back, if it is on a drive that is away, or choose another: scouts work-folder FOLDER. What you keep is on this device all the same.`;
    throw new DeviceError("export_failed", { sentence });
  }

  /** Undefined when there is none. @throws DeviceError `export_failed`, `import_invalid` when it is no text */
  read(name: string): string | undefined {
    return this.#attempt(name, () => {
      const bytes = readFileSync(this.#at(name));
      if (bytes.length <= mostBytes && isUtf8(bytes)) return bytes.toString("utf8");
      throw new DeviceError("import_invalid", { sentence: "it is too large, or no text in UTF-8" });
    });
  }

  /**
   * Whole or not at all: who reads it meanwhile sees the old one or the new one. Not where somebody saves something else there meanwhile.
   *
   * @param known what the file says; undefined where there is none
   * @returns whether it was written
   * @throws DeviceError `export_failed`, `import_invalid` when it is no text by now
   */
  writeOver(name: string, known: string | undefined, text: string): boolean {
    const target = this.#at(name);
    const draft = path.join(path.dirname(target), `.${this.#newId()}.scouts-tmp`);
    try {
      const folder = path.dirname(target);
      // Not by `recursive`: that would make the person's folder too.
      if (folder !== path.resolve(this.#root) && !existsSync(folder)) mkdirSync(folder);
      writeFileSync(draft, text, { flush: true, flag: "wx" });
      if (known === undefined ? this.has(name) : this.read(name) !== known) return false;
      renameSync(draft, target);
      return true;
    } catch (cause) {
      throw cause instanceof DeviceError ? cause : this.#failed(name, cause);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /** @throws DeviceError `export_failed` */
  remove(name: string): void {
    this.#attempt(name, () => rmSync(this.#at(name), { force: true }));
  }

  /** Changes when a note's file, the calendar or what is left out does, by names, sizes and times of change. */
  signature(): string {
    const names = ["calendar.ics", ...this.markdownIn("notes")];
    const leftOut = JSON.stringify(this.leftOutIn("notes"));
    const files = names.map((name) => {
      const stats = statSync(this.#at(name), { throwIfNoEntry: false });
      return stats === undefined ? name : `${name} ${stats.size} ${stats.mtimeMs}`;
    });
    return [leftOut, ...files].join("\n");
  }

  has(name: string): boolean {
    return existsSync(this.#at(name));
  }

  /** Markdown files right in a folder, by name. @throws DeviceError `export_failed` */
  markdownIn(folder: string): string[] {
    return this.#entries(folder)
      .filter(isNoteFile)
      .map(({ name }) => `${folder}/${name}`)
      .toSorted();
  }

  /** What else lies there, and is no note. @param isKnown whether one is kept up to date all the same @throws DeviceError `export_failed` */
  leftOutIn(folder: string, isKnown: (name: string) => boolean = () => false): LeftOut[] {
    return leftOutOf(this.#entries(folder).filter(({ name }) => !isKnown(`${folder}/${name}`)));
  }

  /** Takes away what writers that were killed have left; nobody may be writing. @throws DeviceError `export_failed` */
  removeDrafts(): void {
    for (const folder of ["", "notes"]) {
      const drafts = this.#entries(folder).filter(({ name }) => draftName.test(name));
      for (const { name } of drafts) this.remove(path.join(folder, name));
    }
  }

  #entries(folder: string): Dirent[] {
    return this.#attempt(folder, () => readdirSync(this.#at(folder), { withFileTypes: true })) ?? [];
  }

  #at(name: string): string {
    return path.join(this.#root, name);
  }

  #attempt<T>(name: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
      throw cause instanceof DeviceError ? cause : this.#failed(name, cause);
    }
  }

  #failed(name: string, cause: unknown): DeviceError {
    const otherwise = "cannot be read or written; check that its folder exists and that you may write to it.";
    return exportFailed(this.#at(name), cause, otherwise, " What you keep is on this device all the same.");
  }
}
