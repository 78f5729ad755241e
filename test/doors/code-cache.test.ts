import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { codeOf } from "../../infra/local/built/built-code.ts";
import { codeCacheFolder } from "../../infra/local/built/code-cache.ts";
import type { FunctionNode } from "../../infra/local/graph.ts";
import { FunctionPool } from "../../infra/local/host/function-pool.ts";

/**
 * "Another account on the machine" of docs/threat-model.md, at what V8 has compiled: Node runs what lies in its folder, so nobody else
 * may have put anything there.
 */
const own = process.getuid?.() ?? -1;
const launch = fileURLToPath(new URL("../../cli/launch.js", import.meta.url));
const ofNode = "node-compile-cache";
let shared: string;

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "code-cache-"));
  chmodSync(folder, 0o1777);
  shared = folder;
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const begin = () =>
  spawnSync(process.execPath, [launch, "task", "--help"], {
    env: { PATH: process.env["PATH"], HOME: shared, TMPDIR: shared },
    encoding: "utf8",
  });

describe.skipIf(own < 0)("code that was compiled", () => {
  it("is kept in a folder for the eyes of the account alone", () => {
    const { status, stderr } = begin();
    expect(`${status} ${stderr}`).toBe("0 ");
    expect(readdirSync(shared)).toEqual([`scouts-code-${own}`]);
    expect(statSync(join(shared, `scouts-code-${own}`)).mode & 0o777).toBe(0o700);
  });

  it("is not read from, nor kept in, a folder that is open to others", () => {
    for (const name of [ofNode, `scouts-code-${own}`]) {
      mkdirSync(join(shared, name));
      chmodSync(join(shared, name), 0o777);
    }
    const { status, stdout } = begin();
    expect(status).toBe(0);
    expect(stdout).toContain("Usage:");
    expect(readdirSync(join(shared, ofNode))).toEqual([]);
    expect(readdirSync(join(shared, `scouts-code-${own}`))).toEqual([]);
  });

  it("is not kept where a link leads, nor in a folder of another account", () => {
    const folder = join(shared, `scouts-code-${own}`);
    mkdirSync(join(shared, "elsewhere"), { mode: 0o700 });
    symlinkSync(join(shared, "elsewhere"), folder);
    expect(codeCacheFolder(shared)).toBeUndefined();
    rmSync(folder);
    mkdirSync(folder, { mode: 0o700 });
    expect(codeCacheFolder(shared)).toBe(folder);
    if (own !== 0) return;
    chownSync(folder, 65_534, 65_534);
    expect(codeCacheFolder(shared)).toBeUndefined();
  });

  it("is not kept where no folder can be made", () => {
    expect(codeCacheFolder(join(shared, "none"))).toBeUndefined();
  });

  it("of a home's functions is in no folder of all accounts either", async () => {
    const file = join(shared, "base.cjs");
    writeFileSync(file, "exports.handler = async (name) => name.toUpperCase();");
    const node: FunctionNode = {
      name: "Empty",
      functionName: "Empty",
      arn: "arn:aws:lambda:us-east-1:000000000000:function:Empty",
      handler: "empty.handler",
      timeoutSeconds: 60,
      memoryMb: 128,
      environment: {},
      links: [],
      permissions: [],
    };
    const pool = new FunctionPool(node, {
      code: {
        thread: codeOf(false, "infra/local/host/thread"),
        builtFolder: undefined,
        handler: () => ({ file, exportName: "handler" }),
      },
      logFolder: join(shared, "logs"),
      environment: { TMPDIR: shared },
      size: 1,
      idleMs: 60_000,
      patienceMs: 1,
      crashPoint: () => undefined,
      onLog: undefined,
    });
    expect(await pool.invoke("a")).toMatchObject({ result: "A" });
    await pool.close();
    expect(readdirSync(shared)).not.toContain(ofNode);
  });
});
