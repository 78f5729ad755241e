import * as fc from "fast-check";
import { expect, test } from "vitest";
import { chooseInline, inlineBytes } from "../../../device/connection/content/payloads.ts";
import { systemPorts } from "../../../device/connection/ports.ts";
import { uploadsRequest } from "../../../events/http/device.ts";
import { objectKey } from "../../../events/payload.ts";
import { objectContext } from "../../../shared/privacy/object-context.ts";
import { SessionSealer } from "../../../shared/privacy/session-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import type { FakeCloud } from "../fake-cloud.ts";
import { startCloud } from "../setting.ts";
import { contentOn, device, oneSession, sessionKey, sessionNumber } from "./setting.ts";

const keyOf = (n: number) => objectKey.parse(`usr_${"0".repeat(26)}/${sessionNumber(1)}/01JD000000000000000000000${n}`);

/** Offers uploads and takes them; a post is refused while `refusals` lasts. */
function takeUploads(cloud: FakeCloud, refusals: number[] = []) {
  const objects = new Map<string, Uint8Array>();
  const offers: number[][] = [];
  let next = 0;
  oneSession(cloud);
  cloud.onRequest = (path, body, response) => {
    if (path === "/api/v1/uploads") {
      const { sizes, deviceId } = uploadsRequest.parse(JSON.parse(body.toString()));
      expect(deviceId).toBe(device);
      offers.push(sizes);
      const uploads = sizes.map((bytes) => {
        const key = keyOf(next++);
        return { ref: { key, bytes }, url: `${cloud.url}objects`, fields: { key, policy: "p" } };
      });
      response.end(JSON.stringify({ uploads, expiresInSeconds: 900 }));
      return "handled";
    }
    const refusal = refusals.shift();
    if (refusal !== undefined) {
      response.writeHead(refusal).end();
      return "handled";
    }
    const type = /multipart\/form-data; boundary=.*/.exec(String(response.req.headers["content-type"]))?.[0] ?? "";
    void new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData().then(async (form) => {
      const file = form.get("file");
      if (file instanceof Blob) objects.set(String(form.get("key")), new Uint8Array(await file.arrayBuffer()));
      expect([...form.keys()].at(-1)).toBe("file");
      response.writeHead(204).end();
    });
    return "handled";
  };
  return { objects, offers };
}

test("P1: what does not fit is sealed under the session's key for the object's, and exactly as large as was said", async () => {
  const cloud = await startCloud();
  const { objects, offers } = takeUploads(cloud);
  const channel = contentOn(cloud);
  const texts = ["short", "ü".repeat(5_000), "tiny", "b".repeat(9_000)];

  const payloads = await channel.toPayloads(texts, 100);

  expect(payloads).toEqual([
    { inline: "short" },
    { upload: { key: keyOf(0), bytes: 10_029 } },
    { inline: "tiny" },
    { upload: { key: keyOf(1), bytes: 9_029 } },
  ]);
  expect(offers, "one offer for all").toEqual([[10_029, 9_029]]);
  const sealer = new SessionSealer(sessionNumber(1), new Transient(sessionKey));
  for (const [n, text] of [texts[1], texts[3]].entries()) {
    const sealed = objects.get(keyOf(n)) ?? new Uint8Array();
    const opened = sealer.openBytes(sealed, objectContext(keyOf(n)));
    expect(opened.map((bytes) => new TextDecoder().decode(bytes)).reveal()).toBe(text);
  }
});

test("what fits costs no request", async () => {
  const cloud = await startCloud();
  const { offers } = takeUploads(cloud);
  expect(await contentOn(cloud).toPayloads(["a", "b"], 6)).toEqual([{ inline: "a" }, { inline: "b" }]);
  expect(offers).toEqual([]);
});

test("an upload that fails is offered and tried again; one that is refused for good has a code", async () => {
  const cloud = await startCloud();
  const { offers } = takeUploads(cloud, [503]);
  const channel = contentOn(cloud, { random: () => 0 });
  expect(await channel.toPayloads(["long"], 0)).toEqual([{ upload: { key: keyOf(1), bytes: 33 } }]);
  expect(offers).toHaveLength(2);

  cloud.onRequest = (_, __, response) => {
    const error = { code: "session_unknown", message: "", data: {}, requestId: "r" };
    response.writeHead(409).end(JSON.stringify({ error }));
    return "handled";
  };
  await expect(channel.toPayloads(["long"], 0)).rejects.toMatchObject({ code: "session_unknown" });
});

test("who has uploaded as much as there is room for waits as long as told, which is no failed try", async () => {
  const cloud = await startCloud();
  const { offers } = takeUploads(cloud);
  const take = cloud.onRequest;
  let refusals = 9;
  cloud.onRequest = (path, body, response) => {
    if (path !== "/api/v1/uploads" || refusals === 0) return take?.(path, body, response);
    refusals -= 1;
    const error = { code: "rate_limited", message: "", data: {}, requestId: "r" };
    response.writeHead(429, { "retry-after": "7" }).end(JSON.stringify({ error }));
    return "handled";
  };
  const waitsMs: number[] = [];
  const { clock } = systemPorts;
  const channel = contentOn(cloud, {
    clock: {
      now: () => clock.now(),
      after(delayMs, work) {
        if (delayMs !== 7_000) return clock.after(delayMs, work);
        waitsMs.push(delayMs);
        return clock.after(0, work);
      },
    },
  });
  expect(await channel.toPayloads(["long"], 0)).toEqual([{ upload: { key: keyOf(0), bytes: 33 } }]);
  expect(waitsMs).toHaveLength(9);
  expect(offers).toHaveLength(1);
});

test("whatever is chosen for the frame fits, and nothing that fits as well is left out", () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom("a", '"', "\n", "ü", "語", "😀"), maxLength: 40 }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(texts, fc.nat(200), (all, roomBytes) => {
      const chosen = chooseInline(all, roomBytes);
      const sizes = all.map(inlineBytes);
      const taken = sizes.reduce((sum, bytes, at) => sum + (chosen.has(at) ? bytes : 0), 0);
      return taken <= roomBytes && sizes.every((bytes, at) => chosen.has(at) || taken + bytes > roomBytes);
    }),
  );
});
