import { Command, type ParseOptionsResult } from "commander";

/** Arguments that name an item of a source. */
const refArguments = new Set(["ref", "id"]);
/** No word that a person types or pastes begins so. */
const mark = "\u0000";

/**
 * Whether a word that begins like an option may be a ref or how one begins: one of 64 refs of mail and feeds begins with a hyphen
 * (they are base64url, RFC 4648 section 5, over IMAP with more behind dots), one of 4,096 with two. With one hyphen there are no long
 * options; with two, only what is longer than any option, and gives it no value, is a ref. The characters are those of `itemRef`.
 */
const mayBeRef = (word: string): boolean => /^(?:-\w[\w.~:=+-]{2,}|--[\w.~:+-]{20,})$/.test(word);

/** A command to which a ref is a ref, whatever it begins with. */
export class RefCommand extends Command {
  override createCommand(name?: string): RefCommand {
    return new RefCommand(name);
  }

  /** What a group of commands does not know is for the command it names; behind `--` nothing is an option anyway. */
  override parseOptions(words: string[]): ParseOptionsResult {
    const end = words.indexOf("--");
    const mayBe = (word: string, at: number) => (end === -1 || at < end) && mayBeRef(word);
    if (this.commands.length > 0) {
      const first = words.findIndex((word, at) => at > 0 && mayBe(word, at));
      if (first === -1) return super.parseOptions(words);
      const { operands, unknown } = super.parseOptions(words.slice(0, first));
      return { operands, unknown: [...unknown, ...words.slice(first)] };
    }
    if (!this.registeredArguments.some((each) => refArguments.has(each.name()))) return super.parseOptions(words);
    const { operands, unknown } = super.parseOptions(
      words.map((word, at) => (mayBe(word, at) && !this.#takesValue(words[at - 1]) ? `${mark}${word}` : word)),
    );
    const unmarked = (word: string) => (word.startsWith(mark) ? word.slice(mark.length) : word);
    return { operands: operands.map(unmarked), unknown: unknown.map(unmarked) };
  }

  #takesValue(word: string | undefined): boolean {
    return this.options.some(({ long, required, optional }) => long === word && (required || optional));
  }
}
