import { once } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { onTestFinished } from "vitest";
import type { Imap, ImapOptions } from "../../../infra/standins/imap/imap.ts";
import { startImap } from "../../../infra/standins/imap/start.ts";

export interface Answer {
  /** Lines that came before the end, literals within. */
  readonly untagged: readonly string[];
  /** What follows the tag. */
  readonly completion: string;
}

/** A server that is gone when the test is over. */
export async function imapServer(options: ImapOptions = {}): Promise<Imap> {
  const imap = await startImap(options);
  onTestFinished(() => imap.close());
  return imap;
}

/** Sends what it is told and reads by the grammar of answers, nothing more. Bytes are latin1 characters. */
export class RawClient {
  #socket: Socket;
  #text = "";
  #tags = 0;
  #isClosed = false;
  #waiting: () => void = () => {};

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#listen();
    onTestFinished(() => void this.#socket.destroy());
  }

  static async plain(imap: Imap): Promise<RawClient> {
    const client = new RawClient(connectPlain(imap.port, imap.host));
    return client;
  }

  /** @throws when the server's certificate is not for `localhost`, or not to be trusted */
  static async encrypted(imap: Imap): Promise<RawClient> {
    const socket = connectTls({ port: imap.tlsPort, host: imap.host, servername: "localhost", ca: imap.ca });
    await once(socket, "secureConnect");
    return new RawClient(socket);
  }

  /** Signed in, with a folder open. */
  static async in(imap: Imap, folder = "INBOX", user = "ada@example.com"): Promise<RawClient> {
    const client = await RawClient.plain(imap);
    await client.line();
    await client.ask(`LOGIN ${user} secret`);
    await client.ask(`SELECT ${folder}`);
    return client;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(text: string): void {
    this.#socket.write(Buffer.from(text, "latin1"));
  }

  async ask(command: string): Promise<Answer> {
    this.#tags += 1;
    const tag = `t${this.#tags}`;
    this.write(`${tag} ${command}\r\n`);
    const untagged: string[] = [];
    for (;;) {
      const line = await this.line();
      if (line.startsWith(`${tag} `)) return { untagged, completion: line.slice(tag.length + 1) };
      untagged.push(line);
    }
  }

  /** The next line, its literals within. @throws when the connection is closed before */
  async line(): Promise<string> {
    for (;;) {
      const line = this.#next();
      if (line !== undefined) return line;
      if (this.#isClosed) throw new Error(`closed, after ${JSON.stringify(this.#text)}`);
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }

  /** What came and was not read, when the connection is closed. */
  async end(): Promise<string> {
    while (!this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    return this.#text;
  }

  /** Goes on encrypted. @throws as {@link RawClient.encrypted} */
  async startTls(imap: Imap): Promise<void> {
    const { completion } = await this.ask("STARTTLS");
    if (!completion.startsWith("OK")) throw new Error(completion);
    this.#socket.removeAllListeners();
    const socket = connectTls({ socket: this.#socket, servername: "localhost", ca: imap.ca });
    await once(socket, "secureConnect");
    this.#socket = socket;
    this.#listen();
  }

  #listen(): void {
    this.#socket.on("data", (chunk: Buffer) => {
      this.#text += chunk.toString("latin1");
      this.#waiting();
    });
    this.#socket.on("close", () => {
      this.#isClosed = true;
      this.#waiting();
    });
    this.#socket.on("error", () => this.#socket.destroy());
  }

  #next(): string | undefined {
    let from = 0;
    for (;;) {
      const end = this.#text.indexOf("\r\n", from);
      if (end < 0) return undefined;
      const [, length] = /\{(\d+)\}$/.exec(this.#text.slice(from, end)) ?? [];
      if (length === undefined) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return line;
      }
      from = end + 2 + Number(length);
      if (this.#text.length < from) return undefined;
    }
  }
}

/** A message with text, a file and a message in it. */
export function mail(n: number, change: Readonly<Record<string, string>> = {}): Buffer {
  const header = {
    From: '"Bea, Lind" <bea@example.org>',
    To: "Ada <ada@example.com>, team: x@example.org, y@example.org;",
    Subject: `=?utf-8?q?Gr=C3=BC=C3=9Fe?= ${n}`,
    Date: `Fri, 20 Nov 2026 09:00:${String(n % 60).padStart(2, "0")} +0000`,
    "Message-ID": `<m${n}@example.org>`,
    References: "<a@example.org>\r\n <b@example.org>",
    "MIME-Version": "1.0",
    "Content-Type": 'multipart/mixed; boundary="limit"',
    ...change,
  };
  const lines = [
    ...Object.entries(header).map(([name, value]) => `${name}: ${value}`),
    "",
    "preamble",
    "--limit",
    "Content-Type: text/plain; charset=utf-8",
    "",
    `Hello ${n}`,
    "",
    "--limit",
    'Content-Type: application/pdf; name="plan.pdf"',
    'Content-Disposition: attachment; filename="plan.pdf"',
    "Content-Transfer-Encoding: base64",
    "",
    "AAAA",
    "--limit",
    "Content-Type: message/rfc822",
    "",
    "Subject: inner",
    "From: c@example.org",
    "",
    "inner text",
    "--limit--",
    "",
  ];
  return Buffer.from(lines.join("\r\n"), "latin1");
}
