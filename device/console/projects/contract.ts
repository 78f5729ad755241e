import * as z from "zod";
import { projectId, taskId } from "../../../events/ids.ts";
import { type FileFilter, fileFilters } from "../../projects/file-list.ts";

/** Rows of a list of files a tab gets at once. */
export const filesAPage = 100;

const show = z.enum(Object.keys(fileFilters) as [FileFilter, ...FileFilter[]]).default("all");
const number = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const versionId = z.string().regex(/^ver_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
/** Whether the person says yes to what the folder's rules ask about. */
const approves = z.boolean().default(false);

export const projectParam = z.object({ id: projectId });
export const fileParam = z.object({ id: projectId, number });
export const taskParam = z.object({ id: projectId, task: taskId });

/** What a project is called; how long that may be is said by whoever keeps it. */
export const nameRequest = z.strictObject({ name: z.string() });

/** A folder for a project that has none, by its whole path or its bucket's address. */
export const giveFolderRequest = z.strictObject({ path: z.string() });

/** What a list of files is narrowed to. Words and folders are in a body: an address is kept in places that content is not. */
export const filePageRequest = z.strictObject({
  show,
  words: z.string().max(200).default(""),
  from: z.number().int().nonnegative().default(0),
});
export const fileTreeRequest = z.strictObject({
  ...filePageRequest.shape,
  open: z.array(z.string().max(4_095)).max(500).default([]),
});

export const previewRequest = z.strictObject({ startChar: z.number().int().nonnegative().default(0), approves });
export const versionsRequest = z.strictObject({ approves });
export const diffRequest = z.strictObject({ from: versionId, to: versionId.optional(), approves });
export const restoreRequest = z.strictObject({
  version: versionId,
  currentHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable(),
  approves,
});

export const taskStatusRequest = z.strictObject({ status: z.enum(["open", "done"]) });
