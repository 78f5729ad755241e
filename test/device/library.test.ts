import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { makeProposal } from "./fake-cloud.ts";
import { startCloud, temporaryFolder } from "./setting.ts";

const root = new URL("../../", import.meta.url);

/** The program in docs/device.md, with the checkout's address in its imports. */
function documentedProgram(): string {
  const [, program] = /```js\n(.*?)```/s.exec(readFileSync(new URL("docs/device.md", root), "utf8")) ?? [];
  return (program ?? "").replaceAll('from "./', `from "${root.href}`);
}

test("another Node program uses the device in the ten lines that docs/device.md shows", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  const folder = temporaryFolder();
  const program = documentedProgram();
  writeFileSync(path.join(folder, "program.mjs"), program);

  const env = { PATH: process.env["PATH"], API_URL: cloud.url, TOKEN: "a-token" };
  const child = spawn(process.execPath, ["program.mjs"], { cwd: folder, env });
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);

  expect(program.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(10);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "Subject 1\nSubject 2\n", stderr: "" });
  expect(cloud.tokens).toEqual(["Bearer a-token"]);
  expect(cloud.ackedBy.size).toBe(2);
});
