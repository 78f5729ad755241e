import { onTestFinished } from "vitest";
import { createExchange, type Exchange, type ExchangeOptions } from "../../../device/connection/exchange/exchange.ts";
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

/** An exchange on the cloud that reconnects within milliseconds. */
export function exchangeOn(cloud: FakeCloud, options: Partial<ExchangeOptions> = {}): Exchange {
  const exchange = createExchange({
    api: { apiUrl: cloud.url, auth: async () => "token" },
    deviceId: device,
    backoff: { baseMs: 4, capMs: 20 },
    ...options,
  });
  onTestFinished(() => exchange.close());
  return exchange;
}

export function cutAll(cloud: FakeCloud): void {
  for (const connection of cloud.connections) connection.cut();
}
