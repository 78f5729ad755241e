import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";

export interface ScriptedMessage {
  uid: number;
  raw: string;
  flags?: readonly string[];
  /** As it stands on the wire; `NIL` for none. */
  internalDate?: string;
  sizeBytes?: number;
}

export interface ScriptedFolder {
  validity: number;
  uidNext: number;
  messages: ScriptedMessage[];
}

/** A command as it came, and ways to answer it otherwise than a good server would. */
export interface Command {
  readonly tag: string;
  readonly name: string;
  readonly args: string;
  readonly socket: Socket;
  /** How many commands the connection has seen, this one included. */
  readonly count: number;
}

export interface Scripted {
  readonly port: number;
  readonly folders: Map<string, ScriptedFolder>;
  /** Every line a client has sent. */
  readonly heard: string[];
  readonly connections: () => number;
  greeting: string;
  capabilities: string;
  /** @returns whether it has answered */
  override: ((command: Command) => boolean) | undefined;
  close(): Promise<void>;
}

export const june = "01-Jun-2026 10:00:00 +0000";

export function letter(subject: string, id = `<${subject}@example.org>`): string {
  const lines = [
    `Message-ID: ${id}`,
    "From: Ada <ada@example.org>",
    `Subject: ${subject}`,
    "",
    `It says ${subject}.`,
    "",
  ];
  return lines.join("\r\n");
}

