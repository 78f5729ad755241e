import { expect, test } from "vitest";
import { stackFrames } from "../../shared/privacy/stack-frames.ts";

const secret = "zanzibar";
const telling = `no\n    at ${secret} (file:///${secret}.ts:1:1)\n    at ${secret}.ts:2:2`;
class NamedLater extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SomethingElse";
  }
}

test.each<[string, Error]>([
  ["a plain one", new Error("plain")],
  ["one without a message", new Error()],
  ["one whose message looks like a stack", new TypeError(telling)],
  ["one that took its name later", new NamedLater(telling)],
  ["one with a code, as Node writes it", thrownBy(() => new URL(`x ${telling}`))],
  ["one with a cause", new Error(telling, { cause: new Error(telling) })],
])("P1: the frames of an error are kept, nothing of its message: %s", (_, error) => {
  const frames = stackFrames(error);
  expect(frames.length).toBeGreaterThan(0);
  expect(frames.join("\n")).toContain("stack-frames.test.ts");
  expect(frames.join("\n")).not.toContain(secret);
});

test("P1: a message that was changed later hides where the frames begin: none are given", () => {
  for (const later of ["", "other"]) {
    const error = new Error(telling);
    expect(error.stack).toContain(secret);
    error.message = later;
    expect(stackFrames(error)).toEqual([]);
  }
});

test("P1: what somebody has appended to a stack is not part of it", () => {
  const error = new Error("plain");
  const frames = stackFrames(error);
  error.stack += `\nCaused by: ${telling}`;
  expect(stackFrames(error)).toEqual(frames);
});

function thrownBy(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("It did not throw");
}
