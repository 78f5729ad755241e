import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sessionId } from "../../../events/ids.ts";
import { SessionSealer } from "../../../shared/privacy/session-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";

const session = sessionId.parse("ses_01JD0000000000000000000000");
const other = sessionId.parse("ses_01JD0000000000000000000001");
const newKey = () => new Transient(randomBytes(32).toString("base64"));
const key = newKey();
const sealer = new SessionSealer(session, key);
const code = "sealed_unreadable";
const context = fc.array(fc.string(), { maxLength: 4 });

describe("what a session seals", () => {
  test("P1: opens to the same bytes, under the same context and key, on either side", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), context, (bytes, parts) => {
        const sealed = sealer.sealBytes(new Transient(bytes), parts);
        expect(new SessionSealer(session, key).openBytes(sealed, parts).reveal()).toEqual(bytes);
      }),
    );
  });

  test("P1: texts of any language come back as they were", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(sealer.openText(sealer.sealText(new Transient(text), ["t"]), ["t"]).reveal()).toBe(text);
      }),
    );
  });

  test("P1: opens nothing for another context, however alike its parts", () => {
    fc.assert(
      fc.property(context, context, (one, two) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(two));
        const sealed = sealer.sealText(new Transient("x"), one);
        expect(() => sealer.openText(sealed, two)).toThrow(expect.objectContaining({ code }));
      }),
    );
  });

  test("P1: opens nothing in another session or under another key", () => {
    const sealed = sealer.sealText(new Transient("x"), []);
    for (const stranger of [new SessionSealer(other, key), new SessionSealer(session, newKey())]) {
      expect(() => stranger.openText(sealed, [])).toThrow(expect.objectContaining({ code }));
    }
  });

  test("P1: opens nothing when any bit of it was turned, or anything cut off", () => {
    const sealed = sealer.sealBytes(new Transient(new Uint8Array(5)), []);
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const turned = Uint8Array.from(sealed, (byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      expect(() => sealer.openBytes(turned, []), `bit ${bit}`).toThrow(expect.objectContaining({ code }));
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => sealer.openBytes(sealed.subarray(0, length), [])).toThrow(expect.objectContaining({ code }));
    }
  });

  test("the same content never looks the same twice", () => {
    const all = Array.from({ length: 100 }, () => sealer.sealText(new Transient("same"), []));
    expect(new Set(all).size).toBe(100);
  });

  test("a key that is none is refused", () => {
    expect(() => new SessionSealer(session, new Transient("c2hvcnQ="))).toThrow(expect.objectContaining({ code }));
  });
});

describe("the name of a file within a session", () => {
  test("is the same for the same file, another for another path, content or session, and says nothing", () => {
    const hash = "a".repeat(64);
    const path = new Transient("taxes/2024.pdf");
    const name = sealer.nameOf(path, hash);
    expect(sealer.nameOf(path, hash)).toBe(name);
    const others = [
      sealer.nameOf(new Transient("taxes/2025.pdf"), hash),
      sealer.nameOf(path, "b".repeat(64)),
      new SessionSealer(other, newKey()).nameOf(path, hash),
    ];
    expect(new Set([name, ...others]).size).toBe(4);
  });
});
