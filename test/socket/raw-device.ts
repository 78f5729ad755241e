import { ulid } from "ulidx";
import { WebSocket } from "ws";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { isGatewayFailure } from "../../device/connection/inbox.ts";
import { ticketedAddress as newAddress } from "../../device/connection/ticket.ts";
import { type ServerFrame, serverFrame } from "../../events/frames/frames.ts";
import { type DeviceId, deviceId, type FrameId, frameId } from "../../events/ids.ts";

export const newFrameId = (): FrameId => frameId.parse(`frm_${ulid()}`);
export const newDeviceId = (): DeviceId => deviceId.parse(`dev_${ulid()}`);

type FrameOf<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

/** A program that speaks the protocol by hand: it sends what it is told to and keeps what it hears. */
export class RawDevice {
  readonly deviceId: DeviceId;
  readonly heard: ServerFrame[] = [];
  /** The close code, once the connection has ended. */
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #looking = new Set<(frame: ServerFrame | undefined) => void>();

  private constructor(socket: WebSocket, device: DeviceId) {
    this.#socket = socket;
    this.deviceId = device;
    this.closed = new Promise((resolve) => {
      socket.on("close", (code) => {
        resolve(code);
        for (const look of this.#looking) look(undefined);
      });
    });
    socket.on("message", (data) => {
      const text = data.toString();
      // A function died over one of the frames: like the real client's, this connection is given up.
      if (isGatewayFailure(text)) return socket.terminate();
      const frame = serverFrame.parse(JSON.parse(text));
      this.heard.push(frame);
      for (const look of this.#looking) look(frame);
    });
    socket.on("error", () => {});
  }

  /** Opens a socket on an address that carries a ticket. @throws Error with the status of a refused upgrade */
  static async on(address: string, device = newDeviceId()): Promise<RawDevice> {
    const socket = new WebSocket(address, { perMessageDeflate: false });
    const raw = new RawDevice(socket, device);
    await new Promise<void>((resolve, reject) => {
      socket.on("open", resolve);
      socket.on("unexpected-response", (_, { statusCode }) => reject(new Error(`refused ${statusCode}`)));
      socket.on("error", reject);
    });
    return raw;
  }

  /** Buys a ticket and opens a socket. */
  static async open(api: CloudApi, device = newDeviceId()): Promise<RawDevice> {
    return RawDevice.on(await ticketedAddress(api, device), device);
  }

  /** Opens a socket and says hello. */
  static async ready(api: CloudApi, device = newDeviceId()): Promise<RawDevice> {
    const raw = await RawDevice.open(api, device);
    await raw.ask("session_ready", { type: "hello", protocol: 1, deviceId: device });
    return raw;
  }

  sendText(text: string): void {
    this.#socket.send(text);
  }

  sendBytes(bytes: Buffer): void {
    this.#socket.send(bytes, { binary: true });
  }

  /** Leaves whatever comes where it is. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** A message in frames of this size. */
  sendFragmented(text: string, frameBytes: number): void {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += frameBytes) {
      const piece = bytes.subarray(at, at + frameBytes);
      this.#socket.send(piece, { binary: false, fin: at + frameBytes >= bytes.length });
    }
  }

  /** Sends a frame under a new id, which is returned. */
  say(frame: object): FrameId {
    const id = newFrameId();
    this.sendText(JSON.stringify({ id, ...frame }));
    return id;
  }

  /** Sends a frame and waits for the answer to it. @throws Error when another answer or the end comes instead */
  async ask<T extends ServerFrame["type"]>(type: T, frame: object): Promise<FrameOf<T>> {
    const id = newFrameId();
    const answer = this.next((each) => "inReplyTo" in each && each.inReplyTo === id);
    this.sendText(JSON.stringify({ id, ...frame }));
    const got = await answer;
    if (!isA(type, got)) throw new Error(`${got.type} instead of ${type}: ${JSON.stringify(got)}`);
    return got;
  }

  /** The next frame, from now on, of which the condition holds. */
  next(holds: (frame: ServerFrame) => boolean): Promise<ServerFrame> {
    return new Promise((resolve, reject) => {
      const look = (frame: ServerFrame | undefined) => {
        if (frame !== undefined && !holds(frame)) return;
        this.#looking.delete(look);
        if (frame === undefined) reject(new Error("the connection ended"));
        else resolve(frame);
      };
      this.#looking.add(look);
    });
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  terminate(): void {
    this.#socket.terminate();
  }
}

function isA<T extends ServerFrame["type"]>(type: T, frame: ServerFrame): frame is FrameOf<T> {
  return frame.type === type;
}

export function ticketedAddress(api: CloudApi, device: DeviceId): Promise<string> {
  return newAddress(api, device, new AbortController().signal);
}
