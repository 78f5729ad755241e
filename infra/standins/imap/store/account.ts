import { Folder, type SpecialUse } from "./folder.ts";

/** What stands between the names of folders and of those within them. */
export const delimiter = "/";

/** The folders of a person. INBOX is always there, and its name is written as one likes. */
export class Account {
  readonly #folders = new Map<string, Folder>();
  readonly #clock: () => number;
  #uidValidity: number;

  constructor(clock: () => number) {
    this.#clock = clock;
    // RFC 3501 §2.3.1.1 advises a time; it must not come again.
    this.#uidValidity = Math.floor(clock() / 1_000) & 0x7fffffff;
    this.create("INBOX");
  }

  get folders(): readonly Folder[] {
    return [...this.#folders.values()];
  }

  find(name: string): Folder | undefined {
    return this.#folders.get(name.toUpperCase() === "INBOX" ? "INBOX" : name);
  }

  /** The folder that is for something, where there is one. */
  used(use: SpecialUse): Folder | undefined {
    return this.folders.find((folder) => folder.use === use);
  }

  /** The folder of that name, made when it is not there. */
  create(name: string, use?: SpecialUse): Folder {
    const known = this.find(name);
    if (known !== undefined) return known;
    this.#uidValidity += 1;
    const folder = new Folder(name, use, this.#uidValidity, this.#clock);
    this.#folders.set(name, folder);
    return folder;
  }

  /** @returns whether it was there; INBOX stays */
  remove(name: string): boolean {
    return name.toUpperCase() !== "INBOX" && this.#folders.delete(name);
  }
}
