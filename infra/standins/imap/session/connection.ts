import type { Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import type { Certificate } from "../tls/certificate.ts";
import { CommandReader, type Received } from "../wire/command-reader.ts";
import { answerLine } from "./answer.ts";
import { Cut } from "./cut.ts";
import type { Peer, Server, Session } from "./session.ts";

export interface ConnectionOptions {
  readonly server: Server;
  /** The certificate to be shown now. */
  readonly certificate: () => Certificate;
  readonly isEncrypted: boolean;
  readonly onCommand: (name: string, isEncrypted: boolean) => void;
}

/** One client: its socket, from the greeting to the end. */
export class Connection implements Peer {
  readonly #options: ConnectionOptions;
  readonly #reader = new CommandReader();
  #socket: Socket;
  #isEncrypted = false;
  #isCutting = false;
  /** Whoever waits for bytes, or for the end. */
  readonly #waiting = new Set<() => void>();

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#options = options;
    this.#socket = socket;
    if (options.isEncrypted) this.#encrypt();
    else this.#listen();
  }

  get isEncrypted(): boolean {
    return this.#isEncrypted;
  }

  /** Greets, answers and ends. @param greeting what is said first; nothing for a server that is silent */
  async serve(greeting: string | undefined): Promise<void> {
    const { server } = this.#options;
    const session: Session = {
      server,
      peer: this,
      account: undefined,
      selected: undefined,
      enabled: new Set(),
      isOver: greeting?.startsWith("* BYE") ?? false,
    };
    try {
      if (greeting === undefined) await this.silence();
      else await this.send(greeting);
      while (!session.isOver) await this.#answerNext(session);
      this.#socket.end();
    } catch (error) {
      this.#socket.destroy();
      if (!(error instanceof Cut)) throw error;
    }
  }

  async send(line: string | Buffer): Promise<void> {
    const bytes = Buffer.concat([typeof line === "string" ? Buffer.from(line, "latin1") : line, Buffer.from("\r\n")]);
    const slow = this.#options.server.faults.take("slow");
    if (this.#isCutting) {
      await this.#write(bytes.subarray(0, bytes.length >> 1));
      throw new Cut();
    }
    if (slow === undefined) return this.#write(bytes);
    for (const byte of bytes) {
      await this.#write(Buffer.from([byte]));
      await this.#pause(1_000 / slow.bytesPerSecond);
    }
  }

  async line(): Promise<string | undefined> {
    const received = await this.#take();
    return received?.kind === "line" ? received.bytes.toString("utf8") : undefined;
  }

  async silence(): Promise<void> {
    while (!this.#socket.destroyed) await this.#until();
    throw new Cut();
  }

  cutNext(): void {
    this.#isCutting = true;
  }

  /** Ends it, whatever it is doing. */
  destroy(): void {
    this.#socket.destroy();
    this.#wake();
  }

  async #answerNext(session: Session): Promise<void> {
    const received = await this.#take();
    if (received === undefined) throw new Cut();
    if (received.kind === "tooLong") {
      await this.send("* BAD That is too long");
      session.isOver = true;
    } else if (received.kind === "line") {
      const { onCommand } = this.#options;
      const encrypts = await answerLine(session, received.bytes, (name) => onCommand(name, this.#isEncrypted));
      if (encrypts) this.#encrypt();
    }
  }

  /** What comes next; `undefined` when nothing does. A literal that is announced is asked for. */
  async #take(): Promise<Received | undefined> {
    for (;;) {
      const received = this.#reader.next();
      if (received?.kind === "literal") await this.send("+ Go on");
      else if (received !== undefined) return received;
      if (this.#socket.destroyed || this.#socket.readableEnded) return undefined;
      await this.#until();
    }
  }

  /** Resolves when something has come, or the connection is closed. */
  #until(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    return promise.finally(() => this.#waiting.delete(resolve));
  }

  /** Resolves when the time is over, or the connection is closed. */
  #pause(durationMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, durationMs);
    const socket = this.#socket.once("close", resolve);
    return promise.finally(() => {
      clearTimeout(timer);
      socket.off("close", resolve);
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#socket.destroyed) throw new Cut();
    if (this.#socket.write(bytes)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = this.#socket.once("drain", resolve).once("close", resolve);
    await promise;
    socket.off("drain", resolve).off("close", resolve);
  }

  #listen(): void {
    this.#socket
      .on("data", (chunk: Buffer) => {
        this.#reader.push(chunk);
        this.#wake();
      })
      .on("close", () => this.#wake())
      .on("end", () => this.#wake())
      // A client that goes without a word is a client that has gone.
      .on("error", () => this.#socket.destroy());
  }

  /** RFC 3501 §6.2.1: whatever was sent before is forgotten. */
  #encrypt(): void {
    const { certificate } = this.#options;
    const plain = this.#socket.removeAllListeners("data").removeAllListeners("end");
    this.#reader.discard();
    this.#socket = new TLSSocket(plain, { isServer: true, secureContext: createSecureContext({ ...certificate() }) });
    this.#isEncrypted = true;
    this.#listen();
  }
}
