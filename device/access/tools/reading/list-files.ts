import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { isProjectFilesError } from "../../../files/errors.ts";
import { AccessError } from "../../errors.ts";
import { tagsOf } from "../../policy/sensitivity.ts";
import type { FileTag, Sensitivity } from "../../store/access-store.ts";
import type { ToolCall } from "../tool-call.ts";
import { filesAre, unseenNotes } from "./files-are.ts";

export interface ListedFile {
  readonly path: string;
  /** Absent for a file that may not be shown. */
  readonly sizeBytes?: number;
  readonly tags: readonly FileTag[];
  readonly sensitivity: Sensitivity;
}

export interface ListFilesResult {
  readonly files: readonly ListedFile[];
  /** Paths among `files` to read first; only for the whole project. */
  readonly entryDocuments: readonly string[];
  /** Pass as `after` for the next page; absent on the last one. */
  readonly next?: string;
  readonly notes: readonly string[];
}

/**
 * Files below a folder, in the order of the walk, at most `limit` at a time; `next` is where the next page begins. A
 * file that a rule denies, or the configuration ignores, is left out, and `notes` count those.
 *
 * @throws AccessError `not_a_directory` (also instead of "not found", where the caller may not know), `budget_exceeded`
 * @throws ProjectFilesError `NotFound`, `NotADirectory`, `OutsideRoot`, `InvalidPath`
 */
export async function listFiles(call: ToolCall, input: FileToolInput<"list_files">): Promise<ListFilesResult> {
  const { gate } = call;
  const under = await call.canonical(input.path);
  const walk = call.kit.files.walk({
    under,
    withMetadata: true,
    ...(input.after === undefined ? {} : { after: input.after }),
    ...(input.globs && { globs: input.globs }),
    ...(gate.signal && { signal: gate.signal }),
  });
  const files: ListedFile[] = [];
  let denied = 0;
  let ignored = 0;
  let next: string | undefined;
  try {
    for await (const { path, metadata } of walk) {
      const tags = tagsOf(path);
      if (input.tags !== undefined && !input.tags.some((tag) => tags.includes(tag))) continue;
      if (gate.isIgnored(path)) {
        ignored++;
        continue;
      }
      // A name that must not be read is still no secret, unless a rule denies it altogether.
      if (!(await gate.mayList(path))) {
        denied++;
        continue;
      }
      if (files.length === input.limit) {
        next = files.at(-1)?.path;
        break;
      }
      const size = (await gate.mayShow(path)) ? { sizeBytes: metadata?.sizeBytes ?? 0 } : {};
      files.push({ path, ...size, tags, sensitivity: gate.sensitivityOf(path) });
    }
  } catch (error) {
    // Whether such a file is there is told by no refusal.
    if ((await gate.mayShow(under)) || !isProjectFilesError(error, "NotFound", "NotADirectory")) throw error;
    throw new AccessError("not_a_directory", { path: input.path });
  }
  // Counted by what was asked for, it would spell their names out.
  const isChoice = input.globs !== undefined || input.tags !== undefined || input.after !== undefined;
  const suppressed = isChoice ? await unlistedIn(call) : denied;
  await call.charge(files.map(({ path }) => path).join("\n"));
  const { symlinks, unreadable, unaddressable } = walk.omitted;
  const listed = new Set(files.map(({ path }) => path));
  return {
    files,
    entryDocuments: under === "" ? call.kit.registry.entryDocuments().filter((path) => listed.has(path)) : [],
    ...(next !== undefined && { next }),
    notes: [
      ...(suppressed > 0 ? [`${filesAre(suppressed)} left out because a rule denies reading.`] : []),
      ...(ignored > 0 ? [`${filesAre(ignored)} left out because the configuration says so.`] : []),
      ...(symlinks > 0
        ? [`${symlinks === 1 ? "1 symbolic link is" : `${symlinks} symbolic links are`} not followed.`]
        : []),
      ...unseenNotes(unreadable, unaddressable),
    ],
  };
}

/** Files of the project whose names may not be shown. */
async function unlistedIn({ kit, gate }: ToolCall): Promise<number> {
  let count = 0;
  for (const { path } of kit.registry.list()) if (!(await gate.mayList(path))) count++;
  return count;
}
