import { DeviceError } from "../errors.ts";
import type { Project } from "../store/folder-schema.ts";
import { nearestNames } from "./nearest-names.ts";

/**
 * The project a message names as `@Name`, in any letters, spaces included; undefined when it names none. Where one
 * project's name begins another's, the longer one is meant. An `@` inside quotes names nothing.
 *
 * @throws DeviceError `usage` when it names several, `project_unknown` when all it names is none of them
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
  if (first === undefined) refuseUnknown(message.normalize("NFC"), projects);
  return first;
}

/** A mention nobody answers to is a slip: the answer would come from no files at all. */
function refuseUnknown(text: string, projects: readonly Project[]): void {
  const mention = /(?<![\p{L}\p{N}._"'`«„“‚‘-])@(?=[\p{L}\p{N}])([^@]{1,80})/u.exec(text)?.[1];
  if (mention === undefined) return;
  const [word = ""] = mention.split(/[\s,;:!?]/u);
  const near = nearestNames(
    mention.split(/[.,;:!?]/u)[0] ?? "",
    projects.map(({ name }) => name),
  );
  const hint = near.length > 0 ? `Did you mean ${near.map((name) => `@${name}`).join(" or ")}?` : knownNames(projects);
  throw new DeviceError("project_unknown", {
    sentence: `There is no project "${word}" on this device. ${hint} An @ that names none goes in quotes.`,
  });
}

function knownNames(projects: readonly Project[]): string {
  if (projects.length === 0) return "There are no projects; make one: scouts project add.";
  const some = projects.slice(0, 5).map(({ name }) => name);
  return `There are: ${some.join(", ")}${projects.length > some.length ? " …" : ""}.`;
}

/** An address (`ann@garden.example`) mentions nobody, and `@Gardens` is not `@Garden`. */
function standsAlone(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}._-]$/u.test(text.slice(0, start)) && !/^[\p{L}\p{N}_-]|^\.[\p{L}\p{N}]/u.test(text.slice(end));
}
