import { FileAccess } from "../../device/access/file-access.ts";
import { InMemoryProjectFiles } from "../../device/files/backends/in-memory-project-files.ts";
import type { ProjectFiles } from "../../device/files/project-files.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { memoryAccessStore } from "../memory/access-store.ts";
import { patchWith, replacing } from "./in-memory-setting.ts";

/** Files whose every answer comes some turns of the event loop later, as the seed says. */
export function delayed(files: ProjectFiles, random: () => number): ProjectFiles {
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    const turns = () => Math.floor(random() * 4);
    for (let turn = turns(); turn > 0; turn--) await new Promise<void>((resolve) => setImmediate(resolve));
    const result = await work();
    for (let turn = turns(); turn > 0; turn--) await new Promise<void>((resolve) => setImmediate(resolve));
    return result;
  };
  return {
    displayRoot: files.displayRoot,
    folding: files.folding,
    isReadOnly: false,
    read: (path, options) => later(() => files.read(path, options)),
    write: (path, bytes, options) => later(() => files.write(path, bytes, options)),
    exists: (path) => later(() => files.exists(path)),
    metadata: (path) => later(() => files.metadata(path)),
    listDir: (path) => later(() => files.listDir(path)),
    walk: (options) => files.walk(options),
    delete: (path, options) => later(() => files.delete(path, options)),
    rename: (from, to) => later(() => files.rename(from, to)),
    grep: (pattern, options) => files.grep(pattern, options),
    materialize: (options) => files.materialize(options),
    canonical: (path) => later(() => files.canonical(path)),
  };
}

/**
 * Two writers add to a counter line and to lines of their own, in an order the seed decides; every other time they share
 * one FileAccess, else each has its own, as two processes have. Every success that was told must be in the file.
 *
 * @returns what was lost; empty when all is well
 */
export async function lostUpdates(seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const disk = new InMemoryProjectFiles({ "f.txt": "count 0\na 0\nb 0\n" }, systemTimeAndIds);
  const options = () => ({ files: delayed(disk, random), store: memoryAccessStore(), ...systemTimeAndIds });
  const first = new FileAccess(options());
  const second = seed % 2 === 0 ? first : new FileAccess(options());
  const told = { count: 0, a: 0, b: 0 };
  const write = async (access: FileAccess, own: "a" | "b") => {
    const session = access.openSession({ caller: own });
    for (let round = 0; round < 4; round++) {
      const counter = random() < 0.5;
      const read = await access.call(session, "read_file", { path: "f.txt", full: true });
      if (!read.ok) continue;
      const name = counter ? "count" : own;
      const line = read.result.text.split("\n").find((candidate) => candidate.startsWith(`${name} `)) ?? "";
      const value = Number(line.split(" ")[1]);
      const result = await patchWith(access, session, { patch: replacing("f.txt", line, `${name} ${value + 1}`) });
      if (result.success) told[name]++;
    }
  };
  await Promise.all([write(first, "a"), write(second, "b")]);
  const text = Buffer.from(await disk.read("f.txt")).toString("utf8");
  return Object.entries(told).flatMap(([name, times]) =>
    text.includes(`${name} ${times}\n`)
      ? []
      : [`seed ${seed}: ${times} changes of ${name} were told, the file has ${text}`],
  );
}
