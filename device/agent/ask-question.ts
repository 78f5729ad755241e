import type { ProjectId } from "../../events/ids.ts";
import { exactError } from "../exact-sentences.ts";
import type { DeviceStore } from "../store/open.ts";
import { answerNamed, conversationUpTo } from "./earlier-answers.ts";
import { mentionedProject } from "./mentioned-project.ts";
import type { AgentRequest } from "./run-agent.ts";

export interface AskedQuestion {
  /** As the person wrote it; a project may be named in it as `@Name`. */
  readonly text: string;
  /** The project, where it is chosen apart from the text. */
  readonly projectId?: ProjectId | undefined;
  /** Goes on from an answer: by its id or how that begins, or from the `latest`, of the project where one is named. */
  readonly goesOnFrom?: string | "latest" | undefined;
}

/**
 * What an agent is asked for a person's question: with its project, and with what was said before.
 *
 * @throws DeviceError `usage` without words or with several projects, `project_unknown`, and as {@link answerNamed}
 */
export function questionRequest(store: DeviceStore, { text, projectId, goesOnFrom }: AskedQuestion): AgentRequest {
  const message = text.trim();
  if (message === "") throw exactError("usage", "question");
  const chosen = projectId ?? mentionedProject(message, store.projects.list())?.id;
  if (goesOnFrom === undefined) return { agent: "home", projectId: chosen, message };
  const last = answerNamed(store, goesOnFrom === "latest" ? undefined : goesOnFrom, chosen);
  // A conversation stays with its files.
  const of = chosen ?? last.projectId ?? undefined;
  return { agent: "home", projectId: of, message, earlier: conversationUpTo(store, last), follows: last.id };
}
