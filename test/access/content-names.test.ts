import { expect, test } from "vitest";
import { contentHash } from "../../device/files/content-hash.ts";
import { setting } from "./setting.ts";

const secret = 'host = "db.example.com"\npassword = "hunter2xyz"\n';
const open = 'host = "db.example.com"\nport = 5432\n';
const hashOf = (text: string) => contentHash(Buffer.from(text));

/** Everything a session can be told about the file, with what it would be called if its password were guessed. */
test("a file with credentials is called by its SHA-256 in no answer, also not in history and for the session", async () => {
  const { access, session, patch } = await setting({ "a.ini": secret });
  const said: unknown[] = [];
  const call = async (tool: string, args: Record<string, unknown>) => {
    const outcome = await access.call(session, tool, args);
    said.push(outcome);
    return outcome;
  };
  await call("read_file", { path: "a.ini" });
  await call("read_lines", { path: "a.ini", startLine: 1, endLine: 2 });
  await call("get_excerpt", { path: "a.ini" });
  await call("grep_files", { pattern: "host" });
  said.push(
    await patch('*** Begin Patch\n*** Update File: a.ini\n@@\n-host = "db.example.com"\n+host = "b"\n*** End Patch\n', {
      dryRun: true,
    }),
  );
  said.push(
    await patch('*** Begin Patch\n*** Update File: a.ini\n@@\n-host = "db.example.com"\n+host = "b"\n*** End Patch\n'),
  );
  await call("file_history", { path: "a.ini" });
  await call("get_diff", { path: "a.ini" });
  said.push(session.describe());
  const told = JSON.stringify(said);
  expect(told).toContain("a.ini");
  for (const text of [secret, secret.replace("db.example.com", "b")]) expect(told).not.toContain(hashOf(text));
});

test("an edit may be made against the name it was given; guessing at the SHA-256 is as wrong as guessing at anything", async () => {
  const { access, session, patch } = await setting({ "a.ini": secret, "b.ini": open });
  const edit = (path: string) =>
    `*** Begin Patch\n*** Update File: ${path}\n@@\n-host = "db.example.com"\n+host = "b"\n*** End Patch\n`;
  const read = async (path: string) => {
    const outcome = await access.call(session, "read_file", { path });
    return outcome.ok ? outcome.result.hash : "";
  };
  const named = await read("a.ini");
  expect(await patch(edit("a.ini"), { baseHash: hashOf(secret), dryRun: true })).toMatchObject({
    success: false,
    code: "conflict",
  });
  expect(await patch(edit("a.ini"), { baseHash: hashOf(`${secret}x`), dryRun: true })).toMatchObject({
    success: false,
    code: "conflict",
  });
  expect(await patch(edit("a.ini"), { baseHash: named })).toMatchObject({ success: true });
  expect(await read("b.ini")).toBe(hashOf(open));
  expect(await patch(edit("b.ini"), { baseHash: hashOf(open) })).toMatchObject({ success: true });
});

test("a name from before a change leads to a merge, as a SHA-256 does", async () => {
  const { access, session, patch, files, text } = await setting({ "a.ini": `${secret}\nlast = 1\n` });
  const read = await access.call(session, "read_file", { path: "a.ini" });
  const baseHash = read.ok ? read.result.hash : "";
  await files.write("a.ini", Buffer.from(`${secret}\nlast = 2\n`));
  const result = await patch(
    '*** Begin Patch\n*** Update File: a.ini\n@@\n-host = "db.example.com"\n+host = "b"\n*** End Patch\n',
    { baseHash },
  );
  expect(result).toMatchObject({ success: true });
  expect(await text("a.ini")).toContain('host = "b"\npassword = "hunter2xyz"\n\nlast = 2');
});

test("the person who sees the file itself is told its SHA-256", async () => {
  const { access } = await setting({ "a.ini": secret });
  const person = access.openSession({ caller: "person", seesCredentials: true });
  expect(await access.call(person, "read_file", { path: "a.ini" })).toMatchObject({ result: { hash: hashOf(secret) } });
});
