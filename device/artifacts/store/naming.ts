import { createHash } from "node:crypto";
import { ArtifactError } from "../errors.ts";
import type { ArtifactOrigin } from "../metadata.ts";

/** Where artifacts lie in the data folder. */
export const artifactRoot = "runtime/runs";
/** What is being written, before it has a name. */
export const incomingRoot = "runtime/incoming";
export const metadataSuffix = ".meta.json";

/**
 * How artifacts are told apart: by thread and task, by task, not at all, or by a template of `{threadId}`, `{taskId}`,
 * `{toolCallId}`, `{tool}` and `{date}` (UTC), with `/` between folders.
 */
export type ArtifactLayout = "thread" | "task" | "flat" | { readonly template: string };

const layouts = { thread: "{threadId}/{taskId}/{toolCallId}", task: "{taskId}/{toolCallId}", flat: "{toolCallId}" };
const placeholders = ["threadId", "taskId", "toolCallId", "tool", "date"] as const;
const maxPartChars = 80;
/** Names Windows keeps for devices. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Path below {@link artifactRoot} without an extension. @throws ArtifactError `template_invalid` */
export function artifactBase(layout: ArtifactLayout, origin: ArtifactOrigin, createdAt: number): string {
  const template = typeof layout === "string" ? layouts[layout] : layout.template;
  const values: Record<(typeof placeholders)[number], string> = {
    threadId: origin.threadId,
    taskId: origin.taskId,
    toolCallId: origin.toolCallId,
    tool: origin.tool,
    date: new Date(createdAt).toISOString().slice(0, 10),
  };
  const parts = template.split("/").map((part) =>
    part.replace(/\{([^{}]*)\}/g, (_, name: string) => {
      const known = placeholders.find((placeholder) => placeholder === name);
      if (known === undefined) throw new ArtifactError("template_invalid", { detail: `It has no {${name}}.` });
      return safeName(values[known]);
    }),
  );
  if (parts.some((part) => !/^[\w~-][\w~ -]*$/.test(part))) {
    throw new ArtifactError("template_invalid", { detail: "Between placeholders it may have letters, digits, _ - ~." });
  }
  return parts.join("/");
}

/**
 * A name that means the same on every file system. Whatever had to be changed is told apart by a hash of the original, so
 * different ids never become one name.
 */
export function safeName(id: string): string {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, maxPartChars);
  if (plain === id && plain !== "" && !reserved.test(plain)) return plain;
  return `${plain}~${createHash("sha256").update(id).digest("hex").slice(0, 12)}`;
}

/** An extension as it may be part of a path. */
export function safeExtension(extension: string): string {
  return /^[a-z0-9]{1,12}$/.test(extension) ? extension : "bin";
}

/** True when an id can be one: it came from a model. */
export function isArtifactId(id: string): boolean {
  return id.length <= 600 && /^[\w~ -]+(?:\/[\w~ -]+)*\.[a-z0-9]{1,12}$/.test(id);
}
