import type { Dirent } from "node:fs";

/** Why something in the folder of notes is no note. */
export type WhyLeftOut = "folder" | "link" | "ending" | "special";

/** What of the folder of notes is not taken, of one cause. */
export interface LeftOut {
  readonly why: WhyLeftOut;
  readonly count: number;
  /** The first of them. */
  readonly names: readonly string[];
}

const mostNamed = 5;

type Entry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

/** Undefined for a note. Whatever begins with a dot is a program's own, and no note either. */
function whyNoNote(entry: Entry): WhyLeftOut | "hidden" | undefined {
  if (entry.name.startsWith(".")) return "hidden";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isDirectory()) return "folder";
  if (!entry.isFile()) return "special";
  return entry.name.endsWith(".md") ? undefined : "ending";
}

export const isNoteFile = (entry: Entry): boolean => whyNoNote(entry) === undefined;

/** What is no note of the entries of the folder of notes, but for what is hidden. */
export function leftOutOf(entries: readonly Entry[]): LeftOut[] {
  const byWhy = Map.groupBy(entries, whyNoNote);
  return (["folder", "link", "ending", "special"] as const).flatMap((why) => {
    const names = (byWhy.get(why) ?? []).map(({ name }) => name).toSorted();
    return names.length === 0 ? [] : [{ why, count: names.length, names: names.slice(0, mostNamed) }];
  });
}

const words: Readonly<Record<WhyLeftOut, readonly [one: string, many: string, cause: string]>> = {
  folder: [
    "folder",
    "folders",
    "as notes lie right in notes/. To have what is in there as notes, move its .md files to notes/.",
  ],
  link: ["link", "links", "as links are not followed. To have a note of one, put the file itself there."],
  ending: [
    "file that does not end in .md",
    "files that do not end in .md",
    "as notes are Markdown. To have one as a note, give it the ending .md.",
  ],
  special: ["file of a special kind", "files of a special kind", "as nothing can be read from there to its end."],
};

/** The same as a sentence: how many, which, why, and what to do. */
export function leftOutSentence({ why, count, names }: LeftOut): string {
  const [one, many, cause] = words[why];
  const more = count > names.length ? ` and ${count - names.length} more` : "";
  return `Not taken from notes/: ${count} ${count === 1 ? one : many} (${names.join(", ")}${more}), ${cause}`;
}
