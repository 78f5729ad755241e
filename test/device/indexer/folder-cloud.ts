import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { IndexedFile } from "../../../events/frames/folders.ts";
import type { ClientFrame } from "../../../events/frames/frames.ts";
import { quotaCheckRequest } from "../../../events/http/usage.ts";
import { type CloudConnection, FakeCloud } from "../fake-cloud.ts";

type Batch = Extract<ClientFrame, { type: "index_file_batch" }>;

/** What becomes of a file: a summary, a refusal, or nothing yet. */
export type Fate = { readonly error: ErrorCode } | "summary" | "silence";

/** A cloud that summarises folders, by the contract of events/frames/folders.ts. */
export class FolderCloud extends FakeCloud {
  /** Paths in the order they came, each time they came. */
  readonly sent: string[] = [];
  readonly quotaChecks: { files: number; tokens: number }[] = [];
  quotaRefusal: { code: ErrorCode; data: Record<string, string | number | null> } | undefined;
  fateOf: (file: IndexedFile) => Fate = () => "summary";
  /** Called before a batch is taken; false loses it. */
  onBatch: (batch: Batch, connection: CloudConnection) => boolean = () => true;
  tokensPerFile = 10;
  /** Of the month's tokens, before this scan. */
  used = 0;
  #ended: "completed" | "cancelled" | "quota_exceeded" | undefined;

  override onRequest = (path: string, body: Buffer, response: ServerResponse) => {
    if (path !== "/api/v1/billing/quota/check") return "default" as const;
    const { estimated_files: files, estimated_tokens: tokens } = quotaCheckRequest.parse(JSON.parse(body.toString()));
    this.quotaChecks.push({ files, tokens });
    const { used } = this;
    const plan = { tier: "free", maxFiles: 200, monthlyTokens: 100_000, used, resetsAt: Date.UTC(2026, 11, 1) };
    if (this.quotaRefusal === undefined) response.end(JSON.stringify(plan));
    else {
      const error = { ...this.quotaRefusal, message: "", requestId: "r" };
      response.writeHead(402, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    }
    return "handled" as const;
  };

  override onFrame = (frame: ClientFrame, connection: CloudConnection) => {
    switch (frame.type) {
      case "index_session_start":
        this.#ended = undefined;
        connection.send({ type: "accepted", inReplyTo: frame.id });
        return "handled" as const;
      case "index_file_batch":
        if (this.onBatch(frame, connection)) this.takeBatch(frame, connection);
        return "handled" as const;
      case "index_session_finish":
      case "index_session_cancel":
        this.#ended ??= frame.type === "index_session_finish" ? "completed" : "cancelled";
        connection.send({ type: "accepted", inReplyTo: frame.id });
        this.#done(frame.sessionId, connection);
        return "handled" as const;
      default:
        return "default" as const;
    }
  };

  takeBatch(frame: Batch, connection: CloudConnection): void {
    connection.send({ type: "accepted", inReplyTo: frame.id });
    for (const file of frame.files) {
      this.sent.push(file.relPath);
      this.answer(frame.sessionId, file, connection);
    }
  }

  answer(sessionId: Batch["sessionId"], file: IndexedFile, connection: CloudConnection): void {
    const fate = this.#ended === "quota_exceeded" ? ({ error: "quota_exceeded" } as const) : this.fateOf(file);
    if (fate === "silence") return;
    const { relPath } = file;
    const result = { type: "index_file_result", sessionId, relPath } as const;
    if (fate === "summary") {
      const summary = `About ${relPath}`;
      connection.send({ ...result, summary, tag: "doc", prompt: "p@1", tokensUsed: this.tokensPerFile });
      return;
    }
    connection.send({ ...result, summary: null, tag: null, prompt: null, tokensUsed: 0, error: fate.error });
    if (fate.error !== "quota_exceeded" || this.#ended === "quota_exceeded") return;
    this.#ended = "quota_exceeded";
    this.#done(sessionId, connection);
  }

  #done(sessionId: Batch["sessionId"], connection: CloudConnection): void {
    const status = this.#ended ?? "completed";
    const code = status === "quota_exceeded" ? ({ code: status } as const) : {};
    connection.send({ type: "index_session_done", sessionId, status, processed: 0, tokensUsed: 0, ...code });
  }
}

export async function startFolderCloud(): Promise<FolderCloud> {
  const cloud = new FolderCloud();
  await cloud.start();
  onTestFinished(() => cloud.stop());
  return cloud;
}
