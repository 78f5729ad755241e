import { DeviceError } from "../errors.ts";
import type { Project } from "../store/folder-schema.ts";

/**
 * The project a message names as `@Name`, in any letters, spaces included; undefined when it names none. Where one
 * project's name begins another's, the longer one is meant.
 *
 * @throws DeviceError `usage` when it names several
 */
export function mentionedProject(message: string, projects: readonly Project[]): Project | undefined {
  const text = message.normalize("NFC").toLowerCase();
  const longestFirst = projects.toSorted((a, b) => b.name.length - a.name.length);
  const found = new Map<number, Project>();
  for (const project of longestFirst) {
    const mention = `@${project.name.normalize("NFC").toLowerCase()}`;
    for (let at = text.indexOf(mention); at !== -1; at = text.indexOf(mention, at + 1)) {
      if (standsAlone(text, at, at + mention.length) && !found.has(at)) found.set(at, project);
    }
  }
  const [first, ...others] = new Set(found.values());
  if (others.length > 0) {
    throw new DeviceError("usage", { sentence: "Several projects are mentioned; name one with --project." });
  }
  return first;
}

/** An address (`ann@garden.example`) mentions nobody, and `@Gardens` is not `@Garden`. */
function standsAlone(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}._-]$/u.test(text.slice(0, start)) && !/^[\p{L}\p{N}_-]|^\.[\p{L}\p{N}]/u.test(text.slice(end));
}
