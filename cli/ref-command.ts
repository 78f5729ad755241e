import { Command, type Option, type ParseOptionsResult } from "commander";

/** No word that a person types or pastes begins so. */
const mark = "\u0000";

/**
 * Whether a word that begins like an option may be a ref or how one begins: one of 64 refs of mail and feeds begins with a hyphen
 * (they are base64url, RFC 4648 section 5, over IMAP with more behind dots), one of 4,096 with two. With one hyphen there are no long
 * options; with two, only what is longer than any option, and gives it no value, is a ref. The characters are those of `itemRef`.
 */
const mayBeRef = (word: string): boolean => /^(?:-\w[\w.~:=+-]{2,}|--[\w.~:+-]{20,})$/.test(word);

/** Whether a word that begins like an option may be one that is not to be found (`-greenhouse`). There are no options of several letters. */
const mayBeWord = (word: string): boolean => /^-[^-\s]\S/.test(word);

/** What an argument takes that begins like an option, by the argument's name. */
const takes: Readonly<Record<string, (word: string) => boolean>> = { ref: mayBeRef, id: mayBeRef, query: mayBeWord };

const asksForHelp = (word: string): boolean => word === "--help" || word === "-h";

/** Whether words lead through groups to a command, or to a group, and to none that a group does not have. */
function namesCommand(group: Command, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || name === "help" || group.commands.length === 0) return true;
  const found = group.commands.find((each) => each.name() === name);
  return found === undefined ? group.registeredArguments.length > 0 : namesCommand(found, rest);
}

/** Whether what is given twice counts twice: lists and pairs begin with an empty one. */
const mayRepeat = ({ variadic, required, optional, defaultValue }: Option): boolean =>
  variadic || (typeof defaultValue === "object" && defaultValue !== null) || !(required || optional);

/**
 * A command to which a ref is a ref, and a word of a search a word, whatever it begins with. An option that takes one value is
 * taken once: the first of two would not count, and nobody would be told.
 */
export class RefCommand extends Command {
  override createCommand(name?: string): RefCommand {
    return new RefCommand(name);
  }

  override addOption(option: Option): this {
    if (mayRepeat(option)) return super.addOption(option);
    let isGiven = false;
    // Before the listener of `super`, which reads the value.
    this.on(`option:${option.name()}`, () => {
      if (isGiven) this.error(`error: option '${option.flags}' is given twice. Give it once.`);
      isGiven = true;
    });
    return super.addOption(option);
  }

  /** What a group of commands does not know is for the command it names; behind `--` nothing is an option anyway. */
  override parseOptions(words: string[]): ParseOptionsResult {
    const end = words.indexOf("--");
    const isBefore = (at: number) => end === -1 || at < end;
    if (this.commands.length > 0) {
      const first = words.findIndex((word, at) => at > 0 && isBefore(at) && (mayBeRef(word) || mayBeWord(word)));
      if (first === -1) return this.#withHelpOfKnown(super.parseOptions(words));
      const { operands, unknown } = super.parseOptions(words.slice(0, first));
      return { operands, unknown: [...unknown, ...words.slice(first)] };
    }
    const taken = this.registeredArguments.flatMap((each) => takes[each.name()] ?? []);
    if (taken.length === 0) return super.parseOptions(words);
    const isTaken = (word: string, at: number) =>
      isBefore(at) && taken.some((each) => each(word)) && !this.#takesValue(words[at - 1]);
    const { operands, unknown } = super.parseOptions(
      words.map((word, at) => (isTaken(word, at) ? `${mark}${word}` : word)),
    );
    const unmarked = (word: string) => (word.startsWith(mark) ? word.slice(mark.length) : word);
    return { operands: operands.map(unmarked), unknown: unknown.map(unmarked) };
  }

  /** Who asks how an unknown command is used is told that it is none, and not how the group above it is. */
  #withHelpOfKnown({ operands, unknown }: ParseOptionsResult): ParseOptionsResult {
    return { operands, unknown: namesCommand(this, operands) ? unknown : unknown.filter((word) => !asksForHelp(word)) };
  }

  #takesValue(word: string | undefined): boolean {
    return this.options.some(({ long, required, optional }) => long === word && (required || optional));
  }
}

/**
 * A command that its group stands for, and that takes no argument: another word there is a command that there is none of, and not an
 * argument too many of one that nobody has named.
 */
export function standingForGroup<C extends Command>(command: C): C {
  command.allowExcessArguments().hook("preAction", (_, { args, parent }) => {
    const [word] = args;
    if (word === undefined) return;
    const name = command.name();
    const known = (parent?.commands ?? []).map((each) => each.name()).join(", ");
    command.error(
      parent?.args[0] === name
        ? `error: too many arguments for '${name}'. Expected 0 arguments but got ${args.length}.`
        : `error: unknown command '${word}'. There are: ${known}.`,
    );
  });
  return command;
}
