import { expect, test } from "vitest";
import { setting } from "./setting.ts";

const added = { patch: "*** Begin Patch\n*** Add File: notes.txt\n+hello\n*** End Patch" };
const cancelled = { ok: false, error: { code: "cancelled" } };

test("a change that its caller gave up before it was made is not made, and the trail says so", async () => {
  const { access, session, text } = await setting({});

  expect(await access.call(session, "apply_patch", added, AbortSignal.abort())).toMatchObject(cancelled);

  expect(await text("notes.txt")).toBeUndefined();
  expect([...access.audit.records()].map(({ outcome }) => outcome)).toEqual(["cancelled"]);
});

test("a change that its caller gives up while a person allows it is not made", async () => {
  const given = new AbortController();
  const approver = {
    async approve() {
      given.abort();
      return true;
    },
  };
  const { access, text } = await setting({ "a.txt": "one\n" }, { approver });
  const session = access.openSession({ caller: "test-model", asksForWrites: true });

  const writing = access.call(session, "write_file", { path: "b.txt", content: "two\n" }, given.signal);

  expect(await writing).toMatchObject(cancelled);
  expect(await text("b.txt")).toBeUndefined();
});

test("a search that its caller gives up reads no further file", async () => {
  const { access, session, files } = await setting({ "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n" });
  const given = new AbortController();
  const read: string[] = [];
  const reading = files.read.bind(files);
  files.read = async (path, options) => {
    if (path.endsWith(".txt")) {
      read.push(path);
      given.abort();
    }
    return reading(path, options);
  };

  expect(await access.call(session, "grep_files", { pattern: "one" }, given.signal)).toMatchObject(cancelled);
  expect(read).toEqual(["a.txt"]);
});
