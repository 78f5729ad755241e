import type { ToolDefinition } from "../../../events/agent-tools/tool-definition.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { escapedJson } from "../../../shared/privacy/delimiters.ts";
import { argumentWords } from "../../errors/argument-words.ts";
import { isDeviceError } from "../../errors.ts";
import { auditArguments } from "../audit/trail.ts";
import { AccessError, isAccessError } from "../errors.ts";
import type { OpenProject } from "../open-project.ts";
import type { AccessSession } from "../session/session.ts";

/** One client's work on one project. */
export interface Served {
  readonly project: Pick<OpenProject, "access" | "paid">;
  readonly session: AccessSession;
}

/** A tool of `scouts mcp` that is not one of events/agent-tools/file-tools.ts. */
export interface FurtherTool {
  readonly name: string;
  readonly definition: ToolDefinition;
  /** @param input what the definition's schema made of the arguments @throws AccessError for what the client can mend */
  call(input: unknown, served: Served, signal: AbortSignal): Promise<FurtherAnswer>;
}

export interface FurtherAnswer {
  /** What the client is given; whatever others wrote stands between delimiters. */
  readonly text: string;
  /** For the trail, beside the arguments: what it took. */
  readonly noted?: Readonly<Record<string, unknown>>;
}

/** Calls a tool, and writes that to the project's trail, whatever becomes of it. */
export async function callFurther(
  tool: FurtherTool,
  args: unknown,
  served: Served,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { session, project } = served;
  const record = (outcome: string, noted: object = {}) =>
    project.access.audit.append({
      caller: session.caller,
      session: session.id,
      tool: tool.name,
      args: { ...auditArguments(args), ...noted },
      decision: "none",
      outcome,
      files: [],
    });
  try {
    const parsed = tool.definition.input.safeParse(args);
    if (!parsed.success) {
      throw new AccessError("invalid_arguments", { detail: argumentWords(parsed.error) });
    }
    if (session.wouldExceed("calls", 1)) throw new AccessError("budget_exceeded");
    session.spend("calls", 1);
    const { text, noted } = await tool.call(parsed.data, served, signal);
    record("ok", noted);
    return { text, isError: false };
  } catch (error) {
    // What the device or the home refuses has its own code, and says what helps.
    const isKnown = isAccessError(error) || isDeviceError(error) || isScoutsError(error);
    const known = isKnown ? error : new AccessError("internal", {}, error);
    record(known.code);
    const message = project.access.kit.redactor.redact(known.message).text;
    return { text: escapedJson({ code: known.code, message }), isError: true };
  }
}
