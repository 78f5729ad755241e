import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from "@modelcontextprotocol/sdk/shared/stdio.js";
import { expect, test } from "vitest";
import { RequestLines } from "../../device/access/mcp/protocol/request-lines.ts";

const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';

/** What goes on to the server, and what the client is answered, of some bytes that it sends. */
async function sent(...chunks: readonly (string | Buffer)[]) {
  const answers: { readonly id: unknown; readonly error: { readonly code: number; readonly message: string } }[] = [];
  const lines = new RequestLines(
    new Writable({ write: (line, _encoding, done) => done(void answers.push(JSON.parse(String(line)))) }),
  );
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  let passed = "";
  for await (const part of lines) passed += String(part);
  return { passed, answers };
}

test.each([
  ["no JSON", "not json", null, -32700],
  ["half of a message", ping.slice(0, -1), null, -32700],
  ["a batch", `[${ping}]`, null, -32600],
  ["a number", "5", null, -32600],
  ["null", "null", null, -32600],
  ["params that are null", '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":null}', 7, -32600],
  ["params that are a list", '{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[1]}', "a", -32600],
  ["another version", '{"jsonrpc":"1.0","id":7,"method":"tools/list"}', 7, -32600],
  ["no version", '{"id":7,"method":"tools/list"}', 7, -32600],
  ["an id that is none", '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', null, -32600],
  ["a method that is no text", '{"jsonrpc":"2.0","id":7,"method":5}', null, -32600],
  ["an answer that is none: its id is another's", '{"jsonrpc":"2.0","id":7,"result":3}', null, -32600],
  ["a beginning without its params", '{"jsonrpc":"2.0","id":7,"method":"initialize"}', 7, -32602],
])("a line that is no message is answered, and the next one is heard: %s", async (_, line, id, code) => {
  const { passed, answers } = await sent(`${line}\n${ping}\n`);

  expect(passed).toBe(`${ping}\n`);
  expect(answers).toMatchObject([{ id, error: { code, message: expect.stringMatching(/\.$/) } }]);
});

test("a message longer than the SDK's transport bears is answered, and its client kept", async () => {
  const { passed, answers } = await sent(Buffer.alloc(STDIO_DEFAULT_MAX_BUFFER_SIZE, "a"), "b", `\n${ping}\n`);

  expect(passed).toBe(`${ping}\n`);
  expect(answers).toMatchObject([{ id: null, error: { code: -32600 } }]);
});

test("messages pass as they are, in whatever pieces they come", async () => {
  const text = `\ufeff${ping}\r\n\n{"jsonrpc":"2.0","method":"notifications/é"}\n`;
  const pieces = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));

  const { passed, answers } = await sent(...pieces);

  expect(passed).toBe(`${ping}\r\n{"jsonrpc":"2.0","method":"notifications/é"}\n`);
  expect(answers).toEqual([]);
});

test("a client that reads no answer is not heard on, so that answers do not fill the memory, until it reads or is gone", async () => {
  for (const goesOn of ["reads", "is gone"]) {
    const answers = new PassThrough();
    const lines = new RequestLines(answers);
    lines.resume();
    answers.write(Buffer.alloc(1024 * 1024 + 1));
    let isHeard = false;
    const heard = new Promise<void>((resolve) => {
      lines.write(`${ping}\n`, () => {
        isHeard = true;
        resolve();
      });
    });
    await once(lines, "data");

    expect(isHeard).toBe(false);

    if (goesOn === "reads") answers.resume();
    else answers.destroy();
    await heard;
  }
});
