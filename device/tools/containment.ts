import { isAbsolute } from "node:path";
import type { ToolDefinition } from "../workspace/tool-definition.ts";

/** What stands between a tool and the person's machine, and what does not: said plainly wherever one is allowed. */
export interface Containment {
  readonly contained: readonly string[];
  readonly notContained: readonly string[];
}

/** Each a sentence about "it". */
export function containmentOf(tool: ToolDefinition): Containment {
  const { writes, reads, inPlace, timeoutMs, maxWrittenBytes, passes, argv } = tool;
  const [program = ""] = argv;
  const copied = reads.length === 0 ? "all files of the project" : `what ${reads.join(", ")} names`;
  const back =
    writes.length === 0
      ? "What it changes in the copy is thrown away: it was allowed to write nothing (--writes)."
      : `What it changes in the copy comes into the project only when you have seen it and say yes, and only where it may write: ${writes.join(", ")}.`;
  const copy = [
    `It works in a copy of ${copied}, made for each run; your data folder and links that lead out of the project are not in it.`,
    back,
  ];
  const env = passes.length === 0 ? "" : ` and ${passes.join(", ")}`;
  return {
    contained: [
      ...(inPlace ? ["It works on the project itself, so you are asked every time."] : copy),
      `It gets no variable of your environment but PATH, language and time zone${env}; home and temporary folder are its own, and empty.`,
      `It is ended, with all it started, after ${seconds(timeoutMs)}, on Ctrl-C, and when it has written more than ${megabytes(maxWrittenBytes)} there.`,
    ],
    notContained: [
      "It runs with your rights: by their full names it can read and change every file that you can.",
      "It can use the network.",
      ...(inPlace
        ? ["What it changes in the project is changed at once; nothing of it is shown or taken back by Scouts."]
        : []),
      "What it does may be decided by files of the project (scripts, configuration, plug-ins), and so by whoever writes those.",
      ...(!isAbsolute(program) && /[/\\]/.test(program)
        ? [`The program itself, ${program}, lies in the project: whoever writes there decides what is run.`]
        : []),
      "A program that hides on purpose, in a session of its own without the environment it was given, can outlive it.",
    ],
  };
}

const seconds = (ms: number) => (ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1_000} s`);
const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`;
