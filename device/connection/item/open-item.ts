import type { DeviceId, FrameId, ProposalId } from "../../../events/ids.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { DeviceError, isDeviceError } from "../../errors.ts";
import { newFrameId as defaultFrameId } from "../../store/decide.ts";
import { type BackoffOptions, fullJitterMs, reconnectBackoff } from "../backoff.ts";
import { type Clock, systemClock } from "../clock.ts";
import { type ChannelEnd, openChannel } from "../exchange/channel.ts";
import { DeviceSocket, type SocketConstructor } from "../socket.ts";
import { requestTicket, socketAddress } from "../ticket.ts";
import { createItemRequests, type FullItem } from "./requests.ts";

/** Connections that may be lost before the person hears of it. */
const tries = 3;

export interface OpenItemOptions {
  readonly api: CloudApi;
  readonly deviceId: DeviceId;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  readonly newFrameId?: () => FrameId;
  readonly WebSocket?: SocketConstructor;
  readonly backoff?: BackoffOptions;
}

/**
 * Reads one item in full at its source, over a connection of its own, for a program that does nothing else: the device
 * that may be running on the same data folder keeps its connection. Proposals and dismissed items alike; nothing of it is
 * stored on either side.
 *
 * @throws ScoutsError with the cloud's code (`item_gone`, `reauth`, …); DeviceError `connection_lost`, `answer_overdue`,
 * `ticket_refused`, `device_closed` when `signal` is aborted
 */
export async function openItem(id: ProposalId, options: OpenItemOptions): Promise<FullItem> {
  const { clock = systemClock, random = Math.random, backoff = reconnectBackoff } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openOnce(id, options, clock, random);
    } catch (error) {
      const mayPass = isDeviceError(error, "connection_lost") || isDeviceError(error, "ticket_unavailable");
      if (!mayPass || attempt === tries || options.signal.aborted) throw error;
      const { promise, resolve } = Promise.withResolvers<void>();
      clock.after(fullJitterMs(attempt, random, backoff), resolve);
      await promise;
    }
  }
}

async function openOnce(
  id: ProposalId,
  options: OpenItemOptions,
  clock: Clock,
  random: () => number,
): Promise<FullItem> {
  const { api, deviceId, signal, newFrameId = defaultFrameId, WebSocket: Socket = DeviceSocket } = options;
  const ticket = await requestTicket({ apiUrl: api.apiUrl, token: await api.auth(), deviceId, signal });
  const items = createItemRequests(clock, newFrameId);
  const { promise, resolve, reject } = Promise.withResolvers<FullItem>();
  const lost = (why: ChannelEnd) => {
    items.stop();
    reject(new DeviceError(why === "device_closed" ? why : "connection_lost", { data: { why } }));
  };
  const channel = openChannel({
    url: socketAddress(ticket),
    Socket,
    deviceId,
    clock,
    random,
    newFrameId,
    onGreeted: (_, connection) =>
      items.request(id, (frame) => connection.send(JSON.stringify(frame))).then(resolve, reject),
    onFrame(frame) {
      if (frame.type === "scout_item") items.arrived(frame);
      else if (frame.type === "error" && frame.inReplyTo !== undefined) items.failed(frame.inReplyTo, frame.code);
    },
    onFrameLost: () => void channel.end("connection_lost"),
    onEnd: lost,
  });
  const onAbort = () => void channel.end("device_closed");
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", onAbort);
    await channel.end("device_closed");
  }
}
