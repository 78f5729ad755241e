import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { connectGmail, type PasteAddress } from "../../device/connect/connect-gmail.ts";
import { isDeviceError } from "../../device/errors.ts";
import { completeRequest } from "../../events/http/consent.ts";
import { inbox, laptop } from "../unit/scouts/setting.ts";

/** A cloud that begins a consent and remembers how it ended. */
async function cloud() {
  const ended: z.infer<typeof completeRequest>[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (request.url?.endsWith("/complete")) {
      ended.push(completeRequest.parse(body));
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ consentUrl: "https://accounts.example/?state=ours", expiresInSeconds: 600 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address() satisfies AddressInfo | string | null);
  return { ended, api: { apiUrl: `http://127.0.0.1:${port}`, auth: async () => "token" } };
}

function consent(lines: readonly string[]) {
  const taken: boolean[] = [];
  let stopped = 0;
  const paste: PasteAddress = (take) => {
    for (const line of lines) taken.push(take(line));
    return () => {
      stopped += 1;
    };
  };
  const asked = { scoutId: inbox, deviceId: laptop, openConsent: async () => {}, paste };
  return { taken, stopped: () => stopped, asked: { ...asked, signal: new AbortController().signal } };
}

test("a consent given on another machine ends with the address that is pasted, and nobody listens after", async () => {
  const { ended, api } = await cloud();
  const { taken, stopped, asked } = consent([
    "not an address",
    "http://127.0.0.1:4000/?state=somebody-elses&code=stolen",
    " http://127.0.0.1:4000/?state=ours&code=c0de ",
  ]);
  await connectGmail(api, asked);
  expect(ended).toEqual([expect.objectContaining({ state: "ours", code: "c0de" })]);
  expect(taken).toEqual([false, false, true]);
  expect(stopped()).toBe(1);
});

test("a consent that was refused there ends as refused, and nothing is sent", async () => {
  const { ended, api } = await cloud();
  const { stopped, asked } = consent(["https://api.example/callback?state=ours&error=access_denied"]);
  const failure = await connectGmail(api, asked).catch((error: unknown) => error);
  expect(isDeviceError(failure, "consent_refused")).toBe(true);
  expect([ended, stopped()]).toEqual([[], 1]);
});
