import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { FileToolInput } from "../../../events/agent-tools/file-tools.ts";
import { AccessError } from "../../access/errors.ts";
import type { ToolOutcome } from "../../access/file-access.ts";
import { openProject } from "../../access/open-project.ts";
import type { Approver } from "../../access/policy/approver.ts";
import { DeviceError } from "../../errors.ts";
import { isBucketAddress } from "../../files/place/bucket-address.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import type { AttachedText, AttachmentBounds, AttachmentHandler } from "../attachment-handler.ts";

export interface FileHandlerOptions extends TimeAndIds {
  readonly dataFolder: string;
  /** Of the project the question is about. */
  readonly projectFolder?: string | undefined;
  /** Where the person is, for files of no project; left out where there is no such place. */
  readonly workingFolder?: string | undefined;
  readonly approver: Approver;
}

/** So few that a page of short lines is within what a session is given of a file before a person is asked. */
const pageCharacters = 20_000;

interface Place {
  readonly root: string;
  readonly path: string;
}

/**
 * A file through the access policy: of the question's project by that project's rules, any other the person names by
 * those of the folder it lies in. It is shown as a judging model is: whole, without credentials. The reading is in that folder's trail.
 */
export function fileHandler(options: FileHandlerOptions): AttachmentHandler {
  return {
    async read(of, bounds) {
      const { root, path } = placeOf(of, options);
      const { dataFolder, approver, now, newId } = options;
      const opened = await openProject({ root, dataFolder, approver, now, newId, refreshesRegistry: false });
      try {
        return await textOf(opened.access, path, bounds);
      } finally {
        opened.close();
      }
    },
  };
}

function placeOf(of: string, { projectFolder, workingFolder }: FileHandlerOptions): Place {
  if (projectFolder !== undefined) {
    const path = isAbsolute(of) ? relative(projectFolder, of) : of;
    const isInside = !isAbsolute(path) && path !== ".." && !path.startsWith(`..${sep}`);
    const isElsewhere =
      workingFolder !== undefined && !isIn(projectFolder, path) && existsSync(resolve(workingFolder, of));
    if (isInside && !isElsewhere) return { root: projectFolder, path: path.replaceAll(sep, "/") };
  }
  if (workingFolder === undefined) {
    throw new DeviceError("attachment_denied", {
      sentence: "Only files of the chosen project can be attached here; choose its project, or another file.",
    });
  }
  const file = resolve(workingFolder, of);
  if (!existsSync(dirname(file))) throw new AccessError("not_found", { path: of });
  return { root: dirname(file), path: basename(file) };
}

/** Of a bucket it is not known without asking it: what lies here by that name is meant. */
const isIn = (folder: string, path: string): boolean => !isBucketAddress(folder) && existsSync(resolve(folder, path));

async function textOf(
  access: Awaited<ReturnType<typeof openProject>>["access"],
  path: string,
  { characters, signal }: AttachmentBounds,
): Promise<AttachedText> {
  const session = access.openSession({ caller: "attach", backend: "review" });
  let text = "";
  let at: number | undefined = 0;
  while (at !== undefined) {
    const page: FileToolInput<"read_file"> = { path, full: true, startChar: at, maxChars: pageCharacters };
    const outcome: ToolOutcome<"read_file"> = await access.call(session, "read_file", page, signal);
    if (!outcome.ok) {
      // Lines beyond what a session is given of one file are asked about; without a yes the rest is left out.
      if (outcome.error.code === "budget_exceeded" && text !== "") return { text, isCut: true };
      throw new AccessError(outcome.error.code, { detail: outcome.error.message });
    }
    const { result } = outcome;
    if (result.picture !== undefined) throw new AccessError("binary_file", { path, detail: "It is a picture." });
    text += result.text;
    at = result.nextChar;
    if (text.length > characters) return { text: text.slice(0, characters).toWellFormed(), isCut: true };
  }
  return { text, isCut: false };
}
