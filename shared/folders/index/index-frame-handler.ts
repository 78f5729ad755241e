import { ScoutsError } from "../../../events/errors.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import type { FileName, IndexId } from "../../../events/ids.ts";
import type { SummarizeMessage } from "../../../events/queues.ts";
import type { AccountStore } from "../../billing/account-store.ts";
import { requireFileCount } from "../../billing/quota.ts";
import type { FolderFrame, FrameHandler, From } from "../../devices/frames/device-ports.ts";
import { objectsOf, requireOwn } from "../../devices/payloads.ts";
import { type PostPorts, postToSession } from "../../devices/session-post.ts";
import type { Session } from "../../devices/session-store.ts";
import type { Outgoing, Queue } from "../../ports/queue.ts";
import { Transient } from "../../privacy/transient.ts";
import { doneFrame, refusedResult, storedResult } from "../summarize/file-result.ts";
import { sealFile } from "../summarize/queued-file.ts";
import { estimateTokens } from "../summarize/token-estimate.ts";
import { type EndPorts, recordIndexRun } from "./end-index.ts";
import type { IndexEnd, IndexRow } from "./index-row.ts";

export interface IndexFrameHandlerPorts extends EndPorts {
  readonly accounts: AccountStore;
  readonly summarize: Queue<SummarizeMessage>;
  readonly post: PostPorts;
}

type Frame<T extends FolderFrame["type"]> = Extract<FolderFrame, { type: T }>;

/**
 * What a device says while it has a folder summarised. Every frame may come twice: a session starts once, a file that has
 * its result is answered with it, an ended session stays as it ended.
 */
export class IndexFrameHandler implements FrameHandler<FolderFrame> {
  readonly #ports: IndexFrameHandlerPorts;

  constructor(ports: IndexFrameHandlerPorts) {
    this.#ports = ports;
  }

  answer(from: From, session: Session, frame: FolderFrame): Promise<ServerFrame> {
    switch (frame.type) {
      case "index_session_start":
        return this.#start(from, session, frame);
      case "index_file_batch":
        return this.#batch(from, session, frame);
      case "index_session_cancel":
        return this.#end(from, session, frame, "cancelled");
      case "index_session_finish":
        return this.#end(from, session, frame, "completed");
    }
  }

  /** @throws folder_max_files, conflict when the id names another index session */
  async #start(from: From, { sessionId }: Session, frame: Frame<"index_session_start">): Promise<ServerFrame> {
    const { accounts, index, post } = this.#ports;
    const { id: startedBy, sessionId: indexId, projectId, totalFiles } = frame;
    const { tier } = await accounts.get(from.userId);
    const maxFiles = requireFileCount(tier, totalFiles);
    const row = { deviceId: from.deviceId, sessionId, projectId, startedBy, totalFiles, maxFiles };
    const nowMs = post.clock();
    if (!(await index.start(from.userId, indexId, row, nowMs))) {
      const existing = await index.get(from.userId, indexId, nowMs);
      if (existing?.startedBy !== startedBy) throw new ScoutsError("conflict", { data: { indexId } });
    }
    return { type: "accepted", inReplyTo: frame.id };
  }

  /**
   * Accepted once every file is on the queue, or answered. What was uploaded for a file that had its end already stays
   * until the session's objects are deleted. @throws index_unknown, index_ended, forbidden
   */
  async #batch(from: From, session: Session, frame: Frame<"index_file_batch">): Promise<ServerFrame> {
    const { index, summarize, post } = this.#ports;
    const { sessionId: indexId, files } = frame;
    const contents = files.map(({ content }) => content);
    requireOwn(contents, from.userId, session.sessionId);
    const row = await this.#indexOf(from, session, indexId);
    if (row.status !== "open" && row.status !== "quota_exceeded") throw new ScoutsError("index_ended");
    const byName = new Map(
      files.map((file) => [session.sealer.nameOf(new Transient(file.relPath), file.contentHash), file]),
    );
    const ended = await index.files(from.userId, indexId, [...byName.keys()]);
    const answers: ServerFrame[] = [];
    const messages: Outgoing<SummarizeMessage>[] = [];
    for (const [name, file] of byName) {
      const path = new Transient(file.relPath);
      const end = ended.get(name);
      if (end) answers.push(storedResult(session.sealer, indexId, name, path, end));
      else if (row.status === "quota_exceeded") answers.push(refusedResult(indexId, path, row.status));
      else messages.push({ body: messageOf(from, session, row.projectId, indexId, name, file), group: from.userId });
    }
    if (messages.length > 0) await summarize.send(messages);
    if (row.status === "quota_exceeded") {
      answers.push(doneFrame(indexId, row.status, await index.totals(from.userId, indexId)));
    }
    if (answers.length > 0) await postToSession(post, { ...from, sessionId: session.sessionId }, answers);
    return { type: "accepted", inReplyTo: frame.id };
  }

  /** Accepted, then the totals of how it ended: the first end is the one that counts. */
  async #end(
    from: From,
    session: Session,
    frame: Frame<"index_session_cancel" | "index_session_finish">,
    wanted: IndexEnd,
  ): Promise<ServerFrame> {
    const { post } = this.#ports;
    const { sessionId: indexId } = frame;
    const row = await this.#indexOf(from, session, indexId);
    const status = await this.#endAs(from, indexId, row, wanted);
    const totals = await recordIndexRun(this.#ports, from.userId, indexId, row, status, post.clock());
    const asker = { ...from, sessionId: session.sessionId };
    await postToSession(post, asker, [{ type: "accepted", inReplyTo: frame.id }]);
    return doneFrame(indexId, status, totals);
  }

  async #endAs({ userId }: From, indexId: IndexId, row: IndexRow, wanted: IndexEnd): Promise<IndexEnd> {
    const { index, post } = this.#ports;
    if (row.status !== "open") return row.status;
    if (await index.end(userId, indexId, wanted)) return wanted;
    const ended = await index.get(userId, indexId, post.clock());
    if (!ended || ended.status === "open") throw new ScoutsError("index_unknown");
    return ended.status;
  }

  async #indexOf({ userId, deviceId }: From, session: Session, indexId: IndexId): Promise<IndexRow> {
    const row = await this.#ports.index.get(userId, indexId, this.#ports.post.clock());
    if (row?.deviceId !== deviceId) throw new ScoutsError("index_unknown");
    // Its files were named and sealed in a session that is over: nobody can answer for them any more.
    if (row.sessionId !== session.sessionId) throw new ScoutsError("index_ended");
    return row;
  }
}

function messageOf(
  { userId, deviceId, connectionId }: From,
  { sessionId, sealer }: Session,
  projectId: IndexRow["projectId"],
  indexId: IndexId,
  name: FileName,
  file: Frame<"index_file_batch">["files"][number],
): SummarizeMessage {
  return {
    v: 1,
    userId,
    deviceId,
    sessionId,
    connectionId,
    indexId,
    projectId,
    file: name,
    estimatedTokens: estimateTokens(file),
    tries: 0,
    waits: 0,
    sealed: sealFile(sealer, indexId, name, file),
    objects: objectsOf([file.content]),
  };
}
