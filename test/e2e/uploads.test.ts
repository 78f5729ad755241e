import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ulid } from "ulidx";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type LocalSystem, startSystem } from "../../cli/up/system.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { type UploadsResponse, uploadsResponse } from "../../events/http/device.ts";
import { errorBody } from "../../events/http/error-body.ts";
import { sessionId } from "../../events/ids.ts";
import { objectContext } from "../../shared/privacy/object-context.ts";
import { SessionSealer } from "../../shared/privacy/session-sealer.ts";
import { Transient } from "../../shared/privacy/transient.ts";
import { connectRaw, frameId, type RawDevice } from "../privacy/raw-device.ts";
import { ownFolder } from "./folders.ts";
import { upTo, writeMail } from "./mail.ts";

type Offer = UploadsResponse["uploads"][number];

let folder: ReturnType<typeof ownFolder>;
let system: LocalSystem;
let device: RawDevice;
let sealer: SessionSealer;

beforeAll(async () => {
  folder = ownFolder();
  const mailboxPath = join(folder.path, "mail");
  mkdirSync(mailboxPath);
  writeMail(mailboxPath, upTo(1));
  const signal = new AbortController().signal;
  system = await startSystem({
    ...systemTimeAndIds,
    dataFolder: join(folder.path, "data"),
    mailboxPath,
    environment: {},
    signal,
  });
}, 240_000);
afterAll(async () => {
  await system?.stop();
  folder?.remove();
});

// A session of its own for each test: one of them ends it.
beforeEach(async () => {
  device = await connectRaw(system);
  device.send({ type: "hello", id: frameId(), protocol: 1, deviceId: device.deviceId });
  const ready = await device.next("session_ready");
  sealer = new SessionSealer(sessionId.parse(ready["sessionId"]), new Transient(String(ready["sessionKey"])));
});
afterEach(() => device?.close());

async function ask(deviceId: string, sizes: readonly number[]): Promise<Response> {
  return fetch(`${system.home.apiUrl}/api/v1/uploads`, {
    method: "POST",
    headers: { authorization: `Bearer ${await system.api.auth()}`, "content-type": "application/json" },
    body: JSON.stringify({ deviceId, sizes }),
  });
}

async function offer(bytes: number): Promise<Offer> {
  const { uploads } = uploadsResponse.parse(await (await ask(device.deviceId, [bytes])).json());
  const [first] = uploads;
  if (!first) throw new Error("nothing was offered");
  return first;
}

function post({ url, fields }: Offer, bytes: Uint8Array): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([new Uint8Array(bytes)]));
  return fetch(url, { method: "POST", body: form });
}

const sealedFor = (to: Offer, text: string) =>
  sealer.sealBytes(new Transient(new TextEncoder().encode(text)), objectContext(to.ref.key));

describe("an upload", () => {
  test("P1: goes sealed into the session's own prefix, once offered, in exactly its size", async () => {
    const text = "the text of a file";
    const to = await offer(29 + text.length);
    const sealed = sealedFor(to, text);
    expect(to.ref.key).toMatch(new RegExp(`^usr_\\w+/${sealer.sessionId}/`));
    expect((await post(to, sealed.subarray(1))).status).toBe(400);
    expect((await post(to, Buffer.concat([sealed, sealed]))).status).toBe(400);
    expect((await post(to, sealed)).status).toBe(204);
  });

  test("is offered to a device that has said hello only", async () => {
    const answer = await ask(`dev_${ulid()}`, [10]);
    expect([answer.status, errorBody.parse(await answer.json()).error.code]).toEqual([409, "session_unknown"]);
  });

  test.each([[[]], [[0]], [[9_000_000]], [Array.from({ length: 21 }, () => 1)]])(
    "of sizes %j is refused",
    async (sizes) => {
      const answer = await ask(device.deviceId, sizes);
      expect([answer.status, errorBody.parse(await answer.json()).error.code]).toEqual([400, "invalid_request"]);
    },
  );

  test("P1: is offered no more once the session has ended", async () => {
    device.send({ type: "bye", id: frameId() });
    await device.next("accepted");
    const answer = await ask(device.deviceId, [10]);
    expect([answer.status, errorBody.parse(await answer.json()).error.code]).toEqual([409, "session_unknown"]);
  });
});
