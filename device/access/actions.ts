import * as z from "zod";
import { type FileToolName, fileToolNames, fileTools } from "../../events/tools.ts";
import type { FileAccess, ToolOutcome } from "../../shared/access/file-access.ts";
import { presented } from "../../shared/access/present.ts";
import type { AccessSession } from "../../shared/access/session/session.ts";

/** A tool that a run in the cloud may have the device execute. */
export interface DeviceAction {
  readonly name: FileToolName;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Runs it; the text is what the model is shown, without credentials and between delimiters. */
  run(args: unknown): Promise<{ readonly outcome: ToolOutcome; readonly text: string }>;
}

/** The tools that change nothing, as actions of the device: an agent reads and proposes, it never writes. */
export function readOnlyActions(access: FileAccess, session: AccessSession): ReadonlyMap<string, DeviceAction> {
  const names = fileToolNames.filter((name) => fileTools[name].access === "read");
  return new Map(
    names.map((name) => [
      name,
      {
        name,
        description: fileTools[name].description,
        parameters: z.toJSONSchema(fileTools[name].input, { io: "input" }),
        async run(args) {
          const outcome = await access.call(session, name, args);
          return { outcome, text: presented(outcome) };
        },
      },
    ]),
  );
}
