import type { AskedAgent } from "../../device/agent/ask-agent.ts";
import type { Evidence } from "../../device/agent/evidence.ts";
import { filesRead, namedFilesRead } from "../../device/agent/files-read.ts";
import type { AgentEvents } from "../../device/agent/run-agent.ts";
import { type ExitCode, exitCodes } from "../../device/exit-codes.ts";
import { asWord } from "../../device/shell-words.ts";
import { errorKinds } from "../../events/error-kinds.ts";
import type { RunStatus } from "../../events/frames/agents.ts";
import type { CliIo } from "../home/up-options.ts";
import { counted } from "../output/counted.ts";
import { type Output, outputOn } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { printableCode } from "../output/printable-code.ts";
import { shownDay } from "../output/shown-time.ts";
import { stepLine } from "./shown-step.ts";

/** How the command ends for each end of a run. */
export const exitCodeOf: Record<RunStatus, ExitCode> = {
  completed: exitCodes.done,
  error: exitCodes.failed,
  device_gone: exitCodes.failed,
  step_limit: exitCodes.runLimit,
  token_limit: exitCodes.runLimit,
  time_limit: exitCodes.runLimit,
  cost_limit: exitCodes.runLimit,
  quota_exceeded: exitCodes.quotaUsedUp,
  cancelled: exitCodes.interrupted,
};

const sentences: Record<Exclude<RunStatus, "completed">, string> = {
  error: "The answer could not be finished.",
  device_gone: "The session ended before the answer did; ask again.",
  step_limit: "The answer took more steps than a question may; ask for less at once.",
  token_limit: "The answer took more tokens than a question may; ask for less at once.",
  time_limit: "The answer took longer than a question may; ask for less at once.",
  cost_limit: "The answer cost more than a question may; ask for less at once.",
  quota_exceeded: "The month's tokens for questions are used up.",
  cancelled: "Cancelled.",
};

/** Lines of text as they come, harmless to a terminal; line breaks stay. */
const harmless = (text: string): string => printableCode(`${text}\n`);

/**
 * Shows an answer, with days as they are in the zone: while it is written on a terminal, once it is there elsewhere.
 *
 * @param projects of this device, by which files of several are told apart
 */
export function answerOn(
  io: CliIo,
  zone: string,
  projects: Parameters<typeof namedFilesRead>[1] = [],
): { readonly events: Partial<AgentEvents>; finish(result: AskedAgent): void } {
  const output = outputOn(io);
  let shown = "";
  const write = (text: string) => {
    shown += text;
    io.stdout.write(harmless(text));
  };
  const newLine = () => {
    if (shown !== "" && !shown.endsWith("\n")) write("\n");
  };
  const aside = (line: string) => io.stderr.write(`${output.style("dim", line)}\n`);
  const streaming: Partial<AgentEvents> = {
    text({ kind, text }) {
      if (kind === "replace") {
        newLine();
        aside("(it begins again)");
      }
      write(text);
    },
    answered(call) {
      newLine();
      aside(stepLine(call));
    },
    connection: (state) => void aside(state === "lost" ? "connection lost; trying again" : "connected again"),
  };
  return {
    events: io.isTTY ? streaming : {},
    finish(result) {
      if (!io.isTTY) write(result.text);
      newLine();
      showEnd(io, output, result, zone, projects);
    },
  };
}

function showEnd(
  io: CliIo,
  output: Output,
  result: AskedAgent,
  zone: string,
  projects: Parameters<typeof namedFilesRead>[1],
): void {
  const files = namedFilesRead(result.calls, projects);
  const read = files.length === 0 ? "No files were read" : `Read: ${files.map(printable).join(", ")}`;
  const about = [
    ...messageLines(result.evidence, zone),
    ...attachedLines(result),
    read,
    counted(result.tokensUsed, "token"),
  ];
  // A line of its own, so that it is not taken for the answer's end where both go to one place.
  io.stderr.write(`\n${about.map((line) => `${output.style("dim", line)}\n`).join("")}`);
  for (const { name, outcome, code = "", sentence = "" } of result.attachments) {
    if (outcome === "refused")
      io.stderr.write(`scouts: Not attached: ${printable(name)}. ${printable(sentence)} (${code})\n`);
  }
  for (const each of result.notAllRead) io.stderr.write(`scouts: ${printable(notAllReadLine(each))}\n`);
  for (const quote of result.evidence.quotesMissing) {
    io.stderr.write(`scouts: These words stand in nothing that was read: "${printable(quote)}"\n`);
  }
  if (result.status === "completed") return;
  const why = result.code === undefined ? "" : ` ${errorKinds[result.code].sentence}`;
  io.stderr.write(`scouts: ${sentences[result.status]}${why} (${result.code ?? result.status})\n`);
}

/** What an answer may lack, and what to do. */
function notAllReadLine({ name, isScanning }: AskedAgent["notAllRead"][number]): string {
  const what = `Not all of ${name} has been read yet, so the answer may lack something`;
  return isScanning
    ? `${what}: its folder is being read now; ask again when that is done.`
    : `${what}. To have the rest read: scouts project rescan ${asWord(name)}`;
}

/** What of what was attached the agent had. What it had not is told as what went wrong. */
function attachedLines({ attachments }: AskedAgent): string[] {
  const had = attachments.filter(({ outcome }) => outcome !== "refused");
  if (had.length === 0) return [];
  const shown = had.map(({ name, outcome, isCut }) => {
    const cut = isCut
      ? " (cut: the rest is left out)"
      : outcome === "cut"
        ? " (the beginning; the agent could look further)"
        : "";
    return `${printable(name)}${cut}`;
  });
  return [`Attached: ${shown.join(", ")}`];
}

/** Messages an answer rests on, each with the command that shows it. */
function messageLines({ messages }: Evidence, zone: string): string[] {
  return messages.map(({ sender, subject, atMs, ref }) => {
    const day = shownDay(atMs, zone);
    const from = sender === "" ? "" : `From ${sender}, `;
    return `${printable(`${from}${day}: ${subject || "(no subject)"}`)}  scouts proposals show ${printable(ref)}`;
  });
}

/** A run for programs. */
export function runForPrograms(result: AskedAgent) {
  const { calls, code = null, ...facts } = result;
  return {
    ...facts,
    code,
    filesRead: filesRead(calls),
    calls: calls.map(({ action, data, error = null }) => ({ action, data, error })),
  };
}
