import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import type { ToolRun } from "../../tools/run-tool.ts";
import type { AttachmentHandler } from "../attachment-handler.ts";

const redactor = new Redactor();

/** What an allowed tool prints; what it changes in its copy is gone with it. @param run as `runTool`, with the changes left behind */
export function toolHandler(run: (name: string, signal: AbortSignal) => Promise<ToolRun>): AttachmentHandler {
  return {
    async read(of, { characters, signal }) {
      const { output, outputBytes, end, exitCode } = await run(of, signal);
      const ended = end === "exited" ? `exit code ${exitCode}` : end;
      const shown = redactor.redact(`${ended}\n${output}`.toWellFormed()).text;
      const isCut = outputBytes > Buffer.byteLength(output) || shown.length > characters;
      return { text: shown.slice(0, characters).toWellFormed(), isCut };
    },
  };
}
