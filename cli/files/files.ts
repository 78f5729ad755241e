import { type Command, InvalidArgumentError, Option } from "commander";
import type { ShownText } from "../../device/access/tools/reading/shown-text.ts";
import { age } from "../../device/age.ts";
import { DeviceError } from "../../device/errors.ts";
import type { PatchResult } from "../../events/agent-tools/patch-result.ts";
import { type CliContext, wholeNumber } from "../context.ts";
import { namedPath, pathGiven } from "../given-path.ts";
import { textOfFile } from "../handed-text.ts";
import { counted } from "../output/counted.ts";
import { tellThatOlderMayBe } from "../output/newest.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { printableCode } from "../output/printable-code.ts";
import { tableOr } from "../output/table.ts";
import {
  type ProjectOptions,
  type ProjectWork,
  standardInput,
  withNamedFiles,
  withProject,
  withProjectOptions,
} from "../projects/project-context.ts";
import { addGrep } from "./grep.ts";
import { showFileList } from "./shown-list.ts";

type Work<F> = (opened: ProjectWork, flags: F) => Promise<void>;

/** Text of files, with control characters made visible; JSON escapes them. */
function showText(output: Output, { text, notes, nextChar }: Pick<ShownText, "text" | "notes" | "nextChar">): void {
  output.line(printableCode(text));
  const more = nextChar === undefined ? [] : [`There is more: \`files read\` with --from ${nextChar} goes on.`];
  for (const note of [...notes, ...more]) output.line(output.style("dim", printable(note)));
}

/** Prints what an edit has changed or would change, as a diff, and below it the tool's message. A refusal has no diff. */
export function showPatchResult(output: Output, result: PatchResult): void {
  if (result.diff !== null && result.diff !== "") output.line(printableCode(result.diff));
  output.line(printable(result.message));
}

function lineRange(text: string): readonly [number, number] {
  const match = /^(\d{1,9})(?:[:-](\d{1,9}))?$/.exec(text);
  if (match === null) throw new InvalidArgumentError("It is not a range such as 10:20.");
  return [Number(match[1]), Number(match[2] ?? match[1])];
}

