import * as z from "zod";
import type { ArtifactToolName } from "../../events/agent-tools/artifact-tools.ts";
import { head, shownCharacters } from "../../shared/llm/shown-text.ts";
import type { Artifacts } from "../artifacts/artifacts.ts";
import { isArtifactError } from "../artifacts/errors.ts";
import type { ArtifactOrigin, FileMetadata } from "../artifacts/metadata.ts";
import { fillReferences } from "../artifacts/references.ts";
import { callArtifactTool, threadSession } from "../artifacts/tools/artifact-tools.ts";
import { presentedContent } from "../artifacts/tools/presented.ts";
import { type ActionResult, failed, type ProjectFile, type WholeText } from "./action-result.ts";

/** A result on its way to a model. */
export interface GivenResult {
  readonly action: string;
  readonly callId: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** What would be shown of it. */
  readonly text: string;
  /** All of what that is a part of, where it is a part. */
  readonly whole?: WholeText | undefined;
  /** Files whose content is in it. */
  readonly filesRead: readonly ProjectFile[];
}

/** A run's way to what is too long to be shown. */
export interface RunArtifacts {
  /** What a model is shown of a result: all of it, or what is known of it together with where the rest is. */
  shown(result: GivenResult): Promise<string>;
  /** Arguments with every `{ "$artifact": id }` in them replaced by its content. @throws ArtifactError */
  fill(data: unknown): Promise<unknown>;
  call(name: ArtifactToolName, data: unknown): Promise<ActionResult>;
  /** The run is over: what it kept may be cleaned up. */
  end(): Promise<void>;
}

export interface RunArtifactsOptions {
  readonly threadId: string;
  /** Whose run it is: `home`. */
  readonly agent?: string;
  readonly newCallId: () => string;
}

const jsonObject = z.record(z.string(), z.json());
/** Of all artifacts of a run's calls. */
const taskId = "answer";
/** JSON and prose have more, CJK less: what was shown is estimated, and a quarter of what is left is never all of it. */
const bytesPerToken = 3;

/** Artifacts of one run, and of no other. */
export function runArtifacts(artifacts: Artifacts, { threadId, agent, newCallId }: RunArtifactsOptions): RunArtifacts {
  const session = threadSession(artifacts, { threadId, taskId, newCallId });
  const mayUse = ({ origin }: FileMetadata) => origin.threadId === threadId;
  let shownTokens = 0;
  const noted = (text: string): string => {
    shownTokens += Math.ceil(Buffer.byteLength(text) / bytesPerToken);
    return text;
  };
  return {
    async shown({ action, callId, data, text, whole, filesRead }) {
      const origin = {
        ...{
          threadId,
          taskId,
          toolCallId: callId,
          tool: action,
          readOnly: action !== "run_tool",
          arguments: jsonOf(data),
        },
        ...ofFiles(data["project_id"], filesRead),
      };
      const situation = {
        ...(agent !== undefined && { agent }),
        windowTokensLeft: artifacts.windowTokens - shownTokens,
        mostBytes: shownCharacters.deviceResult,
      };
      const kept =
        whole === undefined
          ? await artifacts.keepOrInline(text, origin, situation)
          : await artifacts.keep(whole.text, origin, whole.name === undefined ? {} : { name: whole.name });
      const { notices = [] } = kept;
      if (kept.kind === "direct" && whole === undefined && notices.length === 0) return noted(text);
      const beginning = head(text, shownCharacters.keptResult);
      if (kept.kind === "direct") return noted([...notices, beginning].join("\n"));
      if (whole?.isData === true) return noted(presentedContent(kept, artifacts.templates));
      const note = "This is the beginning. artifact_read and artifact_grep give the rest.";
      return noted([...notices, JSON.stringify({ artifact: kept.metadata.id, note }), beginning].join("\n"));
    },
    fill: (data) => fillReferences(data, artifacts, mayUse),
    async call(name, data) {
      const outcome = await callArtifactTool(session, name, data);
      if (!outcome.ok) return failed("refused", `${outcome.error.message} ${outcome.error.recovery ?? ""}`.trim());
      const { facts, text } = outcome.result;
      return { text: text === undefined ? JSON.stringify(facts) : `${JSON.stringify(facts)}\n${text}` };
    },
    async end() {
      try {
        await artifacts.endThread(threadId);
        await artifacts.prune();
        await artifacts.flush();
      } catch (error) {
        // A clean-up that could not be is done by the next one.
        if (!isArtifactError(error)) throw error;
      }
    },
  };
}

/**
 * Of which files of which project a result is. What is of several projects' files is said to be of none: it is read in its run
 * and not found later, since nobody could say whether all of them may still be shown.
 *
 * @param asked the project the call was about, where it named one
 */
function ofFiles(asked: unknown, files: readonly ProjectFile[]): Pick<ArtifactOrigin, "projectId" | "files"> {
  const [projectId, ...others] = new Set([
    ...(typeof asked === "string" ? [asked] : []),
    ...files.map((file) => file.projectId),
  ]);
  if (projectId === undefined || others.length > 0) return {};
  return { projectId, files: files.map(({ path }) => path) };
}

/** As JSON has them: what a frame brought is nothing else. */
function jsonOf(data: Readonly<Record<string, unknown>>) {
  return jsonObject.parse(JSON.parse(JSON.stringify(data)));
}
