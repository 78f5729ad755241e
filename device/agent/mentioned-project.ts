import { type Mention, mentionsOf } from "../../shared/llm/mentions.ts";
import { DeviceError } from "../errors.ts";
import type { Project } from "../store/folder-schema.ts";
import { nearestNames } from "./nearest-names.ts";

/**
 * The project a message names as `@Name` or `@"Name"`; undefined when it names none. An `@` inside quotes that is no project's
 * names nothing. Of names that differ in large and small letters only, the one that is written is meant.
 *
 * @throws DeviceError `usage` when it names several, or may mean several, `project_unknown` when all it names is none of them
 */
export function mentionedProject(message: string, projects: readonly Project[]): Project | undefined {
  const names = projects.map(({ name }) => name);
  const text = message.normalize("NFC");
  const [first, ...others] = new Set(mentionsOf(message, names).flatMap((mention) => meantBy(mention, text, names)));
  if (others.length > 0) {
    throw new DeviceError("usage", { sentence: "Several projects are mentioned; name one with --project." });
  }
  if (first === undefined) refuseUnknown(text, names);
  return projects.find(({ name }) => name === first);
}

/** The names a mention may mean: the one that is written so, else all that are the same in other letters. */
function meantBy({ name, start, end }: Mention, text: string, names: readonly string[]): readonly string[] {
  const same = names.filter((each) => each.toLowerCase() === name.toLowerCase());
  const written = text.slice(start + 1, end);
  const exact = same.find((each) => [written, written.slice(1, -1)].includes(each.normalize("NFC")));
  return exact === undefined ? same : [exact];
}

/** An @ that belongs to no word and to no quotation. */
const at = /(?<![\p{L}\p{N}._"'`«„“‚‘-])@/u.source;
const inQuotes = new RegExp(`${at}(?:"([^"]{1,80})"|“([^”]{1,80})”|„([^“”]{1,80})[“”]|«([^»]{1,80})»)`, "u");
const inTheOpen = new RegExp(`${at}(?=[\\p{L}\\p{N}])([^@]{1,80})`, "u");
/** Not single ones: an apostrophe is one as well. */
const quotation = /"[^"]{0,200}"|`[^`]{0,200}`|“[^”]{0,200}”|„[^“”]{0,200}[“”]|«[^»]{0,200}»/gu;

/** A mention nobody answers to is a slip: the answer would come from no files at all. */
function refuseUnknown(text: string, names: readonly string[]): void {
  const quoted = inQuotes
    .exec(text)
    ?.slice(1)
    .find((each) => each !== undefined);
  const mention = quoted ?? inTheOpen.exec(text.replace(quotation, '""'))?.[1];
  if (mention === undefined) return;
  const [word = ""] = quoted === undefined ? mention.split(/[\s,;:!?]/u) : [quoted];
  const near = nearestNames(quoted ?? mention.split(/[.,;:!?]/u)[0] ?? "", names);
  const hint = near.length > 0 ? `Did you mean ${near.map((name) => `@${name}`).join(" or ")}?` : knownNames(names);
  throw new DeviceError("project_unknown", {
    sentence: `There is no project "${word}" on this device. ${hint} An @ that names none goes in quotes.`,
  });
}

function knownNames(names: readonly string[]): string {
  if (names.length === 0) return "There are no projects; make one: scouts project add.";
  const some = names.slice(0, 5);
  return `There are: ${some.join(", ")}${names.length > some.length ? " …" : ""}.`;
}
