import * as z from "zod";
import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { safeName } from "./naming.ts";
import { attempt } from "./verified-files.ts";

export const pinRoot = "runtime/pins";

/** A live thread and what it refers to. It is dead when nobody has renewed it until `untilMs`. */
const pinFile = z.strictObject({ threadId: z.string(), untilMs: z.number(), ids: z.array(z.string()) });
type PinFile = z.infer<typeof pinFile>;

const defaultLeaseMs = 24 * 3_600_000;
const maxAttempts = 20;

/** Which artifacts live threads refer to: those are not cleaned up. One small file for each thread. */
export class Pins {
  readonly #files: ProjectFiles;
  readonly #now: () => number;

  constructor(files: ProjectFiles, now: () => number) {
    this.#files = files;
    this.#now = now;
  }

  /** Holds artifacts for a thread, and renews what it holds already. @throws ArtifactError `store_unavailable` */
  async hold(threadId: string, ids: readonly string[], leaseMs = defaultLeaseMs): Promise<void> {
    const path = pathOf(threadId);
    for (let tries = 1; ; tries++) {
      const before = await this.#read(path);
      const held = new Set([...(before?.pins?.ids ?? []), ...ids]);
      const pins: PinFile = { threadId, untilMs: this.#now() + leaseMs, ids: [...held] };
      try {
        const bytes = Buffer.from(JSON.stringify(pins));
        await this.#files.write(path, bytes, { ifVersion: before?.version ?? null, mode: 0o600 });
        return;
      } catch (error) {
        // Another process wrote meanwhile: what it holds must not be lost.
        if (isProjectFilesError(error, "Conflict") && tries < maxAttempts) continue;
        await attempt(() => Promise.reject(error));
      }
    }
  }

  /** The thread has ended: nothing is held for it any more. */
  async release(threadId: string): Promise<void> {
    try {
      await this.#files.delete(pathOf(threadId));
    } catch (error) {
      if (!isProjectFilesError(error, "NotFound", "NotADirectory")) await attempt(() => Promise.reject(error));
    }
  }

  /** Ids that are held now. Pins that have lapsed are removed on the way. @throws ArtifactError `store_unavailable` */
  async held(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    if (!(await attempt(() => this.#files.exists(pinRoot)))) return ids;
    for await (const { path } of this.#files.walk({ under: pinRoot, ignoreRules: false })) {
      const pins = (await this.#read(path))?.pins;
      if (pins === undefined) continue;
      if (pins.untilMs > this.#now()) for (const id of pins.ids) ids.add(id);
      else await this.release(pins.threadId);
    }
    return ids;
  }

  async #read(path: string): Promise<{ pins: PinFile | undefined; version: string } | undefined> {
    try {
      const { version } = await this.#files.metadata(path);
      const text = Buffer.from(await this.#files.read(path)).toString("utf8");
      return { pins: parsed(text), version };
    } catch (error) {
      if (isProjectFilesError(error, "NotFound", "NotADirectory")) return undefined;
      return attempt(() => Promise.reject(error));
    }
  }
}

const pathOf = (threadId: string) => `${pinRoot}/${safeName(threadId)}.json`;

function parsed(text: string): PinFile | undefined {
  try {
    return pinFile.safeParse(JSON.parse(text)).data;
  } catch {
    // No JSON: its reader says that it is damaged.
    return undefined;
  }
}
