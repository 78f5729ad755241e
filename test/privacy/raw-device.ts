import { once } from "node:events";
import { ulid } from "ulidx";
import WebSocket from "ws";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { ticketResponse } from "../../events/http/device.ts";

type Frame = Readonly<Record<string, unknown>>;

/** Where a device finds its cloud. */
export interface Reachable {
  readonly api: CloudApi;
}

/** A device that sends what it likes: one socket, its frames as they came. */
export interface RawDevice {
  readonly deviceId: string;
  readonly ticket: string;
  send(frame: object): void;
  /** Bytes as they are, in a text frame or a binary one. */
  sendRaw(data: string | Buffer): void;
  /** The next frame of that type that nobody has been given yet. */
  next(type: string): Promise<Frame>;
  /** Resolves when the gateway has closed the socket. */
  closed(): Promise<void>;
  close(reason?: string): Promise<void>;
}

export const frameId = () => `frm_${ulid()}`;

export async function askForTicket({ api }: Reachable, deviceId: string, token: string) {
  const answer = await fetch(`${api.apiUrl}/api/v1/device/tickets`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ deviceId }),
  });
  return ticketResponse.parse(await answer.json());
}

export async function connectRaw(
  system: Reachable,
  headers: Record<string, string> = {},
  deviceId = `dev_${ulid()}`,
): Promise<RawDevice> {
  const { ticket, socketUrl } = await askForTicket(system, deviceId, await system.api.auth());
  const socket = new WebSocket(`${socketUrl}?ticket=${ticket}`, { headers });
  const closed = once(socket, "close");
  const received: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    received.push(JSON.parse(String(data)));
    for (const check of waiting) check();
  });
  await once(socket, "open");
  return {
    deviceId,
    ticket,
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendRaw: (data) => socket.send(data),
    next(type) {
      const { promise, resolve } = Promise.withResolvers<Frame>();
      const check = () => {
        const index = received.findIndex((frame) => frame["type"] === type);
        const [frame] = index < 0 ? [] : received.splice(index, 1);
        if (frame === undefined) return;
        waiting.delete(check);
        resolve(frame);
      };
      waiting.add(check);
      check();
      return promise;
    },
    async closed() {
      await closed;
    },
    async close(reason) {
      socket.close(1000, reason);
      await closed;
    },
  };
}

/** The HTTP status with which a WebSocket handshake is refused. */
export async function refusalOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(url, { headers });
  const { promise, resolve } = Promise.withResolvers<number>();
  socket.on("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
  socket.on("open", () => resolve(101));
  socket.on("error", () => {});
  const status = await promise;
  socket.terminate();
  return status;
}
