import { onTestFinished } from "vitest";
import type { CloudApi } from "../../../device/connect/cloud-api.ts";
import {
  type ContentChannel,
  type ContentOptions,
  openContentChannel,
} from "../../../device/connection/content/content-channel.ts";
import { type ConnectionPorts, systemPorts } from "../../../device/connection/ports.ts";
import { deviceId, projectId, runId, sessionId } from "../../../events/ids.ts";
import type { FakeCloud } from "../fake-cloud.ts";

export const device = deviceId.parse("dev_01JD0000000000000000000000");
export const project = projectId.parse("prj_01JD0000000000000000000000");
export const run = runId.parse("run_01JD0000000000000000000000");
/** 256 bits. */
export const sessionKey = Buffer.alloc(32, 7).toString("base64");

export const sessionNumber = (n: number) => sessionId.parse(`ses_01JD000000000000000000000${n}`);

/** Every hello of a device resumes the same session, until a test says otherwise. */
export function oneSession(cloud: FakeCloud): void {
  cloud.sessionOf = () => ({ sessionId: sessionNumber(1), sessionKey });
}

type Change = Partial<ConnectionPorts> &
  Pick<ContentOptions, "signal" | "patienceMs"> &
  Partial<Pick<CloudApi, "auth">>;

/** A content channel on the cloud that reconnects within milliseconds. */
export function contentOn(
  cloud: FakeCloud,
  { signal, patienceMs, auth = async () => "token", ...ports }: Change = {},
): ContentChannel {
  const channel = openContentChannel({
    api: { apiUrl: cloud.url, auth },
    deviceId: device,
    ports: { ...systemPorts, backoff: { baseMs: 4, capMs: 20 }, ...ports },
    ...(signal && { signal }),
    ...(patienceMs !== undefined && { patienceMs }),
  });
  onTestFinished(() => channel.close());
  return channel;
}

export function cutAll(cloud: FakeCloud): void {
  for (const connection of cloud.connections) connection.cut();
}