/** A small IMAP server that does what a test tells it, wrong things above all; what it does right is just enough. */
export async function startScripted(tls?: { key: string; cert: string }): Promise<Scripted> {
  const sockets = new Set<Socket>();
  const inbox: ScriptedFolder = { validity: 7, uidNext: 1, messages: [] };
  let connections = 0;
  const scripted = {
    folders: new Map([["INBOX", inbox]]),
    heard: [] as string[],
    greeting: "* OK ready",
    capabilities: "IMAP4rev1 MOVE UIDPLUS",
    override: undefined as Scripted["override"],
  };
  const serve = (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    socket.write(`${scripted.greeting}\r\n`);
    const session = { count: 0, selected: inbox };
    let pending = "";
    socket.on("data", (chunk: Buffer) => {
      pending += chunk.toString("latin1");
      for (let end = pending.indexOf("\r\n"); end >= 0; end = pending.indexOf("\r\n")) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        scripted.heard.push(line);
        session.count += 1;
        const [, tag = "", name = "", args = ""] = /^(\S+) ((?:UID )?\S+) ?(.*)$/.exec(line) ?? [];
        const command = { tag, name: name.toUpperCase(), args, socket, count: session.count };
        if (!scripted.override?.(command)) answer(scripted, command, session);
      }
    });
  };
  const server: Server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return Object.assign(scripted, {
    port: typeof address === "object" && address ? address.port : 0,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function answer(
  { folders, capabilities }: Pick<Scripted, "folders" | "capabilities">,
  { tag, name, args, socket }: Command,
  session: { selected: ScriptedFolder },
): void {
  const say = (...lines: string[]) => socket.write(`${lines.join("\r\n")}\r\n`);
  const done = `${tag} OK done`;
  switch (name) {
    case "CAPABILITY":
      return void say(`* CAPABILITY ${capabilities}`, done);
    case "NAMESPACE":
      return void say('* NAMESPACE (("" "/")) NIL NIL', done);
    case "LIST":
    case "LSUB":
      if (args === '"" ""') return void say('* LIST (\\Noselect) "/" ""', done);
      return void say(...[...folders.keys()].map((path) => `* ${name} () "/" "${path}"`), done);
    case "SELECT":
    case "EXAMINE": {
      const folder = folders.get(args.replace(/^"(.*)"$/, "$1"));
      if (!folder) return void say(`${tag} NO no such folder`);
      session.selected = folder;
      return void say(
        `* ${folder.messages.length} EXISTS`,
        `* OK [UIDVALIDITY ${folder.validity}] ok`,
        `* OK [UIDNEXT ${folder.uidNext}] ok`,
        done,
      );
    }
    case "STATUS":
      return void say(`* STATUS ${args.split(" ")[0]} (UNSEEN ${session.selected.messages.length})`, done);
    case "UID SEARCH": {
      const { messages } = session.selected;
      const range = /\bUID (\d+):(\d+|\*)/.exec(args);
      const [from, to] = [
        Number(range?.[1] ?? 0),
        range?.[2] === "*" || !range ? Number.POSITIVE_INFINITY : Number(range[2]),
      ];
      const larger = Number(/LARGER (\d+)/.exec(args)?.[1] ?? -1);
      const smaller = Number(/SMALLER (\d+)/.exec(args)?.[1] ?? Number.POSITIVE_INFINITY);
      const found = messages.filter(
        (each) => each.uid >= from && each.uid <= to && sizeOf(each) > larger && sizeOf(each) < smaller,
      );
      return void say(`* SEARCH ${found.map(({ uid }) => uid).join(" ")}`.trimEnd(), done);
    }
    case "UID FETCH": {
      const [set = "", ...items] = args.split(" ");
      const wanted = new Set(set.split(",").map(Number));
      const { messages } = session.selected;
      messages.forEach((message, index) => {
        if (wanted.has(message.uid)) socket.write(fetched(message, index + 1, items.join(" ")));
      });
      return void say(done);
    }
    case "LOGOUT":
      say("* BYE bye", done);
      return void socket.end();
    default:
      return void say(done);
  }
}

export const sizeOf = ({ raw, sizeBytes }: ScriptedMessage): number => sizeBytes ?? Buffer.byteLength(raw);

function fetched(message: ScriptedMessage, sequence: number, items: string): string {
  const { uid, raw, flags = [], internalDate = june } = message;
  const end = raw.indexOf("\r\n\r\n");
  const [header, body] = [raw.slice(0, end + 4), raw.slice(end + 4)];
  const literal = (text: string) => `{${Buffer.byteLength(text)}}\r\n${text}`;
  const parts = [`UID ${uid}`];
  if (items.includes("FLAGS")) parts.push(`FLAGS (${flags.join(" ")})`);
  if (items.includes("INTERNALDATE"))
    parts.push(`INTERNALDATE ${internalDate === "NIL" ? "NIL" : `"${internalDate}"`}`);
  if (items.includes("RFC822.SIZE")) parts.push(`RFC822.SIZE ${sizeOf(message)}`);
  if (items.includes("BODYSTRUCTURE")) {
    parts.push(
      `BODYSTRUCTURE ("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "8BIT" ${Buffer.byteLength(body)} 2 NIL NIL NIL NIL)`,
    );
  }
  const [, names] = /HEADER\.FIELDS \(([^)]*)\)/.exec(items) ?? [];
  if (names !== undefined) {
    const told = names
      .split(" ")
      .flatMap((name) => new RegExp(`^${name}:.*(?:\\r\\n[ \\t].*)*$`, "im").exec(header)?.[0] ?? []);
    parts.push(`BODY[HEADER.FIELDS (${names})] ${literal(`${[...told, ""].join("\r\n")}\r\n`)}`);
  } else if (items.includes("[HEADER]")) {
    parts.push(`BODY[HEADER]<0> ${literal(header.slice(0, Number(/\[HEADER\]<0\.(\d+)>/.exec(items)?.[1] ?? 1e9)))}`);
  }
  const part = /\[1\]<0\.(\d+)>/.exec(items);
  if (part) parts.push(`BODY[1]<0> ${literal(body.slice(0, Number(part[1])))}`);
  const source = /\[\]<0\.(\d+)>/.exec(items);
  if (source) parts.push(`BODY[]<0> ${literal(raw.slice(0, Number(source[1])))}`);
  return `* ${sequence} FETCH (${parts.join(" ")})\r\n`;
}
