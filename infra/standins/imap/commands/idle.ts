import { Cut } from "../session/cut.ts";
import { tellNews } from "../session/session.ts";
import { type Command, inFolder } from "./command.ts";

/** RFC 2177: tells what happens until the client has had enough. */
const idle = inFolder(async (session, _words, { folder }) => {
  await session.peer.send("+ idling");
  const tell = () =>
    tellNews(session, true).catch((error: unknown) => {
      // Nobody is there to be told any more: the line that is waited for does not come either.
      if (!(error instanceof Cut)) throw error;
    });
  let telling = tell();
  const stop = folder.onChange(() => {
    telling = telling.then(tell);
  });
  try {
    const line = await session.peer.line();
    return line?.trim().toUpperCase() === "DONE" ? "OK Done" : "BAD Say DONE";
  } finally {
    stop();
    await telling;
  }
});

export const idleCommands: Readonly<Record<string, Command>> = { IDLE: idle };
