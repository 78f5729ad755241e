import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FsDirectory } from "../../device/files/backends/fs/fs-directory.ts";
import { FsProjectFiles } from "../../device/files/backends/fs/fs-project-files.ts";
import { expectCode } from "./expect-code.ts";

const fileCount = 300;

describe("a literal search of a flat folder", () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "search-turns-"));
    for (let at = 0; at < fileCount; at++) writeFileSync(join(root, `f${at}`), "one needle\n");
  });
  afterEach(() => {
    vi.restoreAllMocks();
    rmSync(root, { recursive: true, force: true });
  });

  const files = () => new FsProjectFiles(root, { ripgrep: false });
  const collect = async (signal?: AbortSignal) => {
    const paths: string[] = [];
    for await (const { path } of files().grep("needle", { ...(signal && { signal }) })) paths.push(path);
    return paths;
  };

  /** Every look at the clock takes a millisecond. */
  function slowClock(): void {
    let nowMs = performance.now();
    vi.spyOn(performance, "now").mockImplementation(() => ++nowMs);
  }

  it("ends soon after it was cancelled in another turn", async () => {
    slowClock();
    // One for each file that was opened, and a few for the listing.
    const looks = vi.spyOn(FsDirectory.prototype, "verify");
    const cancel = new AbortController();
    setImmediate(() => cancel.abort());
    await expectCode(collect(cancel.signal), "Cancelled");
    expect(looks.mock.calls.length).toBeLessThan(fileCount / 4);
  });

  it("gives the lines in the same order, however often it lets others in", async () => {
    const atOnce = await collect();
    slowClock();
    expect(await collect()).toEqual(atOnce);
    expect(atOnce).toHaveLength(fileCount);
  });

  it("reads no more once nobody wants the rest", async () => {
    slowClock();
    const looks = vi.spyOn(FsDirectory.prototype, "verify");
    for await (const _ of files().grep("needle", { maxMatches: 1 })) break;
    const atEnd = looks.mock.calls.length;
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(looks.mock.calls.length).toBe(atEnd);
  });
});