/** `scouts files …`: a project's files as a language model would be given them. */
export function addFiles(program: Command, context: CliContext): Command {
  const files = program.command("files").description("a project's files, as a language model is given them");
  const run = <F extends ProjectOptions>(flags: F, work: Work<F>) =>
    withProject(context, flags, (opened) => work(opened, flags));
  const runOnFile = <F extends ProjectOptions>(flags: F, work: Work<F>) =>
    withNamedFiles(context, flags, (opened) => work(opened, flags));

  const list = files
    .command("list")
    .description("list files with kind and sensitivity")
    .argument("[path]", "folder (default: all of it)");
  withProjectOptions(list)
    .option("--glob <pattern...>", "only these; with ! in front: not these")
    .option("--limit <number>", "at most so many", wholeNumber(1, 5_000), 200)
    .option("--after <path>", "go on behind this file, the last of the list before", namedPath)
    .action((folder: string | undefined, flags: ProjectOptions & { glob?: string[]; limit: number; after?: string }) =>
      run(flags, async ({ run: tool, output }) => {
        const result = await tool("list_files", {
          path: folder === undefined ? "" : namedPath(folder),
          limit: flags.limit,
          ...(flags.after !== undefined && { after: flags.after }),
          ...(flags.glob && { globs: flags.glob }),
        });
        if (flags.json) return output.json(result);
        showFileList(output, result);
      }),
    );

  const read = files
    .command("read")
    .description("show a file, or lines of it")
    .argument("<path>", "the file", namedPath);
  withProjectOptions(read)
    .option("--lines <from:to>", "only these lines", lineRange)
    .addOption(
      new Option("--from <character>", "begin there: where the page before has ended")
        .argParser(wholeNumber(0, 1_000_000_000))
        .conflicts("lines"),
    )
    .action((file: string, flags: ProjectOptions & { lines?: readonly [number, number]; from?: number }) =>
      runOnFile(flags, async ({ run: tool, output }) => {
        if (flags.lines !== undefined) {
          const [startLine, endLine] = flags.lines;
          const lines = await tool("read_lines", { path: file, startLine, endLine });
          return flags.json ? output.json(lines) : showText(output, lines);
        }
        const result = await tool("read_file", { path: file, full: true, startChar: flags.from ?? 0 });
        if (flags.json) output.json(result);
        else showText(output, result);
      }),
    );

  const excerpt = files
    .command("excerpt")
    .description("beginning and outline of a file")
    .argument("<path>", "the file", namedPath);
  withProjectOptions(excerpt)
    .option("--lines <number>", "at most so many lines", wholeNumber(5, 2_000), 80)
    .action((file: string, flags: ProjectOptions & { lines: number }) =>
      runOnFile(flags, async ({ run: tool, output }) => {
        const result = await tool("get_excerpt", { path: file, maxLines: flags.lines });
        if (flags.json) output.json(result);
        else showText(output, result);
      }),
    );

  addGrep(files, context);

  const summary = files
    .command("summary")
    .description("a short summary of a file")
    .argument("<path>", "the file", namedPath);
  withProjectOptions(summary)
    .option("--tokens <number>", "at most so many tokens", wholeNumber(20, 2_000), 200)
    .action((file: string, flags: ProjectOptions & { tokens: number }) =>
      runOnFile(flags, async ({ run: tool, output }) => {
        const result = await tool("summarize_file", { path: file, maxTokens: flags.tokens });
        if (flags.json) output.json(result);
        else showText(output, { text: result.text, notes: [`by ${result.by}, ${counted(result.tokens, "token")}`] });
      }),
    );

  const diff = files
    .command("diff")
    .description("differences between versions of a file")
    .argument("<path>", "the file", namedPath);
  withProjectOptions(diff)
    .option("--from <version>", "default: before the last change")
    .option("--to <version>", "default: the file as it is")
    .action((file: string, flags: ProjectOptions & { from?: string; to?: string }) =>
      runOnFile(flags, async ({ run: tool, output }) => {
        const versions = { ...(flags.from && { v1: flags.from }), ...(flags.to && { v2: flags.to }) };
        const result = await tool("get_diff", { path: file, ...versions });
        if (flags.json) output.json(result);
        else showText(output, { text: result.diff, notes: result.notes });
      }),
    );

  const write = files
    .command("write")
    .description("write standard input to a file")
    .argument("<path>", "the file", namedPath);
  withProjectOptions(write)
    .option("--append", "add it to the end")
    .action((file: string, flags: ProjectOptions & { append?: boolean }) =>
      runOnFile(flags, async ({ run: tool, output }) => {
        const content = await standardInput(context);
        if (!flags.append) await tool("read_file", { path: file, full: true }).catch(notThereYet);
        const result = await tool("write_file", { path: file, content, mode: flags.append ? "append" : "truncate" });
        if (flags.json) output.json(result);
        else showPatchResult(output, result);
      }),
    );

  const reset = files.command("reset").description("let go of what is kept about a project's files");
  withProjectOptions(reset)
    .option("--cache", "what is known of the files; it is found again")
    .option("--summaries", "all summaries")
    .option("--history", "all versions but the newest of each file")
    .action((flags: ProjectOptions & { cache?: boolean; summaries?: boolean; history?: boolean }) =>
      run(flags, async ({ project, output }) => {
        if (!flags.cache && !flags.summaries && !flags.history) {
          throw new DeviceError("usage", { sentence: "Say what: --cache, --summaries or --history." });
        }
        const { prune } = await import("../../device/access/versions/retention.ts");
        const { store } = project.database;
        if (flags.cache) {
          store.registry.clear();
          await project.access.kit.registry.refresh();
        }
        if (flags.summaries) store.summaries.clear();
        const pruned = flags.history
          ? prune(store, context.now(), { maxAgeMs: -1, maxBytes: 0 })
          : { versions: 0, bytes: 0 };
        if (flags.json) output.json({ cache: flags.cache ?? false, summaries: flags.summaries ?? false, ...pruned });
        else
          output.line(
            `Done${flags.history ? `: ${counted(pruned.versions, "version")}, ${counted(pruned.bytes, "byte")}` : ""}.`,
          );
      }),
    );
  return files;
}

