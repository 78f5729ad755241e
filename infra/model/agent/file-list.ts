import { manifestKinds } from "../../../events/frames/folders.ts";

/** A project as a list of files shows it. */
export interface ListedProject {
  readonly id: string;
  readonly name: string;
  readonly files: readonly ListedFile[];
  /** The list says that there are more. */
  readonly partial: boolean;
  /** Files it has, listed or not. */
  readonly total: number;
}

export interface ListedFile {
  readonly path: string;
  /** `text/doc`. */
  readonly type: string;
  readonly summary: string;
}

const projectLine = /^project (prj_\w+) named ("(?:[^"\\]|\\.)*"|[^\s,]+),(?:.*?(?<!\d)(\d+) files?$)?/;
const fileLine = /^(\s*)("(?:[^"\\]|\\.)*"|\S+) (\w+(?:\/\w+)?)(?: (?:stale|gone))?(?:: (.*))?$/;
const kindFirst = new RegExp(`^(?:${manifestKinds.join("|")})\\b`);
const folderLine = /^("(?:[^"\\]|\\.)*\/"|\S+\/)$/;

/** Reads a `<linked_folder>` or `<linked_folders>` block: projects, folders on lines of their own, files under them. */
export function readFileList(block: string): ListedProject[] {
  const projects: { id: string; name: string; files: ListedFile[]; partial: boolean; total: number }[] = [];
  const partial = /^\d+ more files? (?:is|are) not listed/m.test(block);
  const grouped = block.startsWith("<linked_folder>");
  let folder = "";
  for (const line of block.split("\n")) {
    const project = projectLine.exec(line);
    if (project) {
      projects.push({
        id: project[1] ?? "",
        name: plain(project[2] ?? ""),
        files: [],
        partial,
        total: Number(project[3] ?? 0),
      });
      folder = "";
      continue;
    }
    const inside = folderLine.exec(line);
    if (inside && grouped) {
      folder = plain(inside[1] ?? "");
      continue;
    }
    const [, indent = "", name = "", type = "", summary = ""] = fileLine.exec(line) ?? [];
    if (type === "" || !kindFirst.test(type)) continue;
    projects.at(-1)?.files.push({ path: grouped && indent !== "" ? folder + plain(name) : plain(name), type, summary });
  }
  return projects;
}

/** A name as it is: those that could be misread stand as JSON strings. */
export function plain(name: string): string {
  if (!name.startsWith('"')) return name;
  try {
    return String(JSON.parse(name));
  } catch {
    // No JSON string: it is a name as it is.
    return name;
  }
}
