import { join } from "node:path";
import { DeviceError } from "../errors.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import { placeholder, type ToolArgument } from "./argument-types.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** Values by name, as they were typed or came in JSON. */
export type GivenArguments = Readonly<Record<string, string | number>>;

/**
 * The values of one call, each as its argument asks.
 * @throws DeviceError `tool_argument_invalid`
 */
export function checkArguments(
  { name: tool, arguments: known }: ToolDefinition,
  given: GivenArguments,
): Map<string, string> {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(known, name)) throw invalid(tool, name, `it has no such argument${listed(Object.keys(known))}`);
  }
  return new Map(
    Object.entries(known).map(([name, argument]) => {
      const value = given[name] ?? argument.default;
      if (value === undefined) throw invalid(tool, name, `it is needed: ${kindOf(argument)}`);
      const problem = problemWith(argument, value);
      if (problem !== undefined) throw invalid(tool, name, problem);
      return [name, String(value)];
    }),
  );
}

/**
 * Program and arguments with the values in their places.
 *
 * @param root the directory that paths of the project are in for this run
 * @throws DeviceError `tool_argument_invalid`, ProjectFilesError for a path that leads out of the project
 */
export async function argvOf(
  tool: ToolDefinition,
  given: GivenArguments,
  { files, root }: { readonly files: ProjectFiles; readonly root: string },
): Promise<string[]> {
  const values = checkArguments(tool, given);
  for (const [name, argument] of Object.entries(tool.arguments)) {
    const value = values.get(name);
    // Absolute, so that no name of a file is taken for an option.
    if (argument.type === "path" && value !== undefined) values.set(name, join(root, await files.canonical(value)));
  }
  for (const part of tool.argv) refuseOptions(tool, part, values);
  return tool.argv.map((part) => part.replace(placeholder, (_, name: string) => values.get(name) ?? ""));
}

/** A text at the beginning of a part could be `--output=/elsewhere`. What a person has written into a list may. */
function refuseOptions(tool: ToolDefinition, part: string, values: ReadonlyMap<string, string>): void {
  if (!part.startsWith("{")) return;
  for (const [, name = ""] of part.matchAll(placeholder)) {
    if (tool.arguments[name]?.type === "text" && values.get(name)?.startsWith("-")) {
      throw invalid(tool.name, name, "a text that begins with - could be taken for an option");
    }
  }
}

/** What an argument may be, in words. */
export function kindOf(argument: ToolArgument): string {
  if (argument.type === "enum") return `one of ${argument.values.map((value) => JSON.stringify(value)).join(", ")}`;
  if (argument.type === "path") return "a path in the project";
  if (argument.type === "text") return `a text of at most ${argument.maxLength} characters`;
  const { type, min, max } = argument;
  const from = min === undefined ? "" : ` from ${min}`;
  const to = max === undefined ? "" : ` up to ${max}`;
  return `${type === "integer" ? "a whole number" : "a number"}${from}${to}`;
}

function problemWith(argument: ToolArgument, value: string | number): string | undefined {
  const wanted = `it is not ${kindOf(argument)}`;
  const text = String(value);
  if (argument.type === "enum") return argument.values.includes(text) ? undefined : wanted;
  if (argument.type === "integer" || argument.type === "number") {
    const number = /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
    const isWhole = argument.type === "number" || Number.isSafeInteger(number);
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = argument;
    return isWhole && number >= min && number <= max ? undefined : wanted;
  }
  if (/\p{Cc}/u.test(text)) return "it has control characters";
  return argument.type === "text" && text.length > argument.maxLength ? wanted : undefined;
}

const listed = (names: readonly string[]) => (names.length === 0 ? "" : `; there are: ${names.join(", ")}`);

const invalid = (tool: string, name: string, problem: string) =>
  new DeviceError("tool_argument_invalid", {
    sentence: `Argument ${name} of the tool ${tool} is not valid: ${problem}.`,
  });
