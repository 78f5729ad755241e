import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseKeyRing } from "../../../shared/privacy/key-ring.ts";
import { RingSealer } from "../../../shared/privacy/ring-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";

const freshKey = (kid: string) => ({ kid, key: randomBytes(32).toString("base64") });
const sealerOf = (...keys: { kid: string; key: string }[]) => new RingSealer(parseKeyRing(JSON.stringify({ keys })));
const [old, current] = [freshKey("old"), freshKey("current")];
const sealer = sealerOf(old, current);
const context = ["scouts/v1", "profile", "usr_a", "sct_a"];
const unreadable = { code: "sealed_unreadable" };
const keyUnknown = { code: "sealing_key_unknown" };

describe("sealing under a key ring", () => {
  test("any text opens again in its own context, and the sealed form does not show it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (text) => {
        const sealed = await sealer.seal(new Transient(text.toWellFormed()), context);
        expect((await sealer.open(sealed, context)).reveal()).toBe(text.toWellFormed());
      }),
      { numRuns: 50 },
    );
    const sealed = await sealer.seal(new Transient("kanarienvogel"), context);
    const readable = sealed.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect(`${sealed} ${readable.join(" ")}`).not.toContain("kanarienvogel");
  });

  test.each([
    ["another user", ["scouts/v1", "profile", "usr_b", "sct_a"]],
    ["another scout", ["scouts/v1", "profile", "usr_a", "sct_b"]],
    ["another purpose", ["scouts/v1", "vault", "usr_a", "sct_a"]],
    ["a context cut short", ["scouts/v1", "profile", "usr_a"]],
    ["no context", []],
  ])("P1: what was sealed for one owner does not open for %s", async (_, other) => {
    const sealed = await sealer.seal(new Transient("text"), context);
    await expect(sealer.open(sealed, other)).rejects.toMatchObject(unreadable);
  });

  test("altering any part makes it unreadable", async () => {
    const parts = (await sealer.seal(new Transient("text"), context)).split(".");
    for (let part = 0; part < 4; part += 1) {
      const altered = parts.with(part, flipped(parts[part] ?? ""));
      await expect(sealer.open(altered.join("."), context)).rejects.toMatchObject(unreadable);
    }
    for (const text of ["", "....", "a.b.c.d", parts.slice(0, 3).join(".")]) {
      await expect(sealer.open(text, context)).rejects.toMatchObject(unreadable);
    }
  });

  test("rotation: new writes take the newest key, what an older one sealed still opens", async () => {
    const sealedBefore = await sealerOf(old).seal(new Transient("text"), context);
    expect((await sealer.open(sealedBefore, context)).reveal()).toBe("text");
    const header = (await sealer.seal(new Transient("text"), context)).split(".")[0] ?? "";
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toMatchObject({ kid: "current", enc: "A256GCM" });
  });

  test("P2: rotated step by step (docs/deploy.md), functions of two steps side by side open what either seals; appended at once they do not", async () => {
    const steps = { before: [old], opens: [current, old], seals: [old, current], after: [current] };
    const open = async (by: { kid: string; key: string }[], to: { kid: string; key: string }[]) =>
      (await sealerOf(...to).open(await sealerOf(...by).seal(new Transient("text"), context), context)).reveal();
    for (const [one, other] of [
      [steps.before, steps.opens],
      [steps.opens, steps.seals],
    ] as const) {
      expect([await open(one, other), await open(other, one)]).toEqual(["text", "text"]);
    }
    // The last step comes when everything is sealed again.
    expect(await open(steps.seals, steps.after)).toBe("text");
    await expect(open(steps.seals, steps.before)).rejects.toMatchObject(keyUnknown);
  });

  test("a key that is not on the ring opens nothing and is told apart from what is altered; one of the same name opens nothing either", async () => {
    const sealed = await sealer.seal(new Transient("text"), context);
    await expect(sealerOf(old).open(sealed, context)).rejects.toMatchObject({
      ...keyUnknown,
      data: { kid: "current" },
    });
    await expect(sealerOf(freshKey("current")).open(sealed, context)).rejects.toMatchObject(unreadable);
  });

  test("sealing the same twice gives two texts", async () => {
    const [a, b] = [await sealer.seal(new Transient("t"), context), await sealer.seal(new Transient("t"), context)];
    expect(a).not.toBe(b);
  });
});

describe("reading a key ring", () => {
  test.each([
    ["no JSON", "kanarienvogel"],
    ["no keys", '{"keys":[]}'],
    ["a key of the wrong length", JSON.stringify({ keys: [{ kid: "k", key: "a2FuYXJpZW52b2dlbA==" }] })],
    ["a key without a name", JSON.stringify({ keys: [{ key: current.key }] })],
  ])("%s is a configuration error that repeats nothing of it", (_, json) => {
    const thrown = errorOf(() => parseKeyRing(json));
    expect(thrown).toMatchObject({ code: "configuration_invalid", data: { what: "key ring" } });
    expect(thrown.cause).toBeUndefined();
  });
});

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return expect.unreachable("nothing was thrown");
}

function flipped(base64url: string): string {
  const bytes = Buffer.from(base64url, "base64url");
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return bytes.toString("base64url");
}
