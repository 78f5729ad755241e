import { type Command, InvalidArgumentError, Option } from "commander";
import { argumentWords } from "../../device/errors/argument-words.ts";
import { DeviceError } from "../../device/errors.ts";
import type { Project } from "../../device/store/folder-schema.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import type { ToolArgument } from "../../device/workspace/argument-types.ts";
import type { GivenArguments } from "../../device/workspace/tool-arguments.ts";
import { type ToolDefinition, toolDefinition } from "../../device/workspace/tool-definition.ts";
import type { CommonOptions } from "../context.ts";
import { namedPath } from "../given-path.ts";
import { projectNamed } from "../projects/project-named.ts";

export interface AllowFlags extends CommonOptions {
  readonly project?: string;
  readonly description?: string;
  readonly argument: readonly (readonly [string, object])[];
  readonly default: GivenArguments;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly timeout?: number;
  readonly maxWritten?: number;
  readonly inPlace?: boolean;
  readonly in?: string;
  readonly pass: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly replace?: boolean;
}

const gathered = (value: string, before: readonly string[]) => [...before, value];

/** The options of `scouts tool allow`. */
export function withAllowOptions(command: Command): Command {
  return command
    .option("--project <project>", "only for this project")
    .option("--description <text>", "what it does, for you and for agents that may use it")
    .addOption(
      new Option(
        "--argument <name=kind>",
        "what may be said for {name}: enum:a,b,c, integer, integer:1..5, number, path, text or text:40",
      )
        .argParser((text, before: AllowFlags["argument"]) => [...before, argumentOf(text)])
        .default([]),
    )
    .addOption(new Option("--default <name=value>", "what is meant when it is not said").argParser(pairs).default({}))
    .addOption(new Option("--reads <glob>", "files it gets a copy of (default: all)").argParser(gathered).default([]))
    .addOption(new Option("--writes <glob>", "files it may change (default: none)").argParser(gathered).default([]))
    .option("--timeout <seconds>", "when it is ended (default: 120)", wholeSeconds)
    .option("--max-written <megabytes>", "what its copy may grow to (default: 1024)", wholeSeconds)
    .option("--in-place", "on the project itself and not on a copy; you are asked every time")
    .option("--in <folder>", "where in the project it is started")
    .addOption(
      new Option("--pass <variable>", "a variable of your environment it gets").argParser(gathered).default([]),
    )
    .addOption(new Option("--env <name=value>", "a variable that is set for it").argParser(pairs).default({}))
    .option("--replace", "put it in the place of the one of this name");
}

/** Adds one `name=value` to those before. */
export function pairs(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It is not of the form name=value.");
  const name = text.slice(0, at);
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice. Give it once.`);
  return { ...before, [name]: text.slice(at + 1) };
}

function wholeSeconds(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("It is not a whole number above zero.");
  return Number(text);
}

function argumentOf(text: string): readonly [string, object] {
  const [, name, type, bounds] = /^([a-z][a-z0-9_]{0,30})=([a-z]+)(?::(.+))?$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("It is not of the form name=kind.");
  if (type === "enum" && bounds !== undefined) return [name, { type, values: bounds.split(",") }];
  if (type === "path" && bounds === undefined) return [name, { type }];
  if (type === "text" && /^\d*$/.test(bounds ?? ""))
    return [name, { type, ...(bounds && { maxLength: Number(bounds) }) }];
  const range = /^(-?\d*(?:\.\d+)?)\.\.(-?\d*(?:\.\d+)?)$/.exec(bounds ?? "..");
  if ((type === "integer" || type === "number") && range !== null) {
    const [, min = "", max = ""] = range;
    return [name, { type, ...(min !== "" && { min: Number(min) }), ...(max !== "" && { max: Number(max) }) }];
  }
  throw new InvalidArgumentError("It is none of enum:a,b,c, integer, integer:1..5, number, path, text, text:40.");
}

/** A tool as the options describe it. @throws DeviceError `tool_invalid` */
export function describedTool(
  name: string,
  argv: readonly string[],
  flags: AllowFlags,
  project?: Project,
): ToolDefinition {
  const given = flags.default;
  const kinds = Object.fromEntries(flags.argument);
  const stray = Object.keys(given).find((each) => !Object.hasOwn(kinds, each));
  if (stray !== undefined)
    throw new DeviceError("tool_invalid", { sentence: `--default ${stray}: there is no --argument ${stray}.` });
  const withDefaults = Object.entries(kinds).map(([each, kind]) => {
    const value = given[each];
    const isNumber = "type" in kind && (kind.type === "integer" || kind.type === "number");
    return [each, { ...kind, ...(value !== undefined && { default: isNumber ? Number(value) : value }) }] as const;
  });
  const parsed = toolDefinition.safeParse({
    name,
    argv: [...argv],
    arguments: Object.fromEntries(withDefaults) as Record<string, ToolArgument>,
    reads: flags.reads,
    writes: flags.writes,
    inPlace: flags.inPlace ?? false,
    environment: flags.env,
    passes: flags.pass,
    ...(flags.description !== undefined && { description: flags.description }),
    ...(project !== undefined && { project: project.id }),
    ...(flags.in !== undefined && { workingDirectory: namedPath(flags.in) }),
    ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1_000 }),
    ...(flags.maxWritten !== undefined && { maxWrittenBytes: flags.maxWritten * 1024 ** 2 }),
  });
  if (parsed.success) return parsed.data;
  throw new DeviceError("tool_invalid", {
    sentence: `The tool is not well described: ${argumentWords(parsed.error)}.`,
  });
}

/** The project an option names, if any. @throws DeviceError `project_unknown` */
export const projectOf = (store: DeviceStore, { project }: { readonly project?: string }): Project | null =>
  project === undefined ? null : projectNamed(store, project);
