import * as z from "zod";
import type { ArtifactToolName } from "../../events/agent-tools/artifact-tools.ts";
import type { Artifacts } from "../artifacts/artifacts.ts";
import { isArtifactError } from "../artifacts/errors.ts";
import type { FileMetadata } from "../artifacts/metadata.ts";
import { fillReferences } from "../artifacts/references.ts";
import { callArtifactTool, threadSession } from "../artifacts/tools/artifact-tools.ts";
import { presentedContent } from "../artifacts/tools/presented.ts";
import { type ActionResult, failed, type WholeText } from "./action-result.ts";

/** A result on its way to a model that is longer than it may be. */
export interface LongResult {
  readonly action: string;
  readonly callId: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** What can be shown of it. */
  readonly shown: string;
  readonly whole: WholeText;
  /** Files whose content is in it. */
  readonly filesRead: readonly string[];
}

/** A run's way to what is too long to be shown. */
export interface RunArtifacts {
  /** Keeps the whole, and gives what is shown together with where the rest is. */
  keep(result: LongResult): Promise<string>;
  /** Arguments with every `{ "$artifact": id }` in them replaced by its content. @throws ArtifactError */
  fill(data: unknown): Promise<unknown>;
  call(name: ArtifactToolName, data: unknown): Promise<ActionResult>;
  /** The run is over: what it kept may be cleaned up. */
  end(): Promise<void>;
}

const jsonObject = z.record(z.string(), z.json());
/** Of all artifacts of a run's calls. */
const taskId = "answer";

/** Artifacts of one run, and of no other. */
export function runArtifacts(artifacts: Artifacts, threadId: string, newCallId: () => string): RunArtifacts {
  const session = threadSession(artifacts, { threadId, taskId, newCallId });
  const mayUse = ({ origin }: FileMetadata) => origin.threadId === threadId;
  return {
    async keep({ action, callId, data, shown, whole, filesRead }) {
      const { project_id: projectId } = data;
      const origin = {
        ...{
          threadId,
          taskId,
          toolCallId: callId,
          tool: action,
          readOnly: action !== "run_tool",
          arguments: jsonOf(data),
        },
        ...(typeof projectId === "string" && { projectId, files: [...filesRead] }),
      };
      const kept = await artifacts.keep(whole.text, origin, whole.name === undefined ? {} : { name: whole.name });
      if (kept.kind === "direct") return shown;
      if (whole.isData === true) return presentedContent(kept);
      const { id } = kept.metadata;
      return `${JSON.stringify({ artifact: id, note: "This is the beginning. artifact_read and artifact_grep give the rest." })}\n${shown}`;
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

/** As JSON has them: what a frame brought is nothing else. */
function jsonOf(data: Readonly<Record<string, unknown>>) {
  return jsonObject.parse(JSON.parse(JSON.stringify(data)));
}
