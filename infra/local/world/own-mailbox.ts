import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { requireMailbox } from "../../standins/mailbox/formats/source.ts";
import { replaceFile } from "../../standins/replace-file.ts";
import { LocalHomeError } from "../errors.ts";

/** The sample's path is the program's, which may lie elsewhere the next time. */
const kept = z.object({ mailbox: z.string().nullable() });
const fileRow = z.object({ path: z.string() });

/** A mailbox a home goes on with: the sample, or a path. */
type Remembered = { readonly isSample: true } | { readonly isSample: false; readonly path: string };
const theSample: Remembered = { isSample: true };

/**
 * The mailbox a home was begun with, remembered in its data folder: with another one, the mail of both would lie in one list,
 * and what had come from the first could not be read any more.
 */
export class OwnMailbox {
  readonly #file: string;
  readonly #stateFile: string;
  readonly #sample: string;

  constructor(dataFolder: string, sample: string) {
    this.#file = join(dataFolder, "world", "own-mailbox.json");
    this.#stateFile = join(dataFolder, "world", "mailbox", "mailbox.sqlite");
    this.#sample = sample;
  }

  /** Whether the home was begun with a mailbox on this machine. */
  get isKnown(): boolean {
    return this.#remembered() !== undefined || this.#files().length > 0;
  }

  /**
   * The mailbox to go on with: the remembered one, at first the one that is named, else the sample.
   *
   * @param named absolute, when one was named
   * @throws LocalHomeError `mailbox_other`
   */
  choose(named: string | undefined): string {
    const before = this.#remembered();
    if (before === undefined) return this.#chooseByFiles(named);
    const path = before.isSample ? this.#sample : before.path;
    if (named === undefined || isSame(path, named)) return path;
    throw new LocalHomeError("mailbox_other", refusal(before, named));
  }

  /**
   * That a first start has a mailbox to begin with, before anything is made: who mistypes its path is not left with a home on nothing.
   *
   * @throws StandInError `mailbox_missing`, `mailbox_unreadable`, `mailbox_no_file`, `mailbox_not_mail`, `mailbox_empty`
   */
  async requireBegun(path: string): Promise<void> {
    if (!this.isKnown) await requireMailbox(path);
  }

  /** Notes what the home was begun with, once it could be read. */
  remember(path: string): void {
    if (this.#remembered() !== undefined) return;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    const mailbox = isSame(path, this.#sample) ? null : path;
    replaceFile(this.#file, JSON.stringify({ mailbox }));
  }

  /** A damaged note is none: where the mail lay that was read is known as well. */
  #remembered(): Remembered | undefined {
    if (!existsSync(this.#file)) return undefined;
    try {
      const { mailbox } = kept.parse(JSON.parse(readFileSync(this.#file, "utf8")));
      return mailbox === null ? { isSample: true } : { isSample: false, path: mailbox };
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
      throw error;
    }
  }

  /**
   * A home from before mailboxes were remembered: known by the files it has read, which may be the sample's where another copy of
   * the program lay.
   */
  #chooseByFiles(named: string | undefined): string {
    const read = this.#files();
    const own = read.filter((file) => !this.#isOfSample(file));
    const isSample = named === undefined || isSame(named, this.#sample);
    if (own.length === 0) {
      if (read.length === 0 || isSample) return named ?? this.#sample;
      throw new LocalHomeError("mailbox_other", refusal(theSample, named));
    }
    if (named === undefined) {
      const sentence = `This home has read ${own[0]}, and not the sample mailbox: say once with --mailbox which mailbox that is of.`;
      throw new LocalHomeError("mailbox_other", sentence);
    }
    // Mail programs rename and move files.
    const isOutside = (file: string) => file !== named && !file.startsWith(join(named, sep));
    const wrong = own.find((file) => isOutside(file) && existsSync(file));
    if (wrong === undefined) return named;
    throw new LocalHomeError("mailbox_other", otherFile(wrong, named));
  }

  /** Wherever the program lay that had it: its files have names of their own, which may change from version to version. */
  #isOfSample(file: string): boolean {
    if (dirname(file) === this.#sample) return true;
    return basename(dirname(file)) === basename(this.#sample) && existsSync(join(this.#sample, basename(file)));
  }

  #files(): readonly string[] {
    if (!existsSync(this.#stateFile)) return [];
    const database = new DatabaseSync(this.#stateFile, { readOnly: true });
    try {
      return z
        .array(fileRow)
        .parse(database.prepare("SELECT path FROM files ORDER BY path").all())
        .map(({ path }) => path);
    } catch (error) {
      // Damaged: the start of the mailbox says so, in its own words.
      if (error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR") return [];
      throw error;
    } finally {
      database.close();
    }
  }
}

/** By way of links too: who moves a mailbox may leave one at its old place. */
function isSame(one: string, other: string): boolean {
  return one === other || (existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other));
}

const apartOf = (named: string): string => `give ${named} a data folder of its own (--data FOLDER)`;
const besideOf = (named: string): string => `add it beside while the home runs (scouts add mailbox ${named})`;

/** Of the mailbox before only a file is known. */
function otherFile(file: string, named: string): string {
  const itself = "name the mailbox that is of (--mailbox)";
  return `This home has read ${file}, and two mailboxes would lie in one list: ${itself}, or ${apartOf(named)}, or ${besideOf(named)}.`;
}

function refusal(before: Remembered, named: string): string {
  const [apart, beside] = [apartOf(named), besideOf(named)];
  if (before.isSample) {
    return `This home was begun with the sample mailbox, whose invented mail would lie among yours: ${apart}, or ${beside}.`;
  }
  const { path } = before;
  if (!existsSync(path)) {
    return `This home's mailbox ${path} is not there: if it was moved to ${named}, leave a link at its old place; else ${apart}.`;
  }
  return `This home goes on with the mailbox ${path}, and two would lie in one list: ${apart}, or ${beside}.`;
}
