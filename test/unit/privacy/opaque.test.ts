import { describe, expect, test } from "vitest";
import { blindAddress, userIdOf } from "../../../shared/privacy/opaque.ts";

describe("opaque ids", () => {
  test("a person's id is the same for the same issuer and subject, and another for any other pair", () => {
    const id = userIdOf("https://issuer.example/", "ada");
    expect(userIdOf("https://issuer.example/", "ada")).toBe(id);
    expect(userIdOf("https://issuer.example/a", "da")).not.toBe(id);
    expect(userIdOf("https://issuer.example/", "bob")).not.toBe(id);
  });

  test("P1: an address is kept as a keyed digest, whatever its case and surrounding space", () => {
    const [key, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const blinded = blindAddress(key, "Ada@Example.com ");
    expect(blinded).toBe(blindAddress(key, "ada@example.com"));
    expect(blinded).not.toContain("ada");
    expect(blinded).not.toBe(blindAddress(other, "ada@example.com"));
    expect(blinded).toMatch(/^[0-9a-v]{51}$/);
  });
});
