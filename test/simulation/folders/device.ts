import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { maxBatchFiles } from "../../../events/frames/folders.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { type DeviceId, deviceId, type FrameId, frameId, type SessionId, type UserId } from "../../../events/ids.ts";
import { objectKey } from "../../../events/payload.ts";
import type { FolderFrame } from "../../../shared/devices/frames/device-ports.ts";
import { objectContext } from "../../../shared/privacy/object-context.ts";
import { SessionSealer } from "../../../shared/privacy/session-sealer.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { framed, indexOf, projectOf, type SimulatedFile, ulidOf } from "./files.ts";
import type { FolderWorld } from "./world.ts";

/** A frame that is not accepted is sent again after so long. */
const resendMs = 30_000;
const batchesInFlight = 3;
/**
 * A device that has lost a connection sends what was accepted and is not answered again after so long without a word: an
 * answer may have gone to that connection. A real one does so in any case (device/folders/indexer/index-session.ts); here one that
 * was connected all the time shows what the cloud forgets.
 */
const silenceMs = 120_000;

/** Answers after which there is nothing to go on with: the session has ended, and this scan with it. */
const over: ReadonlySet<ErrorCode> = new Set(["session_unknown", "index_ended", "index_unknown"]);

type Result = Extract<ServerFrame, { type: "index_file_result" }>;
type Done = Extract<ServerFrame, { type: "index_session_done" }>;

interface FileState {
  readonly file: SimulatedFile;
  result?: Result;
  /** The cloud has it, and has not been lost from sight since. */
  isAccepted?: boolean;
  inFrame?: FrameId;
}

/** A device that has one folder summarised: resends, reconnects, asks again, and ends when all have a result. */
export class IndexingDevice {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly index;
  readonly project;
  readonly files: FileState[];
  /** Every result it was ever told, by path. */
  readonly told = new Map<string, Result[]>();
  done: Done | undefined;
  /** Why it gave up, when it did: its session was over. */
  lost: string | undefined;
  alive = true;
  isCancelling = false;
  connectionId: string | undefined;
  readonly #world: FolderWorld;
  readonly #serial: number;
  #session: { readonly id: SessionId; readonly sealer: SessionSealer } | undefined;
  #startAccepted = false;
  #startFrame: FrameId | undefined;
  readonly #frames = new Map<FrameId, { readonly frame: FolderFrame; sentAtMs: number }>();
  #objects = 0;
  #heardAtMs = 0;
  #wasCut = false;

  constructor(world: FolderWorld, userId: UserId, serial: number, files: readonly SimulatedFile[]) {
    this.#world = world;
    this.#serial = serial;
    this.userId = userId;
    this.deviceId = deviceId.parse(`dev_${ulidOf(serial)}`);
    this.index = indexOf(serial);
    this.project = projectOf(serial % 3);
    this.files = files.map((file) => ({ file }));
  }

  /** Looks at what is to be done, again and again while it lives. */
  run(): void {
    const { sim } = this.#world;
    if (!this.alive || this.done || this.lost) return;
    this.#act();
    sim.after(sim.random.int(500, 6_000), `device ${this.#serial} acts`, () => this.run());
  }

  crash(): void {
    this.alive = false;
    this.connectionId = undefined;
  }

  /** The connection is gone, as far as the device knows. */
  disconnected(connectionId: string): void {
    if (this.connectionId !== connectionId) return;
    this.connectionId = undefined;
    this.#wasCut = true;
    this.#askAgain();
  }

