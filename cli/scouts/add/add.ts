import { type Command, Option } from "commander";
import { called } from "../../../device/errors/called.ts";
import { DeviceError } from "../../../device/errors.ts";
import { asWord } from "../../../device/shell-words.ts";
import { type AddedSource, addSource, type NewSource } from "../../../device/sources/add-source.ts";
import { type CliContext, type CommonOptions, wholeNumber, withCommonOptions } from "../../context.ts";
import { namedPath, pathGiven } from "../../given-path.ts";
import type { Output } from "../../output/output.ts";
import { printable } from "../../output/printable.ts";
import { type ConsentFlags, consentFor, withConsentOptions } from "../consent.ts";
import { withHome } from "../scouts-home.ts";
import { sightFacts, sightText } from "../shown/sees-text.ts";
import { type ImapFlags, imapSettingsOf } from "./imap.ts";
import { withSecretOptions } from "./secret.ts";
import { readSettings } from "./settings.ts";

interface AddFlags extends CommonOptions, ConsentFlags {
  readonly name?: string;
  readonly purpose?: string;
}

const ofPeople = "Show me what people and services I deal with want from me.";
const ofReading = "Show me what is worth knowing.";

const withAddOptions = (command: Command) =>
  withCommonOptions(
    command
      .option("--name <text>", "what the scout is called (default: after the source)")
      .option("--purpose <text>", "what it is to look for, in your words"),
  );

function show(output: Output, { name, source, sight }: AddedSource): void {
  output.line(`added  ${printable(name)} (${source})`);
  output.line(`It sees: ${printable(sightText(sight))}`);
  output.line(
    output.style(
      "dim",
      `What deserves attention is proposed: scouts proposals list. How it fares: scouts health ${printable(asWord(name))}`,
    ),
  );
}

/** Adds what a command describes, with its flags. */
function add(context: CliContext, flags: AddFlags, wanted: () => NewSource | Promise<NewSource>): Promise<void> {
  return withHome(context, flags, async (api, output) => {
    const why = "The new scout needs your consent to read its source.";
    const { sight, ...added } = await addSource(api, await wanted(), consentFor(context, flags, why));
    if (flags.json) output.json({ ...added, ...sightFacts(sight) });
    else show(output, { ...added, sight });
  });
}

const named = ({ name }: AddFlags) => (name === undefined ? {} : { name });

function addGmailSource(group: Command, context: CliContext): void {
  const command = group
    .command("gmail")
    .description("a Gmail account: opens Google's consent page; what arrives from now on is looked at");
  withAddOptions(withConsentOptions(command)).action((flags: AddFlags) =>
    add(context, flags, () => ({
      source: "gmail",
      ...named(flags),
      purpose: flags.purpose ?? ofPeople,
    })),
  );
}

function addFeed(group: Command, context: CliContext): void {
  const command = group
    .command("feed")
    .description("an RSS, Atom or JSON feed; its ten newest items are looked at first")
    .argument("<url>", "address of the feed, https://…");
  withAddOptions(command).action((url: string, flags: AddFlags) =>
    add(context, flags, () => ({
      source: "feed",
      ...named(flags),
      purpose: flags.purpose ?? ofReading,
      settings: { url: webAddress(url) },
    })),
  );
}

/** The sentences do not repeat what was typed, which may hold a password. @throws DeviceError `usage` */
function webAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new DeviceError("usage", {
      sentence: "Give a feed by its web address, such as https://example.org/feed.xml.",
    });
  }
  if (url.username === "" && url.password === "") return text;
  const sentence = "The address holds a user or password, which would end up in other servers' logs; leave it out.";
  throw new DeviceError("usage", { sentence });
}

function addMailbox(group: Command, context: CliContext): void {
  const command = group
    .command("mailbox")
    .description("mail in files on the machine of a local home: read where it lies, never written to")
    .argument("<path>", "an mbox file, a Maildir or a folder of .eml", namedPath);
  withAddOptions(command).action((text: string, flags: AddFlags) =>
    add(context, flags, () => {
      const file = pathGiven(context, text);
      return {
        source: "mailbox",
        ...named(flags),
        purpose: flags.purpose ?? ofPeople,
        settings: { path: file },
      };
    }),
  );
}

function addImap(group: Command, context: CliContext): void {
  const command = group
    .command("imap")
    .description("a mail account by IMAP, over TLS; what arrives from now on is looked at")
    .requiredOption("--host <name>", "its IMAP server")
    .option("--port <number>", "993, or 143 with STARTTLS, unless told", wholeNumber(1, 65_535))
    .requiredOption("--user <name>", "user name, often the address")
    .addOption(
      new Option("--oauth", "read an OAuth grant from standard input, as JSON (docs/device.md)").conflicts([
        "passwordStdin",
        "passwordEnv",
      ]),
    )
    .addOption(
      new Option("--tls <kind>", "how it is encrypted; none on this machine only").choices([
        "implicit",
        "starttls",
        "none",
      ]),
    )
    .option("--folder <name...>", "folders to look at (default: INBOX)");
  withAddOptions(withSecretOptions(command)).action((flags: AddFlags & ImapFlags) =>
    add(context, flags, async () => ({
      source: "imap",
      ...named(flags),
      purpose: flags.purpose ?? ofPeople,
      settings: await imapSettingsOf(context, flags),
    })),
  );
}

/** Whatever the home has a connector for: a new source needs no command of its own. */
function addOther(group: Command, context: CliContext): void {
  const command = group
    .command("other")
    .description("a source of another kind that the home reads, by its settings")
    .argument("<kind>", "the kind of source, as its connector is called")
    .requiredOption("--settings-stdin", "read its settings, secrets among them, as JSON from standard input");
  withAddOptions(command).action((kind: string, flags: AddFlags) =>
    add(context, flags, async () => ({
      source: kind,
      ...named(flags),
      purpose: flags.purpose ?? ofReading,
      settings: await readSettings(context),
    })),
  );
}

/** `scouts add`: a new source. Each is reached before it is kept. */
export function addAdd(program: Command, context: CliContext): void {
  const group = program
    .command("add")
    .summary("add a source: a mail account, a feed, a mailbox")
    .description("Adds a source: makes a scout on it, reaches it at once and says what the scout will see.")
    .argument("[source]")
    .argument("[rest...]")
    .allowUnknownOption();
  addGmailSource(group, context);
  addImap(group, context);
  addFeed(group, context);
  addMailbox(group, context);
  addOther(group, context);
  const known = group.commands.map((command) => command.name()).join(", ");
  group.usage("<source> [options]").action((source: string | undefined) => {
    const what =
      source === undefined || source.startsWith("-") ? "Name a source" : `There is no source called ${called(source)}`;
    throw new DeviceError("source_unknown", { sentence: `${what}. There are: ${known}.` });
  });
}
