import WebSocket from "ws";
import { socketLimits } from "../../events/frames/limits.ts";
import type { Clock } from "./clock.ts";
import { closeMs, congestedBytes, openMs, tcpKeepAliveMs } from "./timing.ts";

/** What the client needs of a WebSocket; the WHATWG class of browsers and Node, and that of `ws`, both have it. */
export interface SocketLike {
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number): void;
  /** Ends the connection without the closing handshake, where the implementation can. */
  terminate?(): void;
}
export type SocketConstructor = new (url: string) => SocketLike;

/**
 * `ws` rather than Node's own WebSocket: it can be terminated when the other side has gone silent, bounds what it
 * receives before it is in memory, and leaves compression out of a connection that carries secrets (CRIME, BREACH).
 */
export class DeviceSocket extends WebSocket {
  constructor(url: string) {
    super(url, {
      maxPayload: socketLimits.messageBytes,
      perMessageDeflate: false,
      handshakeTimeout: openMs,
      followRedirects: false,
    });
    this.once("upgrade", ({ socket }) => socket.setKeepAlive(true, tcpKeepAliveMs));
  }
}

export interface SocketHandlers {
  onOpen(): void;
  onText(text: string): void;
  /** Called once, however the connection ended; nothing is called after it. */
  onEnd(): void;
}

/** One socket from opening to end. */
export interface OpenSocket {
  send(text: string): void;
  readonly congested: boolean;
  /** Ends it now: `onEnd` is called before this returns. The promise resolves when the socket is really gone. */
  end(): Promise<void>;
}

/** Opens a socket and reduces its events to {@link SocketHandlers}. */
export function openSocket(url: string, Socket: SocketConstructor, clock: Clock, handlers: SocketHandlers): OpenSocket {
  const socket = new Socket(url);
  const gone = Promise.withResolvers<void>();
  let ended = false;

  const finish = () => {
    if (ended) return;
    ended = true;
    cancelOpenTimeout();
    handlers.onEnd();
  };
  const end = () => {
    finish();
    const cancel = clock.after(closeMs, () => {
      socket.terminate?.();
      gone.resolve();
    });
    gone.promise.then(cancel);
    socket.close(1000);
    return gone.promise;
  };
  const cancelOpenTimeout = clock.after(openMs, () => void end());

  socket.onopen = () => {
    cancelOpenTimeout();
    if (!ended) handlers.onOpen();
  };
  socket.onmessage = (event: { data: unknown }) => {
    if (!ended) handlers.onText(typeof event.data === "string" ? event.data : "");
  };
  // Every failure is followed by a close (WHATWG WebSockets §3, `ws` alike).
  socket.onerror = () => {};
  socket.onclose = () => {
    gone.resolve();
    finish();
  };

  return {
    send: (text) => socket.send(text),
    get congested() {
      return socket.bufferedAmount > congestedBytes;
    },
    end,
  };
}
