import {
  type ArtifactToolInput,
  type ArtifactToolName,
  artifactTools,
} from "../../../events/agent-tools/artifact-tools.ts";
import { argumentWords } from "../../errors/argument-words.ts";
import type { Artifacts } from "../artifacts.ts";
import { ArtifactError, type ArtifactErrorCode, isArtifactError } from "../errors.ts";
import { artifactGrep } from "./artifact-grep.ts";
import { artifactList } from "./artifact-list.ts";
import { artifactQuery } from "./artifact-query.ts";
import { artifactRead } from "./artifact-read.ts";
import type { ArtifactSession, ArtifactToolAnswer } from "./artifact-session.ts";

export type ArtifactToolOutcome =
  | { readonly ok: true; readonly result: ArtifactToolAnswer }
  | { readonly ok: false; readonly error: { code: ArtifactErrorCode; message: string; recovery?: string } };

type Tools = {
  readonly [T in ArtifactToolName]: (
    session: ArtifactSession,
    input: ArtifactToolInput<T>,
  ) => Promise<ArtifactToolAnswer>;
};

const tools: Tools = {
  artifact_list: artifactList,
  artifact_read: artifactRead,
  artifact_grep: artifactGrep,
  artifact_query: artifactQuery,
};

/** Whether a model's call is for one of the tools for artifacts; names of others are somebody else's tools. */
export function isArtifactTool(name: string): name is ArtifactToolName {
  return Object.hasOwn(artifactTools, name);
}

/** The artifacts of one thread, and nobody else's. */
export function threadSession(
  artifacts: Artifacts,
  ids: { threadId: string; taskId: string; newCallId: () => string },
): ArtifactSession {
  return { artifacts, ...ids, mayUse: ({ origin }) => origin.threadId === ids.threadId };
}

const isUnknown = (error: ArtifactError) => isArtifactError(error, "not_found", "corrupt");
const listsThem = "artifact_list tells what there is; otherwise call the tool that gave it again.";

/** Runs a tool with arguments as they came from a model. Every failure is an answer with a code. */
export async function callArtifactTool(
  session: ArtifactSession,
  name: string,
  args: unknown,
): Promise<ArtifactToolOutcome> {
  try {
    if (!isArtifactTool(name)) throw new ArtifactError("unknown_tool");
    return { ok: true, result: await run(session, name, args) };
  } catch (error) {
    const known = isArtifactError(error) ? error : new ArtifactError("internal", { cause: error });
    const { code, message, recovery = isUnknown(known) ? listsThem : undefined } = known;
    return { ok: false, error: { code, message, ...(recovery !== undefined && { recovery }) } };
  }
}

async function run<T extends ArtifactToolName>(
  session: ArtifactSession,
  name: T,
  args: unknown,
): Promise<ArtifactToolAnswer> {
  const parsed = artifactTools[name].input.safeParse(args);
  if (!parsed.success) {
    throw new ArtifactError("invalid_arguments", { detail: `${argumentWords(parsed.error)}.` });
  }
  const tool: (session: ArtifactSession, input: ArtifactToolInput<T>) => Promise<ArtifactToolAnswer> = tools[name];
  return tool(session, parsed.data as ArtifactToolInput<T>);
}
