import { extensions } from "../imap.ts";
import { has, type Session } from "../session/session.ts";
import { wordOf } from "../wire/values.ts";
import { type Command, signedIn } from "./command.ts";

/** What the server can do at this moment, without the name of the answer. */
export function capabilities(session: Session): string {
  const { server, peer } = session;
  const isStripped = server.faults.take("startTlsStripped", "CAPABILITY") !== undefined;
  const maySignIn = peer.isEncrypted || server.plainSignIn;
  return [
    "IMAP4rev1",
    ...extensions.filter((extension) => has(session, extension)),
    ...(peer.isEncrypted || isStripped ? [] : ["STARTTLS"]),
    ...(maySignIn ? ["AUTH=PLAIN", "AUTH=LOGIN", "AUTH=XOAUTH2"] : ["LOGINDISABLED"]),
  ].join(" ");
}

const capability: Command = {
  needs: "nothing",
  run: async (session) => {
    await session.peer.send(`* CAPABILITY ${capabilities(session)}`);
    return "OK Done";
  },
};

const noop: Command = { needs: "nothing", run: async () => "OK Done" };

const logout: Command = {
  needs: "nothing",
  run: async (session) => {
    await session.peer.send("* BYE Until next time");
    session.isOver = true;
    return "OK Done";
  },
};

/** RFC 2971. */
const id: Command = {
  needs: "nothing",
  run: async ({ peer }) => {
    await peer.send('* ID ("name" "scouts stand-in" "version" "1")');
    return "OK Done";
  },
};

/** RFC 5161: what is not known is passed over. QRESYNC brings CONDSTORE (RFC 7162 §3.2.3). */
const enable = signedIn(async (session, words) => {
  const wanted = words.map(wordOf).filter((word) => word === "CONDSTORE" || word === "QRESYNC");
  const enabled = wanted.filter((word) => has(session, word));
  for (const word of enabled) session.enabled.add(word);
  if (session.enabled.has("QRESYNC")) session.enabled.add("CONDSTORE");
  await session.peer.send(["* ENABLED", ...enabled].join(" "));
  return "OK Done";
});

const namespace = signedIn(async ({ peer }) => {
  await peer.send('* NAMESPACE (("" "/")) NIL NIL');
  return "OK Done";
});

export const connectionCommands: Readonly<Record<string, Command>> = {
  CAPABILITY: capability,
  NOOP: noop,
  LOGOUT: logout,
  ID: id,
  ENABLE: enable,
  NAMESPACE: namespace,
};
