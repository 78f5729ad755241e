import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { projectId } from "../../events/ids.ts";
import { DeviceError } from "../errors.ts";
import type { FileState } from "../files/materialize/materialize-types.ts";
import { isKeptView } from "../files/materialize/view-directory.ts";
import { readPrivateFile, writePrivateFile } from "../private-file.ts";
import { toolName } from "../workspace/tool-definition.ts";

const states = z.array(z.tuple([z.string(), z.object({ hash: z.string(), mode: z.number() }).nullable()]));

/** A run whose changes wait for the person, or are being brought in. */
export const keptRun = z.strictObject({
  id: z.string(),
  tool: toolName,
  projectId,
  /** What the tool may write, as it was allowed when it ran. */
  writes: z.array(z.string()),
  /** Who ran it: `person`, `agent:home`. */
  caller: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** `applying`: the person has said yes; it is gone on with after a crash. */
  state: z.enum(["waiting", "applying"]),
  /** Changes that were shown in full, in exactly this state. */
  shown: states,
  /** Those the person has said yes to. */
  approved: states,
});
export type KeptRun = z.infer<typeof keptRun>;
export type States = ReadonlyMap<string, FileState | null>;

/** Changes of so many runs wait at most. */
export const mostKeptRuns = 50;

/** Copies tools work in: in the data folder, private to its owner. */
export const viewRootOf = (dataFolder: string): string => join(dataFolder, "device", "tools", "views");

const runFile = (view: string): string => join(view, "run.json");

/** Runs with changes that wait, the oldest first, each with the directory of its copy. */
export function keptRuns(dataFolder: string): { readonly run: KeptRun; readonly view: string }[] {
  const root = viewRootOf(dataFolder);
  if (!existsSync(root)) return [];
  const found = readdirSync(root).flatMap((name) => {
    const view = join(root, name);
    if (!isKeptView(view)) return [];
    // A damaged one is not lost silently: its copy stays, and `scouts tool changes` fails with its path.
    const run = readPrivateFile(runFile(view), keptRun, (cause) => {
      const sentence = `What is kept of a tool's run cannot be read: ${runFile(view)}. Its copy lies beside it; remove that folder when it is not wanted.`;
      throw new DeviceError("tool_list_unreadable", { sentence, ...(cause !== undefined && { cause }) });
    });
    return run === undefined ? [] : [{ run, view }];
  });
  return found.sort((a, b) => a.run.at - b.run.at || (a.run.id < b.run.id ? -1 : 1));
}

/** @param text an id, or as much of its end as tells it from the others. @throws DeviceError `tool_run_unknown` */
export function keptRunNamed(dataFolder: string, text: string): { readonly run: KeptRun; readonly view: string } {
  const found = keptRuns(dataFolder).filter(
    ({ run: { id } }) => id === text || (text.length >= 4 && id.endsWith(text.toUpperCase())),
  );
  const [only, another] = found;
  if (only === undefined || another !== undefined) throw new DeviceError("tool_run_unknown");
  return only;
}

/** Keeps what a run of a tool has left to decide, beside its copy of the files. @param view folder of that copy */
export function writeKeptRun(view: string, run: KeptRun): void {
  writePrivateFile(runFile(view), run);
}
