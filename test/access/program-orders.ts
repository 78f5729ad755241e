import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { AuditTrail } from "../../device/access/audit/trail.ts";
import type { WriteLease } from "../../device/access/changes/write-lease.ts";
import { FileAccess } from "../../device/access/file-access.ts";
import { openPersonSession } from "../../device/access/person-session.ts";
import type { AccessStore } from "../../device/access/store/access-store.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import { contentHash } from "../../device/files/content-hash.ts";
import { KeyedLock } from "../../device/files/keyed-lock.ts";
import { materializeFiles, openKeptView } from "../../device/files/materialize/materialize.ts";
import { openView } from "../../device/files/materialize/open-view.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { RecordedFiles } from "../../device/tools/recorded-files.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { delayed } from "./interleaving.ts";

const paths = ["a.md", "b.md"] as const;
const start = ["# Garden", "", "water", "", "prune", ""].join("\n");
const roundsEach = 3;

export interface OrderOptions {
  /** Writers that overwrite whatever is there, to see that a loss is noticed. */
  readonly isBlind?: boolean;
}

interface Program {
  /** A whole text with the line more, over the content that was read; null: it came too late. */
  write(path: string, line: string): Promise<boolean>;
}

/**
 * A tab of the console, a program over HTTP, a command, a client of MCP and a tool add lines to two files, each by its own way,
 * in an order the seed decides. Each has a FileAccess of its own, as processes have: shared are the files, the database and the lease.
 *
 * @returns what was lost or cannot be accounted for; empty when all is well
 */
export async function lostByPrograms(seed: number, { isBlind = false }: OrderOptions = {}): Promise<string[]> {
  const random = seededRandom(seed);
  const disk = new InMemoryProjectFiles(Object.fromEntries(paths.map((path) => [path, start])), systemTimeAndIds);
  const store = memoryAccessStore();
  const lease = sharedLease();
  const access = () => new FileAccess({ files: delayed(disk, random), store, lease, ...systemTimeAndIds });
  const programs = [
    editor(access(), "person", random),
    editor(access(), "http:editor", random),
    command(access()),
    model(access(), random),
    tool(access()),
  ];
  const told = new Map<string, string[]>(paths.map((path) => [path, []]));
  await Promise.all(
    programs.map(async (program, who) => {
      for (let round = 0; round < roundsEach; round++) {
        const path = paths[Math.floor(random() * paths.length)] ?? "a.md";
        const line = `${who}.${round}`;
        const done = isBlind ? await overwritten(disk, path, line) : await program.write(path, line);
        if (done) told.get(path)?.push(line);
      }
    }),
  );
  const complaints: string[] = [];
  for (const path of paths) {
    const text = Buffer.from(await disk.read(path)).toString("utf8");
    for (const line of told.get(path) ?? [])
      if (!text.split("\n").includes(line)) complaints.push(`seed ${seed}: ${path} has lost ${line}`);
    if (!isBlind) complaints.push(...unaccounted(store, path, text).map((each) => `seed ${seed}: ${path} ${each}`));
  }
  return complaints;
}

/** A page or a program that edits whole texts: reads again when it came too late, with what it wanted put in anew. */
function editor(access: FileAccess, caller: string, random: () => number): Program {
  const session =
    caller === "person"
      ? openPersonSession(access, { isEditor: true })
      : access.openSession({ caller, backend: "review", isEditor: true });
  return {
    async write(path, line) {
      for (let attempt = 0; attempt < 20; attempt++) {
        const read = await access.call(session, "read_file", { path, full: true });
        if (!read.ok) continue;
        const [text, baseHash] = [read.result.text, read.result.hash];
        const lines = text.split("\n");
        lines.splice(Math.floor(random() * (lines.length - 1)), 0, line);
        const written = await access.call(session, "write_file", { path, content: lines.join("\n"), baseHash });
        if (written.ok) return true;
        if (written.error.code !== "conflict") return false;
      }
      return false;
    },
  };
}

/** `scouts files write --append`. */
function command(access: FileAccess): Program {
  const session = openPersonSession(access);
  return {
    async write(path, line) {
      return (await access.call(session, "write_file", { path, content: `${line}\n`, mode: "append" })).ok;
    },
  };
}

/** A model over MCP: patches, which are merged with what has changed elsewhere, or refused. */
function model(access: FileAccess, random: () => number): Program {
  const session = access.openSession({ caller: "mcp:test" });
  return {
    async write(path, line) {
      await access.call(session, "read_file", { path, full: true });
      const anchor = random() < 0.5 ? "water" : "prune";
      const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n ${anchor}\n+${line}\n*** End Patch\n`;
      return (await access.call(session, "apply_patch", { patch })).ok;
    },
  };
}

/** A tool in a copy of its own: what it changed comes back where the file is still the one that was copied; else it is run again. */
function tool(access: FileAccess): Program {
  const { kit } = access;
  const recording = { caller: "person", tool: "tool:append", session: "tlr_1" };
  return {
    async write(path, line) {
      for (let attempt = 0; attempt < 20; attempt++) {
        const copy = await materializeFiles(kit.files, { copy: true }, openView);
        await appendFile(join(copy.root, path), `${line}\n`);
        const directory = await copy.keep(() => undefined);
        if (directory === undefined) return false;
        const view = await openKeptView(new RecordedFiles(access, recording), directory, openView);
        const { changes } = await kit.lease.run(() => view.close());
        if (changes.some((change) => change.path === path && change.action === "update")) return true;
      }
      return false;
    },
  };
}

async function overwritten(disk: InMemoryProjectFiles, path: string, line: string): Promise<boolean> {
  const read = Buffer.from(await disk.read(path)).toString("utf8");
  await new Promise<void>((resolve) => setImmediate(resolve));
  await disk.write(path, Buffer.from(`${line}\n${read}`));
  return true;
}

/** Whether each change of a file begins at the content where the one before has ended, and all contents are kept. */
function unaccounted(store: AccessStore, path: string, text: string): string[] {
  const trail = new AuditTrail(store, systemTimeAndIds.now);
  if (!trail.verify().ok) return ["has a broken trail"];
  let at = contentHash(Buffer.from(start));
  for (const { files, outcome, caller } of trail.records()) {
    for (const { path: of, versionId, beforeHash, afterHash } of outcome === "ok" ? files : []) {
      if (of !== path || versionId === null) continue;
      if (beforeHash !== at) return [`was written over by ${caller}`];
      if (afterHash === null || store.contents.get(afterHash) === undefined) return [`has a version without its bytes`];
      at = afterHash;
    }
  }
  return at === contentHash(Buffer.from(text)) ? [] : ["ends otherwise than its trail"];
}

/** What a lock of the kernel's is between processes. */
function sharedLease(): WriteLease {
  const lock = new KeyedLock();
  return { run: (action) => lock.run("project", action) };
}
