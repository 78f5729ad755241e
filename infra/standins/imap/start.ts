import { once } from "node:events";
import { createServer, type Server as NetServer, type Socket } from "node:net";
import { StandInError } from "../stand-in-error.ts";
import { Faults, type WrongCertificate } from "./faults.ts";
import type { Imap, ImapOptions, SeenCommand } from "./imap.ts";
import { Connection } from "./session/connection.ts";
import type { Server } from "./session/session.ts";
import { Account } from "./store/account.ts";
import { type Certificate, makeCertificate } from "./tls/certificate.ts";

const host = "127.0.0.1";
const dayMs = 86_400_000;
const someone = { user: "ada@example.com", password: "secret" };

/**
 * A mail server on 127.0.0.1 that speaks IMAP4rev1 (RFC 3501) with what clients use of its extensions: UIDPLUS, MOVE,
 * CONDSTORE and QRESYNC, IDLE, SPECIAL-USE, SASL-IR with XOAUTH2, STARTTLS and TLS from the start. Written from the RFCs,
 * with the faults of {@link Faults}. Throws StandInError.
 */
export async function startImap(options: ImapOptions = {}): Promise<Imap> {
  const { users = [someone], without = [], plainSignIn = true, clock = Date.now } = options;
  const accounts = new Map(users.map(({ user }) => [user, new Account(clock)]));
  const account = (user = users[0]?.user ?? ""): Account => {
    const found = accounts.get(user);
    if (found === undefined) throw new TypeError(`There is no user ${user}`);
    return found;
  };
  const faults = new Faults();
  const server: Server = { users, without: new Set(without), plainSignIn, faults, account };
  const certificates = certificatesFor(clock());
  const open = new Set<Connection>();
  const seen: SeenCommand[] = [];
  const waiting = new Set<() => void>();
  /** Resolves once it is so; asked again after every command and every connection that ends. */
  const when = (isSo: () => boolean): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (!isSo()) return;
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
    look();
    return promise;
  };
  const lookAgain = () => {
    for (const look of waiting) look();
  };

  function accept(socket: Socket, isEncrypted: boolean): void {
    const connection = new Connection(socket, {
      server,
      certificate: () => {
        const fault = faults.take("wrongCertificate");
        return fault ? certificates.wrong[fault.how] : certificates.good;
      },
      isEncrypted,
      onCommand: (name, encrypted) => {
        seen.push({ name, isEncrypted: encrypted });
        lookAgain();
      },
    });
    const isFull = open.size >= (options.maxConnections ?? Number.POSITIVE_INFINITY);
    open.add(connection);
    const greeting = isFull ? "* BYE [ALERT] Too many simultaneous connections" : greetingOf(faults);
    void connection.serve(greeting).finally(() => {
      open.delete(connection);
      lookAgain();
    });
  }

  const [plain, encrypted] = await Promise.all([
    listen((socket) => accept(socket, false), options.port),
    listen((socket) => accept(socket, true), options.tlsPort),
  ]);
  return {
    host,
    port: portOf(plain),
    tlsPort: portOf(encrypted),
    ca: certificates.ca,
    faults,
    account,
    connections: () => open.size,
    seen: () => [...seen],
    whenSeen: (name, times = 1) => when(() => seen.filter((each) => each.name === name).length >= times),
    whenUnconnected: () => when(() => open.size === 0),
    cutAll: () => {
      for (const connection of open) connection.destroy();
    },
    async close() {
      for (const connection of open) connection.destroy();
      await Promise.all([plain, encrypted].map((each) => new Promise((resolve) => each.close(resolve))));
    },
  };
}

/** What is said first; `undefined` for a server that is silent. */
function greetingOf(faults: Faults): string | undefined {
  const bye = faults.take("greetsWithBye");
  if (bye) return `* BYE ${bye.text ?? "Not now"}`;
  return faults.take("silent", "") ? undefined : "* OK IMAP4rev1 stand-in";
}

/** Certificates by what is wrong with them, and what a client trusts: all but the one of an authority nobody knows. */
function certificatesFor(nowMs: number) {
  const own = ["localhost", host];
  const good = makeCertificate(own, nowMs + 365 * dayMs, nowMs);
  const wrong: Readonly<Record<WrongCertificate, Certificate>> = {
    otherName: makeCertificate(["mail.example.net"], nowMs + 365 * dayMs, nowMs),
    expired: makeCertificate(own, nowMs - dayMs, nowMs),
    untrusted: makeCertificate(own, nowMs + 365 * dayMs, nowMs),
  };
  return { good, wrong, ca: [good, wrong.otherName, wrong.expired].map(({ cert }) => cert).join("") };
}

async function listen(accept: (socket: Socket) => void, port = 0): Promise<NetServer> {
  const server = createServer({ noDelay: true }, accept);
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new StandInError("port_taken", `Port ${port} on ${host} is taken.`, error);
  }
  return server;
}

function portOf(server: NetServer): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
