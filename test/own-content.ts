import type { CloudApi } from "../device/connect/cloud-api.ts";
import { type ContentChannel, openContentChannel } from "../device/connection/content/content-channel.ts";
import { type ConnectionPorts, systemPorts } from "../device/connection/ports.ts";
import type { DeviceStore } from "../device/store/open.ts";

/** A program's own way to the cloud, by this machine's clock. */
export function ownContent(
  store: DeviceStore,
  api: CloudApi,
  change: Partial<ConnectionPorts> = {},
): { clock: ConnectionPorts["clock"]; openContent: () => ContentChannel } {
  const { deviceId } = store.identity.get();
  const ports = { ...systemPorts, ...change };
  return { clock: ports.clock, openContent: () => openContentChannel({ api, deviceId, ports }) };
}
