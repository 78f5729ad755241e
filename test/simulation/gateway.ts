import type { SocketLike } from "../../device/connection/socket.ts";
import type { ServerFrame } from "../../events/frames/frames.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import type { TicketHolder } from "../../shared/devices/ticket.ts";
import type { Simulation } from "./simulation.ts";

/** What the gateway calls: functions of the cloud. */
export interface GatewayRoutes {
  /** The authorizer: whose ticket it is, or undefined when it is refused. */
  authorize(ticket: string): Promise<TicketHolder | undefined>;
  /** False when the function died, which API Gateway tells the client. */
  message(from: TicketHolder & { connectionId: string }, text: string): Promise<boolean>;
  disconnected(from: TicketHolder & { connectionId: string }): void;
}

interface OpenSocket extends TicketHolder {
  readonly connectionId: string;
  readonly client: SimulatedSocket;
  /** The gateway's view. A client may be gone long before the gateway knows. */
  open: boolean;
  clientLives: boolean;
  /** Frames arrive in the order in which they were accepted, each way. */
  downAtMs: number;
  upAtMs: number;
}

/** After this long without a sign of life the gateway gives a connection up. */
const noticedMs = socketLimits.idleMs;

/** The WebSocket API: admission by ticket, frames both ways, 410, connections that break and nobody is told. */
export class Gateway {
  readonly sockets = new Map<string, OpenSocket>();
  readonly #sim: Simulation;
  readonly #routes: GatewayRoutes;
  #serial = 0;

  constructor(sim: Simulation, routes: GatewayRoutes) {
    this.#sim = sim;
    this.#routes = routes;
  }

  /** A class of sockets that reach this gateway for as long as the device that opens them lives. */
  socketClass(deviceLives: () => boolean): new (url: string) => SimulatedSocket {
    const admit = (socket: SimulatedSocket, url: string) => void this.#admit(socket, url);
    return class extends SimulatedSocket {
      constructor(url: string) {
        super(deviceLives);
        admit(this, url);
      }
    };
  }

  /** One frame from the cloud. Whether the client still hears it is not known here. */
  post(connectionId: string, frame: ServerFrame): "sent" | "gone" {
    const socket = this.sockets.get(connectionId);
    if (!socket?.open) return "gone";
    if (this.#sim.faults.strikes("gone_410")) {
      this.close(socket);
      return "gone";
    }
    if (this.#sim.faults.strikes("cut_connection")) this.cut(socket);
    this.#down(socket, JSON.stringify(frame));
    return "sent";
  }

  /** The connection breaks: what is on its way is lost, and each side notices in its own time. */
  cut(socket: OpenSocket): void {
    socket.clientLives = false;
    this.#sim.trace(`connection ${socket.connectionId} breaks`);
    const { random } = this.#sim;
    // A client that is not told finds out by its next ping.
    if (random.chance(0.7)) this.#sim.after(random.int(10, 60_000), "client sees close", () => socket.client.closed());
    this.#sim.after(random.int(10, noticedMs), "gateway sees close", () => this.close(socket));
  }

  /** The gateway ends the connection; `$disconnect` may be lost. */
  close(socket: OpenSocket): void {
    if (!socket.open) return;
    socket.open = false;
    if (socket.clientLives) this.#sim.after(this.#latencyMs(), "client sees close", () => socket.client.closed());
    socket.clientLives = false;
    const { userId, deviceId, connectionId } = socket;
    if (!this.#sim.faults.strikes("lost_disconnect")) this.#routes.disconnected({ userId, deviceId, connectionId });
  }

  async #admit(client: SimulatedSocket, url: string): Promise<void> {
    const holder = await this.#routes.authorize(new URL(url).searchParams.get("ticket") ?? "");
    if (!holder) {
      this.#sim.after(this.#latencyMs(), "client refused", () => client.closed());
      return;
    }
    this.#serial += 1;
    const socket: OpenSocket = {
      ...holder,
      connectionId: `c${this.#serial}`,
      client,
      open: true,
      clientLives: true,
      downAtMs: 0,
      upAtMs: 0,
    };
    this.sockets.set(socket.connectionId, socket);
    client.onSend = (text) => this.#up(socket, text);
    client.onClose = () => {
      socket.clientLives = false;
      this.#sim.after(this.#latencyMs(), "client sees close", () => client.closed());
      this.#sim.after(this.#latencyMs(), "gateway sees close", () => this.close(socket));
    };
    client.onVanish = () => this.cut(socket);
    this.#sim.after(socketLimits.lifeMs, `connection ${socket.connectionId} is two hours old`, () =>
      this.close(socket),
    );
    this.#sim.after(this.#latencyMs(), `connection ${socket.connectionId} opens`, () => client.opened());
  }

  #up(socket: OpenSocket, text: string): void {
    if (!socket.clientLives) return;
    if (this.#sim.faults.strikes("cut_connection")) {
      this.cut(socket);
      return;
    }
    socket.upAtMs = Math.max(socket.upAtMs, this.#sim.nowMs + this.#latencyMs());
    this.#sim.after(socket.upAtMs - this.#sim.nowMs, `frame from ${socket.connectionId}`, () => {
      if (!socket.open) return;
      const { userId, deviceId, connectionId } = socket;
      void this.#routes.message({ userId, deviceId, connectionId }, text).then((survived) => {
        if (!survived && socket.open) this.#down(socket, failureNotice(connectionId));
      });
    });
  }

  #down(socket: OpenSocket, text: string): void {
    socket.downAtMs = Math.max(socket.downAtMs, this.#sim.nowMs + this.#latencyMs());
    this.#sim.after(socket.downAtMs - this.#sim.nowMs, `frame to ${socket.connectionId}`, () => {
      if (socket.clientLives) socket.client.received(text);
    });
  }

  #latencyMs(): number {
    return this.#sim.random.int(1, 120);
  }
}

/** What API Gateway sends when the function behind a frame failed. */
function failureNotice(connectionId: string): string {
  return JSON.stringify({ message: "Internal server error", connectionId, requestId: "r" });
}

/** A device's end of a connection. */
export class SimulatedSocket implements SocketLike {
  readonly bufferedAmount = 0;
  onopen: SocketLike["onopen"] = null;
  onmessage: SocketLike["onmessage"] = null;
  onclose: SocketLike["onclose"] = null;
  onerror: SocketLike["onerror"] = null;
  onSend = (_text: string): void => {};
  onClose = (): void => this.closed();
  onVanish = (): void => {};
  readonly #deviceLives: () => boolean;
  #closed = false;

  constructor(deviceLives: () => boolean) {
    this.#deviceLives = deviceLives;
  }

  send(text: string): void {
    if (!this.#closed) this.onSend(text);
  }

  close(): void {
    if (!this.#closed) this.onClose();
  }

  terminate(): void {
    this.onVanish();
    this.closed();
  }

  opened(): void {
    if (this.#deviceLives() && !this.#closed) this.onopen?.({} as never);
  }

  received(text: string): void {
    if (this.#deviceLives() && !this.#closed) this.onmessage?.({ data: text } as never);
  }

  closed(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#deviceLives()) this.onclose?.({} as never);
  }
}
