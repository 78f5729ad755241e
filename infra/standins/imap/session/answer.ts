import { findCommand } from "../commands/table.ts";
import { parseValues, SyntaxFault, type Value, wordOf } from "../wire/values.ts";
import { Cut } from "./cut.ts";
import { type Completion, type Session, tellNews } from "./session.ts";

interface Parsed {
  readonly tag: string;
  readonly name: string;
  readonly words: readonly Value[];
}

/** @returns the tag alone where the rest is not understood */
function parse(line: Buffer): Parsed | { readonly tag: string } {
  const [, tag = "*"] = /^([^\s(){%*"\\+]{1,100}) /.exec(line.toString("latin1", 0, 120)) ?? [];
  if (tag === "*") return { tag };
  try {
    const [first, ...rest] = parseValues(line.subarray(tag.length + 1));
    const name = wordOf(first);
    if (name !== "UID") return { tag, name, words: rest };
    return { tag, name: `UID ${wordOf(rest[0])}`, words: rest.slice(1) };
  } catch (error) {
    if (error instanceof SyntaxFault) return { tag };
    throw error;
  }
}

/**
 * Answers one line of a client.
 *
 * @param onCommand hears of every command that is understood
 * @returns whether the connection goes on encrypted from here
 * @throws Cut
 */
export async function answerLine(session: Session, line: Buffer, onCommand: (name: string) => void): Promise<boolean> {
  const parsed = parse(line);
  const { tag } = parsed;
  const { peer, server } = session;
  if (!("name" in parsed)) {
    await peer.send(`${tag} BAD That is not understood`);
    return false;
  }
  const { name, words } = parsed;
  onCommand(name);
  await strike(session, name);
  const refusal = server.faults.take("answers", name);
  const completion = refusal === undefined ? await run(session, name, words) : refusal.line;
  if (server.faults.take("dropsUnanswered", name)) throw new Cut();
  if (session.selected?.isLost) {
    await peer.send("* BYE The folder was made anew");
    session.isOver = true;
    return false;
  }
  await peer.send(`${tag} ${completion}`);
  return name === "STARTTLS" && completion.startsWith("OK");
}

async function run(session: Session, name: string, words: readonly Value[]): Promise<Completion> {
  const command = findCommand(name, session.server.without);
  if (command === undefined) return "BAD That command is not known";
  if (command.needs !== "nothing" && session.account === undefined) return "BAD Sign in first";
  if (command.needs === "folder" && session.selected === undefined) return "BAD Select a folder first";
  try {
    const completion = await command.run(session, words);
    await tellNews(session, command.keepsNumbers !== true);
    return completion;
  } catch (error) {
    if (error instanceof SyntaxFault) return `BAD ${error.message}`;
    throw error;
  }
}

/** What happens before a command is run. @throws Cut */
async function strike(session: Session, name: string): Promise<void> {
  const { faults } = session.server;
  if (faults.take("dropsBefore", name)) throw new Cut();
  if (faults.take("silent", name)) await session.peer.silence();
  if (faults.take("dropsDuring", name)) session.peer.cutNext();
  const said = faults.take("says", name);
  if (said) await session.peer.send(said.line);
  const folder = session.selected?.folder ?? session.account?.find("INBOX");
  const taken = faults.take("expunges", name);
  if (taken && folder) folder.expunge(taken.uids ?? folder.messages.slice(-1).map(({ uid }) => uid));
  if (faults.take("resetsUidValidity", name)) folder?.resetUidValidity();
}
