import type { DeviceStore } from "../../device/store/open.ts";
import type { AppliedChanges } from "../../device/tools/apply-changes.ts";
import { type Containment, containmentOf } from "../../device/tools/containment.ts";
import type { States } from "../../device/tools/kept-runs.ts";
import { type OfferedChange, type RefusedChange, type Review, refusalReasons } from "../../device/tools/review.ts";
import type { ToolRun } from "../../device/tools/run-tool.ts";
import type { ToolOffer } from "../../device/tools/tool-list.ts";
import { kindOf } from "../../device/workspace/tool-arguments.ts";
import type { ToolDefinition } from "../../device/workspace/tool-definition.ts";
import type { Output } from "../output/output.ts";
import { printable, printablePart } from "../output/printable.ts";
import { printableCode } from "../output/printable-code.ts";

/** Lines of a diff that are shown; a file with more of them is not approved unseen. */
const mostDiffLines = 2_000;
const mostListed = 50;

/** A tool and what it may be asked. */
export function showTool(output: Output, tool: ToolDefinition): void {
  const where = tool.inPlace ? "  (in place)" : "";
  output.line(
    `${output.style("bold", tool.name)}  ${tool.argv.map((part) => printablePart(quoted(part))).join(" ")}${where}`,
  );
  if (tool.description !== "") output.line(`  ${printable(tool.description)}`);
  for (const [name, argument] of Object.entries(tool.arguments)) {
    const fallback = argument.default === undefined ? "" : ` (else ${JSON.stringify(argument.default)})`;
    output.line(`  ${printable(`${name}: ${kindOf(argument)}${fallback}`)}`);
  }
  if (tool.writes.length > 0) output.line(`  ${printable(`may change: ${tool.writes.join(", ")}`)}`);
}

/** Where agents may use a tool, and with what. */
export function showOffer(output: Output, offer: ToolOffer, { projects }: DeviceStore): void {
  const { projectId, arguments: given, approved } = offer;
  const where =
    projectId === null ? "in questions about no project" : `in ${projects.find(projectId)?.name ?? projectId}`;
  const said = Object.entries(given).map(([name, value]) => ` ${name}=${value}`);
  const state = approved === null ? "you are asked at its first use" : "you have let it be used";
  output.line(
    `  ${printable(`offered to agents ${where}${said.length === 0 ? "" : `, with${said.join("")}`}: ${state}`)}`,
  );
}

const quoted = (part: string) => (/^[\w./:=@{}-]+$/.test(part) ? part : JSON.stringify(part));

/** Prints what holds a tool back and what does not. @returns the same, for programs */
export function showContainment(output: Output, tool: ToolDefinition): Containment {
  const { contained, notContained } = containmentOf(tool);
  output.line("What is contained:");
  for (const sentence of contained) output.line(printable(`- ${sentence}`));
  output.line("What is not:");
  for (const sentence of notContained) output.line(printable(`- ${sentence}`));
  return { contained, notContained };
}

const ends: Record<Exclude<ToolRun["end"], "exited">, string> = {
  signalled: "it was ended by a signal",
  "timed-out": "it took too long and was ended, with all it had started",
  cancelled: "it was interrupted and ended, with all it had started",
  "wrote-too-much": "it wrote more than it may and was ended; --max-written of `scouts tool allow` lets it write more",
  "not-started": "it could not be started",
};

/** Why a program is not started, by the system's code. */
const startWords: Readonly<Record<string, string>> = {
  ENOENT:
    "there is no such program, or what its first line names is missing; install it, or scouts tool allow --replace",
  EACCES: "you may not run this file; `chmod +x` makes it a program",
};

/** Prints a tool's output and how its run ended, and where all of the output is when that was too long. */
export function showRun(output: Output, run: ToolRun): void {
  if (run.output !== "") output.line(printableCode(run.output));
  const { end, exitCode, reason, droppedBytes, artifact, leftOut } = run;
  const seconds = (run.durationMs / 1_000).toFixed(1);
  if (end === "exited" && exitCode === 0) output.line(output.style("dim", `${run.tool} ended well after ${seconds} s`));
  else {
    const how = end === "exited" ? `it ended with exit code ${exitCode}` : ends[end];
    const cure = end === "not-started" && reason !== undefined ? startWords[reason] : undefined;
    const why = reason === undefined ? "" : `${cure === undefined ? "" : `: ${cure}`} (${reason})`;
    output.line(output.style("red", printable(`${run.tool} failed after ${seconds} s: ${how}${why}`)));
    if (end !== "exited") output.line(output.style("dim", "Nothing of what it changed in its copy is kept."));
  }
  if (artifact !== null) {
    const lost = droppedBytes > 0 ? `, ${droppedBytes} bytes in its middle left out` : "";
    output.line(output.style("dim", `All of its output${lost}: scouts artifacts show ${artifact}`));
  }
  if (leftOut.length > 0) output.line(output.style("yellow", printable(`not in its copy: ${listed(leftOut)}`)));
}

/** Shows changes with their diffs. @returns those that were shown in full, as they were */
export function showChanges(output: Output, { offered, refused }: Review): States {
  const shown = new Map<string, OfferedChange["after"]>();
  let room = mostDiffLines;
  for (const change of offered) {
    const { path, action, diff, notes, after } = change;
    output.line(output.style("bold", printable(`${action}  ${path}`)));
    for (const note of notes) output.line(output.style("yellow", `  ${printable(note)}`));
    if (diff === null) continue;
    const lines = printableCode(diff).split("\n");
    output.line(lines.slice(0, room).join("\n"));
    if (lines.length > room) output.line(output.style("yellow", `  ${lines.length - room} more lines are not shown`));
    else shown.set(path, after);
    room = Math.max(0, room - lines.length);
  }
  showRefused(output, refused);
  return shown;
}

/** What JSON shows in full: whatever can be shown as text. */
export const shownInFull = ({ offered }: Pick<Review, "offered">): States =>
  new Map(offered.filter(({ diff }) => diff !== null).map(({ path, after }) => [path, after]));

function showRefused(output: Output, refused: readonly RefusedChange[]): void {
  for (const { path, reason } of refused.slice(0, mostListed)) {
    output.line(output.style("yellow", printable(`not brought back: ${path} (${refusalReasons[reason]})`)));
  }
  const more = refused.length - mostListed;
  if (more > 0) output.line(output.style("yellow", `not brought back: ${more} more`));
}

/** Prints what has become of each change that was brought in; what was skipped is not named. */
export function showApplied(output: Output, { changes, stillWaiting, run }: AppliedChanges): void {
  for (const change of changes) {
    if (change.action === "conflict") {
      const beside =
        change.keptBeside === undefined ? "the project's stays" : `the tool's version is in ${change.keptBeside}`;
      output.line(output.style("yellow", printable(`conflict  ${change.path}: ${beside}`)));
    } else if (change.action !== "skip") output.line(printable(`${change.action}d  ${change.path}`));
  }
  if (stillWaiting > 0) output.line(`${stillWaiting} more wait: scouts tool changes ${run.id}`);
}

const listed = (paths: readonly string[]) =>
  paths.length > 5 ? `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more` : paths.join(", ");