  /** What it was told of that went astray is asked for again. */
  #askAgain(): void {
    this.#heardAtMs = this.#world.sim.nowMs;
    for (const each of this.files) if (!each.result) delete each.isAccepted;
  }

  ready(session: SessionId, key: Transient<string>, connectionId: string): void {
    if (!this.alive) return;
    if (this.#session && this.#session.id !== session) this.lost = "another session";
    this.#session ??= { id: session, sealer: new SessionSealer(session, key) };
    this.connectionId = connectionId;
    for (const each of this.#frames.values()) each.sentAtMs = Number.NEGATIVE_INFINITY;
  }

  receive(frame: ServerFrame): void {
    if (!this.alive) return;
    this.#heardAtMs = this.#world.sim.nowMs;
    switch (frame.type) {
      case "accepted":
        this.#accepted(frame.inReplyTo);
        return;
      case "index_file_result":
        this.#result(frame);
        return;
      case "index_session_done":
        this.done ??= frame;
        return;
      case "error":
        if (over.has(frame.code)) this.lost ??= frame.code;
        return;
      default:
        return;
    }
  }

  #accepted(id: FrameId): void {
    this.#frames.delete(id);
    if (id === this.#startFrame) this.#startAccepted = true;
    for (const each of this.files) {
      if (each.inFrame !== id) continue;
      delete each.inFrame;
      each.isAccepted = true;
    }
  }

  #result(frame: Result): void {
    const each = this.files.find(({ file }) => file.relPath === frame.relPath);
    if (!each || frame.sessionId !== this.index) {
      this.#world.sim.violate("tenant isolation", `device ${this.#serial} is told of ${frame.relPath}`);
      return;
    }
    each.result ??= frame;
    this.told.set(frame.relPath, [...(this.told.get(frame.relPath) ?? []), frame]);
  }

  #act(): void {
    if (this.connectionId === undefined) {
      this.#world.connect(this);
      return;
    }
    for (const [id, { frame, sentAtMs }] of this.#frames) {
      if (this.#world.sim.nowMs - sentAtMs >= resendMs) this.#send(id, frame);
    }
    if (!this.#startAccepted) {
      if (!this.#startFrame) this.#begin();
      return;
    }
    if (this.isCancelling || this.files.every(({ result }) => result)) {
      this.#end();
      return;
    }
    if (this.#wasCut && this.#world.sim.nowMs - this.#heardAtMs >= silenceMs) this.#askAgain();
    while (this.#frames.size < batchesInFlight && this.#sendBatch());
  }

  #begin(): void {
    const id = this.#newFrameId();
    this.#startFrame = id;
    const totalFiles = this.files.length;
    this.#send(id, { type: "index_session_start", id, sessionId: this.index, projectId: this.project, totalFiles });
  }

  #end(): void {
    const type = this.isCancelling ? "index_session_cancel" : "index_session_finish";
    if ([...this.#frames.values()].some(({ frame }) => frame.type === type)) return;
    // Accepted, and the totals went astray: it says so again.
    const id = this.#newFrameId();
    this.#send(id, { type, id, sessionId: this.index });
  }

  #sendBatch(): boolean {
    const waiting = this.files.filter(({ result, inFrame, isAccepted }) => !result && !inFrame && !isAccepted);
    const some = waiting.slice(0, maxBatchFiles);
    if (some.length === 0) return false;
    const id = this.#newFrameId();
    for (const each of some) each.inFrame = id;
    const files = some.map(({ file }) => framed(file, this.#content(file)));
    this.#send(id, { type: "index_file_batch", id, sessionId: this.index, files });
    return true;
  }

  #content(file: SimulatedFile) {
    const session = this.#session;
    const text = `${file.relPath} says things`;
    if (!file.isUploaded || !session) return { inline: text };
    // Room is offered in a session that lives only (functions/api/routes/devices.ts).
    if (!this.#world.isLiving(this, session.id)) this.lost ??= "session_unknown";
    if (this.lost) return { inline: text };
    this.#objects += 1;
    const key = objectKey.parse(`${this.userId}/${session.id}/${ulidOf(this.#serial * 10_000 + this.#objects)}`);
    const bytes = session.sealer.sealBytes(new Transient(new TextEncoder().encode(text)), objectContext(key));
    void this.#world.objects.put(key, bytes);
    return { upload: { key, bytes: bytes.length } };
  }

  #send(id: FrameId, frame: FolderFrame): void {
    const { sim } = this.#world;
    this.#frames.set(id, { frame, sentAtMs: sim.nowMs });
    if (this.connectionId !== undefined) this.#world.message(this, this.connectionId, frame);
  }

  #newFrameId(): FrameId {
    return frameId.parse(`frm_${ulidOf(this.#world.nextSerial())}`);
  }
}

export const codeOf = (error: unknown) => (isScoutsError(error) ? error.code : "internal");