/** A file that is not there needs no reading first. */
function notThereYet(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "not_found")) throw error;
}

/** `scouts files open`: what a session's first prompt would begin with. */
export function addOpen(files: Command, context: CliContext): void {
  const command = files
    .command("open")
    .description("open a project: its entry documents, as a session begins with them");
  withProjectOptions(command)
    .option("--lines <number>", "lines of each document", wholeNumber(5, 500), 40)
    .action((flags: ProjectOptions & { lines: number }) =>
      withProject(context, flags, async ({ project, session, output }) => {
        const excerpts = await project.access.entryExcerpts(session, flags.lines);
        const entries = project.access.kit.registry.list().length;
        if (flags.json) return output.json({ root: project.root, files: entries, excerpts });
        output.line(printable(`${project.root}: ${counted(entries, "file")}`));
        for (const each of excerpts) {
          output.line(`\n${output.style("bold", printable(each.path))}`);
          showText(output, each);
        }
      }),
    );
}

/** `scouts files patch`: applies a patch as a model would. */
export function addPatch(files: Command, context: CliContext): void {
  const command = files
    .command("patch")
    .description("apply a unified diff, a V4A patch or search/replace blocks, all files or none")
    .argument("<path>", "the patch, - for standard input");
  withProjectOptions(command)
    .option("--file <path>", "the one file the patch is about")
    .option("--dry-run", "say what would change")
    .action((patchFile: string, flags: ProjectOptions & { file?: string; dryRun?: boolean }) =>
      withNamedFiles(context, flags, async ({ run, output }) => {
        const patch =
          patchFile === "-"
            ? await standardInput(context)
            : await textOfFile(pathGiven(context, patchFile), { code: "usage", signal: context.io.signal });
        const args = {
          patch,
          dryRun: flags.dryRun ?? false,
          ...(flags.file !== undefined && { path: namedPath(flags.file) }),
        };
        const result = await run("apply_patch", args);
        if (flags.json) output.json(result);
        else showPatchResult(output, result);
      }),
    );
}

/** `scouts files history` and `scouts files rollback`. */
export function addHistory(files: Command, context: CliContext): void {
  const history = files
    .command("history")
    .description("versions of a file that are kept")
    .argument("<path>", "the file", namedPath);
  withProjectOptions(history)
    .option("--limit <number>", "at most so many", wholeNumber(1, 1_000), 20)
    .action((file: string, flags: ProjectOptions & { limit: number }) =>
      withNamedFiles(context, flags, async ({ run, output }) => {
        const result = await run("file_history", { path: file, limit: flags.limit });
        if (flags.json) return output.json(result);
        tableOr(output, "No versions are kept of it.", result.versions, [
          { title: "VERSION", cell: ({ id }) => id },
          { title: "AGE", cell: ({ at }) => age(at, context.now()) },
          { title: "BY", cell: ({ caller }) => caller },
          { title: "WITH", cell: ({ tool }) => tool },
          { title: "BYTES", cell: ({ hash, sizeBytes }) => (hash === null ? "deleted" : String(sizeBytes)) },
          { title: "", cell: ({ kept }) => (kept ? "" : "let go") },
        ]);
        tellThatOlderMayBe(output, result.versions, flags.limit);
      }),
    );

  const rollback = files
    .command("rollback")
    .description("bring a file back to a version; that can be undone the same way")
    .argument("<path>", "the file", namedPath)
    .argument("<version>", "from `scouts files history`");
  withProjectOptions(rollback).action((file: string, versionId: string, flags: ProjectOptions) =>
    withNamedFiles(context, flags, async ({ run, output }) => {
      const result = await run("rollback", { path: file, versionId });
      if (flags.json) output.json(result);
      else showPatchResult(output, result);
    }),
  );
}
