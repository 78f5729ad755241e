import type { AccessErrorCode } from "../access/errors.ts";
import type { ActionErrorCode, ActionResult, FilePlace } from "../actions/action-result.ts";
import { readLines } from "../actions/file-tools.ts";
import { type OpenedProject, unlessHidden } from "../actions/opened-projects.ts";
import { readProjectFile } from "../actions/read-project-file.ts";
import { nameOf } from "../files/paths/project-path.ts";
import type { ReadsDocuments } from "../folders/extraction/read-document.ts";
import { kindOfName } from "../folders/scanner/kinds.ts";
import type { DeviceStore } from "../store/open.ts";
import { FileRefusal } from "./file-refusal.ts";
import type { OpenedFolders } from "./opened-folders.ts";

/** Lines around a place, as a model is shown them: without credentials, and nothing of what rules withhold. */
export interface TextAtPlace extends FilePlace {
  readonly project: string;
  /** The number of the first of the lines. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** A document, whose text was taken out of it: its lines are the text's. */
  readonly isExtracted: boolean;
  /** Its number in the manifest, where it has a page by it; null for a file that no scan has seen. */
  readonly number: number | null;
}

export interface PlaceParts {
  readonly store: DeviceStore;
  readonly folders: OpenedFolders;
  readonly extract: ReadsDocuments;
}

const linesBefore = 20;
const linesAfter = 60;

const codes: Partial<Record<ActionErrorCode, AccessErrorCode>> = {
  access_denied: "denied",
  file_not_found: "not_found",
};

/**
 * What stands around a place of a file now; of a file that has become shorter, its beginning. The reading is in the audit
 * trail.
 *
 * @throws FileRefusal `denied`, `not_found`, `binary_file`; DeviceError as `OpenedFolders.asAgent`
 */
export async function textAtPlace(
  { projectId, path, line }: FilePlace,
  { store, folders, extract }: PlaceParts,
): Promise<TextAtPlace> {
  const { name: project } = store.projects.get(projectId);
  const firstLine = Math.max(1, line - linesBefore);
  const kind = kindOfName(nameOf(path));
  const isExtracted = kind !== undefined && kind !== "text";
  const around = (opened: OpenedProject) =>
    isExtracted
      ? readProjectFile(opened, path, { extract, summaryOf: () => null, keepsWhole: true })
      : linesAround(opened, path, firstLine);
  const result = await folders.asAgent(projectId, (opened) =>
    unlessHidden(opened, "read_lines", path, () => around(opened)),
  );
  const shown = linesOf(result, firstLine);
  if (shown === undefined) throw new FileRefusal(codes[result.error ?? "unreadable"] ?? "binary_file");
  const number = store.listedFiles.byPath(projectId, path)?.id ?? null;
  return { projectId, project, path, line, isExtracted, number, ...shown };
}

async function linesAround(opened: OpenedProject, path: string, startLine: number): Promise<ActionResult> {
  const read = await readLines(opened, { path, startLine, endLine: startLine + linesBefore + linesAfter });
  const isBehindTheEnd = read.error === "refused" || read.error === "invalid_arguments";
  if (!isBehindTheEnd || startLine === 1) return read;
  return readLines(opened, { path, startLine: 1, endLine: linesBefore + linesAfter });
}

function linesOf({ parts, whole }: ActionResult, from: number): Pick<TextAtPlace, "firstLine" | "lines"> | undefined {
  const [part] = parts ?? [];
  if (part === undefined) return undefined;
  const all = (whole?.text ?? part.text).replace(/\r?\n$/, "").split(/\r?\n/);
  const first = all.length > from - part.line ? Math.max(from, part.line) : part.line;
  const at = first - part.line;
  return { firstLine: first, lines: all.slice(at, at + linesBefore + linesAfter + 1) };
}
