import { Argument, type Command } from "commander";
import type { CliContext } from "./context.ts";
import { outputOn } from "./output/output.ts";

/** One place in the command tree: its words as typed, and what may follow. */
interface Place {
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly { readonly flag: string; readonly summary: string; readonly takesFile: boolean }[];
  /** Whether an argument of it is a file or a folder. */
  readonly takesFile: boolean;
}

const takesFile = /<(path|folder)>/;
const fileArguments: ReadonlySet<string> = new Set(["path", "paths", "file", "folder"]);

function placesOf(command: Command, path: string): Place[] {
  const commands = command.commands.map((child) => ({
    name: child.name(),
    summary: child.summary() || child.description(),
  }));
  const options = command.options.map(({ long, flags, description }) => ({
    flag: long ?? flags,
    summary: description,
    takesFile: takesFile.test(flags),
  }));
  const here = {
    ...{ path, commands, options: [...options, { flag: "--help", summary: "show help", takesFile: false }] },
    takesFile: command.registeredArguments.some((argument) => fileArguments.has(argument.name())),
  };
  return [
    here,
    ...command.commands.flatMap((child) => placesOf(child, path === "" ? child.name() : `${path} ${child.name()}`)),
  ];
}

/** For single quotes in every shell here. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const words = ({ commands, options }: Place) => [
  ...commands.map(({ name }) => name),
  ...options.map(({ flag }) => flag),
];

function bash(places: readonly Place[]): string {
  const cases = places.map((place) => `    ${quoted(place.path)}) words=${quoted(words(place).join(" "))} ;;`);
  const files = [...new Set(places.flatMap(({ options }) => options.filter((o) => o.takesFile).map((o) => o.flag)))];
  return `# bash completion of scouts; load it with: source <(scouts completion bash)
_scouts() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place="" words="" i
  COMPREPLY=()
  case "$previous" in ${files.join("|")}) return ;; esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) ;; *) case " ${places.map(({ path }) => path.replaceAll(" ", "_")).join(" ")} " in
      *" \${place:+\${place// /_}_}\${COMP_WORDS[i]} "*) place="\${place:+$place }\${COMP_WORDS[i]}" ;;
    esac ;; esac
  done
  case "$place" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _scouts scouts
`;
}

function zsh(places: readonly Place[]): string {
  const described = ({ commands, options }: Place) =>
    [...commands.map(({ name, summary }) => [name, summary]), ...options.map(({ flag, summary }) => [flag, summary])]
      .map(([name, summary]) => quoted(`${name}:${summary}`))
      .join(" ");
  const cases = places.map((place) => `    ${quoted(place.path)}) choices=(${described(place)}) ;;`);
  const known = places.map(({ path }) => quoted(path)).join(" ");
  const files = [...new Set(places.flatMap(({ options }) => options.filter((o) => o.takesFile).map((o) => o.flag)))];
  return `#compdef scouts
# zsh completion of scouts; load it with: source <(scouts completion zsh)
_scouts() {
  local place="" next word
  local -a choices known=(${known})
  case "$words[CURRENT-1]" in ${files.join("|")}) _files; return ;; esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    next="\${place:+$place }$word"
    (( \${known[(Ie)$next]} )) && place="$next"
  done
  case "$place" in
${cases.join("\n")}
  esac
  _describe 'scouts' choices || _files
}
compdef _scouts scouts
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, takesFile: isOfFile }) => {
    const parts = path === "" ? [] : path.split(" ");
    const seen = parts.map((part) => `__fish_seen_subcommand_from ${part}`);
    const none =
      commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.map(({ name }) => name).join(" ")}`];
    const condition = quoted([...seen, ...none].join("; and ") || "true");
    return [
      ...(isOfFile ? [`complete -c scouts -n ${condition} -F`] : []),
      ...commands.map(({ name, summary }) => `complete -c scouts -n ${condition} -a ${name} -d ${quoted(summary)}`),
      ...options.map(
        ({ flag, summary, takesFile: file }) =>
          `complete -c scouts -n ${condition} -l ${flag.slice(2)}${file ? " -r -F" : ""} -d ${quoted(summary)}`,
      ),
    ];
  });
  return `# fish completion of scouts; load it with: scouts completion fish | source\ncomplete -c scouts -f\n${lines.join("\n")}\n`;
}

const scripts = { bash, zsh, fish } as const;
const shells = ["bash", "zsh", "fish"] as const;

/** `scouts completion <shell>`: a script made from the commands as they are. */
export function addCompletion(program: Command, context: CliContext): void {
  program
    .command("completion")
    .description("print a completion script for a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText("after", "\nLoad it with, for example: source <(scouts completion bash)")
    .action((shell: (typeof shells)[number]) => {
      outputOn(context.io).line(scripts[shell](placesOf(program, "")).trimEnd());
    });
}
