import type { ImapUser } from "../imap.ts";
import type { Completion, Session } from "../session/session.ts";
import { textOf, wordOf } from "../wire/values.ts";
import type { Command } from "./command.ts";
import { capabilities } from "./connection.ts";

const refused: Completion = "NO [AUTHENTICATIONFAILED] User or password is wrong";

function mayNotSignIn({ server, peer, account }: Session): Completion | undefined {
  if (account) return "BAD Signed in already";
  return peer.isEncrypted || server.plainSignIn ? undefined : "NO [PRIVACYREQUIRED] Encrypt the connection first";
}

function admit(session: Session, user: ImapUser | undefined): Completion {
  if (user === undefined) return refused;
  session.account = session.server.account(user.user);
  return `OK [CAPABILITY ${capabilities(session)}] Welcome`;
}

const byPassword = ({ server }: Session, name: string, password: string): ImapUser | undefined =>
  server.users.find((each) => each.user === name && each.password === password);

const login: Command = {
  needs: "nothing",
  run: async (session, [name, password]) =>
    mayNotSignIn(session) ?? admit(session, byPassword(session, textOf(name), textOf(password))),
};

/** SASL: PLAIN (RFC 4616), LOGIN (as servers have it), XOAUTH2 (Google's page on it), the first answer at once or asked for (RFC 4959). */
const authenticate: Command = {
  needs: "nothing",
  run: async (session, [mechanism, initial]) => {
    const no = mayNotSignIn(session);
    if (no !== undefined) return no;
    const ask = async (challenge: string): Promise<string | undefined> => {
      await session.peer.send(`+ ${challenge}`);
      const answer = await session.peer.line();
      return answer === undefined || answer === "*" ? undefined : fromBase64(answer);
    };
    const first = async () => (initial === undefined ? ask("") : fromBase64(textOf(initial).replace(/^=$/, "")));
    switch (wordOf(mechanism)) {
      case "PLAIN": {
        const [, name = "", password = ""] = (await first())?.split("\0") ?? [];
        return admit(session, byPassword(session, name, password));
      }
      case "LOGIN": {
        const name = initial === undefined ? await ask(toBase64("Username:")) : await first();
        const password = await ask(toBase64("Password:"));
        return admit(session, byPassword(session, name ?? "", password ?? ""));
      }
      case "XOAUTH2": {
        const [who = "", how = ""] = (await first())?.split("\u0001") ?? [];
        const [name, token = ""] = [who.replace(/^user=/, ""), /^auth=Bearer (.+)$/i.exec(how)?.[1]];
        const user = session.server.users.find((each) => each.user === name && each.accessTokens?.has(token));
        // Google says why, and waits for an empty answer.
        if (user === undefined)
          await ask(toBase64('{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}'));
        return user === undefined ? "NO [AUTHENTICATIONFAILED] Invalid credentials" : admit(session, user);
      }
      default:
        return "NO [CANNOT] That mechanism is not known";
    }
  },
};

const startTls: Command = {
  needs: "nothing",
  run: async ({ server, peer, account }) => {
    const isStripped = server.faults.take("startTlsStripped", "STARTTLS") !== undefined;
    if (peer.isEncrypted || account || isStripped) return "BAD Not now";
    return "OK Begin";
  },
};

export const signInCommands: Readonly<Record<string, Command>> = {
  LOGIN: login,
  AUTHENTICATE: authenticate,
  STARTTLS: startTls,
};

const toBase64 = (text: string): string => Buffer.from(text).toString("base64");
const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("utf8");
