import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { sessionId } from "../../../events/ids.ts";
import { newObjectKey, offerUploads, readPayload, requireOwn } from "../../../shared/devices/payloads.ts";
import { objectContext } from "../../../shared/privacy/object-context.ts";
import { SessionSealer } from "../../../shared/privacy/session-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { newId } from "../../memory/chance.ts";
import { MemoryObjects } from "../../memory/objects.ts";
import { ada, bob } from "../scouts/setting.ts";

const session = sessionId.parse("ses_01JD0000000000000000000000");
const other = sessionId.parse("ses_01JD0000000000000000000001");
const sealer = new SessionSealer(session, new Transient(randomBytes(32).toString("base64")));
let objects: MemoryObjects;
beforeEach(() => {
  objects = new MemoryObjects();
});

const bytesOf = (text: string) => new Transient(new TextEncoder().encode(text));

describe("a payload", () => {
  test("is its text, in the frame or sealed in the bucket", async () => {
    const key = newObjectKey(ada, session, newId);
    await objects.put(key, sealer.sealBytes(bytesOf("long"), objectContext(key)));
    const read = async (payload: Parameters<typeof readPayload>[2]) =>
      (await readPayload(objects, sealer, payload)).reveal();
    expect(await read({ inline: "short" })).toBe("short");
    expect(await read({ upload: { key, bytes: 1 } })).toBe("long");
  });

  test("that was not uploaded, or sealed for another object, has a code", async () => {
    const [one, two] = [newObjectKey(ada, session, newId), newObjectKey(ada, session, newId)];
    await expect(readPayload(objects, sealer, { upload: { key: one, bytes: 1 } })).rejects.toMatchObject({
      code: "upload_missing",
    });
    await objects.put(one, sealer.sealBytes(bytesOf("x"), objectContext(two)));
    await expect(readPayload(objects, sealer, { upload: { key: one, bytes: 1 } })).rejects.toMatchObject({
      code: "sealed_unreadable",
    });
  });

  test("P1: may only name an object of its own session", () => {
    const name = (user: typeof ada, of: typeof session) => () =>
      requireOwn([{ inline: "x" }, { upload: { key: newObjectKey(user, of, newId), bytes: 1 } }], ada, session);
    expect(name(ada, session)).not.toThrow();
    expect(name(ada, other)).toThrow(expect.objectContaining({ code: "forbidden" }));
    expect(name(bob, session)).toThrow(expect.objectContaining({ code: "forbidden" }));
  });

  test("is offered exactly its size, for fifteen minutes, under a key of its own", async () => {
    const offers = await offerUploads(objects, ada, session, [10, 20], newId);
    expect(offers.map(({ ref }) => ref.bytes)).toEqual([10, 20]);
    expect(new Set(offers.map(({ ref }) => ref.key)).size).toBe(2);
    for (const { ref, fields } of offers) {
      expect(ref.key.startsWith(`${ada}/${session}/`)).toBe(true);
      expect(fields["expires"]).toBe("900");
    }
  });
});
