import type { PlanFit } from "../../device/folders/indexer/fit-plan.ts";
import type { Rescan, RescanProgress } from "../../device/folders/indexer/rescan-project.ts";
import { wordsFor } from "../../device/folders/scanner/reasons.ts";
import type { Project } from "../../device/store/folder-schema.ts";
import type { CliIo } from "../home/up-options.ts";
import { counted } from "../output/counted.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { createProgress, type Progress } from "../output/progress.ts";

const labels = { look: "Looking", read: "Reading", index: "Indexing", summarize: "Summarising" } as const;
const figures = new Intl.NumberFormat("en");
/** Types that are not read and named one by one. */
const shownTypes = 6;

/** A bar for each phase of a scan; programs that read JSON get one on a terminal only. */
export function scanProgress(io: CliIo, isForPrograms: boolean) {
  const { stderr: stream, isTTY, color } = io;
  let phase: RescanProgress["phase"] | undefined;
  let bar: Progress | undefined;
  return {
    show(progress: RescanProgress): void {
      if (isForPrograms && !isTTY) return;
      if (progress.phase !== phase) {
        bar?.finish();
        phase = progress.phase;
        bar = createProgress({ stream, isTTY, color, label: labels[phase], now: () => performance.now() });
      }
      const { done, total } = progress;
      const note = progress.phase === "summarize" ? counted(progress.tokens, "token") : undefined;
      bar?.update({ done, ...(total === undefined ? {} : { total }), ...(note === undefined ? {} : { note }) });
    },
    fit({ files, tokens, tokensLeft, fits, resetsAt }: PlanFit): void {
      bar?.finish();
      bar = undefined;
      phase = undefined;
      const from = new Date(resetsAt).toISOString().slice(0, 10);
      const line =
        `${figures.format(files)} files need about ${figures.format(tokens)} tokens, ${figures.format(tokensLeft)} are ` +
        `left this month: the newest ${figures.format(fits)} or so are summarised now, the rest waits until ${from}.`;
      stream.write(`${line}\n`);
    },
    finish(): void {
      bar?.finish();
    },
  };
}

/** A project without the marks of who scans it. */
export function forPrograms(project: Project): Omit<Project, "scanHolder" | "scanPid" | "scanUntil" | "scanRulesHash"> {
  const { scanHolder: _holder, scanPid: _pid, scanUntil: _until, scanRulesHash: _hash, ...told } = project;
  return told;
}

/**
 * A scan as `--json` prints it. Counts are of files; `reason`, `limitedBy` and `index` are null when there is nothing
 * to say.
 */
export function rescanForPrograms({ project, status, reason, result, counts, index }: Rescan) {
  const { newFiles, changedFiles, renamedFiles, deletedFiles, unchanged, totalFiles, skipped, limitedBy } = result;
  return {
    project: forPrograms(project),
    status,
    reason: reason ?? null,
    newFiles,
    changedFiles,
    renamedFiles,
    deletedFiles,
    unchanged,
    totalFiles,
    skipped,
    limitedBy: limitedBy ?? null,
    ...counts,
    index: index === undefined ? null : { ...index, problem: index.problem?.code ?? null },
  };
}

/** What a person is to know of the index; undefined when there is nothing to know. */
export function indexTrouble({ project, index }: Rescan): string | undefined {
  if (index?.problem !== undefined) {
    return `The search index of ${project.name} is not complete: ${index.problem.message} The next scan goes on from there.`;
  }
  return index?.wasRebuilt ? `The search index of ${project.name} was damaged and has been made anew.` : undefined;
}

/** One line about a scan that ended. */
export function rescanLine({ project, result, counts }: Rescan): string {
  const { newFiles, changedFiles, renamedFiles, deletedFiles, unchanged } = result;
  const found = [
    `${figures.format(newFiles.length)} new`,
    `${figures.format(changedFiles.length)} changed`,
    `${figures.format(renamedFiles.length)} moved`,
    `${figures.format(deletedFiles.length)} gone`,
    `${figures.format(unchanged)} as they were`,
  ];
  const { summarized, tokensUsed } = counts;
  const made = `${figures.format(summarized)} summarised, ${counted(tokensUsed, "token")}`;
  return printable(`${project.name}: ${found.join(", ")}; ${made}`);
}

/** Prints what a scan has found, and below it what it left out and why. */
export function showRescan(output: Output, rescan: Rescan): void {
  const { counts, result } = rescan;
  output.line(rescanLine(rescan));
  const trouble = indexTrouble(rescan);
  if (trouble !== undefined) output.line(output.style("yellow", printable(trouble)));
  if (counts.failed > 0) {
    output.line(output.style("yellow", `${figures.format(counts.failed)} failed; the next scan tries again`));
  }
  for (const [reason, count] of Object.entries(result.skipped.byReason)) {
    const types = reason === "unsupported" ? typesOf(result.skipped.unsupported) : "";
    const words = `left out: ${figures.format(count)} ${wordsFor(reason) ?? reason}${types}`;
    output.line(output.style("dim", printable(words)));
  }
  if (result.limitedBy !== undefined) {
    const limit = { time: "the time a scan may take", entries: "the number of entries a scan looks at" } as const;
    output.line(output.style("yellow", `not everything was looked at: ${limit[result.limitedBy]} was used up`));
  }
}

function typesOf(unsupported: Readonly<Record<string, number>>): string {
  const most = Object.entries(unsupported).sort(([, a], [, b]) => b - a);
  const shown = most.slice(0, shownTypes).map(([type, count]) => `${count} ${typeName(type)}`);
  const more = most.length > shownTypes ? ", …" : "";
  return shown.length === 0 ? "" : ` (${shown.join(", ")}${more})`;
}

function typeName(type: string): string {
  if (type === "") return "without extension";
  return type === "*" ? "others" : `.${type}`;
}
