import { randomBytes } from "node:crypto";
import { type FileToolName, fileTools } from "../../events/agent-tools/file-tools.ts";
import type { PatchResult } from "../../events/agent-tools/patch-result.ts";
import { Redactor } from "../../shared/privacy/redaction/redact.ts";
import type { LimitSettings } from "../config/config-schema.ts";
import { contentHash } from "../files/content-hash.ts";
import { throwIfCancelled } from "../files/errors.ts";
import type { ProjectFiles } from "../files/project-files.ts";
import type { ReadsDocuments } from "../folders/extraction/read-document.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import type { AuditEvent } from "./audit/record.ts";
import { AuditTrail, auditArguments } from "./audit/trail.ts";
import { ChangeApplier, type Recovery } from "./changes/change-applier.ts";
import { PathLocks } from "./changes/path-locks.ts";
import { ownProcessOnly, type WriteLease } from "./changes/write-lease.ts";
import type { ChangeRecorder } from "./commits/git-commits.ts";
import type { ContentSearch } from "./content-search.ts";
import { AccessError } from "./errors.ts";
import type { MergeProposer } from "./merge-proposer.ts";
import { type Approver, nobody } from "./policy/approver.ts";
import { Gate } from "./policy/gate.ts";
import { ProjectRules } from "./policy/project-rules.ts";
import type { PersonalRules } from "./policy/rules.ts";
import { Documents } from "./reading/documents.ts";
import { LargeTexts } from "./reading/large-text.ts";
import { Registry } from "./registry.ts";
import { limitsOf } from "./session/limits.ts";
import { AccessSession, type SessionOptions } from "./session/session.ts";
import type { AccessStore } from "./store/access-store.ts";
import { builtInSummarizer } from "./summaries/built-in-summarizer.ts";
import { type PaidSummaries, Summaries, type Summarizer } from "./summaries/summaries.ts";
import type { AccessKit } from "./tools/access-kit.ts";
import { ContentNames } from "./tools/content-names.ts";
import { undoSession } from "./tools/editing/undo-session.ts";
import { isToolName, run } from "./tools/run.ts";
import { ToolCall } from "./tools/tool-call.ts";
import { asAccessError, failureOf, refusal, type ToolFailure } from "./tools/tool-failure.ts";
import type { ToolResults } from "./tools/tools.ts";

export interface FileAccessOptions extends TimeAndIds {
  readonly files: ProjectFiles;
  readonly store: AccessStore;
  /** This device's data folder: should it lie in the project it is closed there, whatever it is called. */
  readonly dataFolder?: string;
  /** The person's own rules. */
  readonly rules?: PersonalRules;
  /** What a session may use, where the person has said something about it. */
  readonly limits?: LimitSettings;
  readonly approver?: Approver;
  readonly lease?: WriteLease;
  readonly summarizer?: Summarizer;
  /** What a scan of the folder has said of its files. */
  readonly paidSummaries?: PaidSummaries | undefined;
  readonly mergeProposer?: MergeProposer;
  readonly recorder?: ChangeRecorder | undefined;
  readonly redactor?: Redactor;
  /**
   * 32 bytes by which answers mark credentials and name contents that hold some: the same key gives the same marks and names.
   * Default one of this instance.
   */
  readonly answersKey?: Uint8Array | undefined;
  readonly content?: ContentSearch | undefined;
  /** Makes PDF, Word and pictures readable; without it they are refused as what is no text. */
  readonly readsDocuments?: ReadsDocuments;
  /** Default 32 MiB. */
  readonly maxTextBytes?: number;
  /** Default 2 s. */
  readonly diffTimeMs?: number;
}

export type ToolOutcome<T extends FileToolName = FileToolName> =
  | { readonly ok: true; readonly tool: T; readonly result: ToolResults[T] }
  | { readonly ok: false; readonly tool: T | string; readonly error: ToolFailure; readonly result?: PatchResult };

export type BytesOutcome =
  | { readonly ok: true; readonly path: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly error: ToolFailure };

interface AskedCall {
  readonly tool: string;
  readonly args: unknown;
  readonly signal?: AbortSignal | undefined;
}

type Audited<R> = { readonly ok: true; readonly result: R } | { readonly ok: false; readonly error: ToolFailure };

/**
 * What a language model may do with a project's files: every call is checked against its schema, the session's allowance
 * and the policy, carried out, and written to the audit trail, whatever becomes of it.
 */
export class FileAccess {
  readonly kit: AccessKit;
  readonly audit: AuditTrail;
  readonly #rules: ProjectRules;
  readonly #approver: Approver;
  readonly #limits: LimitSettings;
  readonly #approved = new WeakMap<AccessSession, Set<string>>();

  constructor(options: FileAccessOptions) {
    const { files, store, now, newId, rules = [] } = options;
    const versionId = () => `ver_${newId()}`;
    const key = options.answersKey ?? randomBytes(32);
    const redactor = options.redactor ?? new Redactor(key);
    this.#rules = new ProjectRules(files, rules, options.dataFolder);
    this.kit = {
      files,
      store,
      registry: new Registry(files, store, () => this.#rules.ownData()),
      applier: new ChangeApplier({ files, store, now, newId: versionId }),
      locks: new PathLocks(files.folding),
      lease: options.lease ?? ownProcessOnly,
      redactor,
      largeTexts: new LargeTexts(files, redactor),
      documents: new Documents(options.readsDocuments),
      names: new ContentNames(redactor, (hash) => store.contents.get(hash), key),
      summaries: new Summaries(store.summaries, options.summarizer ?? builtInSummarizer, now, options.paidSummaries),
      content: options.content,
      mergeProposer: options.mergeProposer,
      recorder: options.recorder,
      now,
      newId: versionId,
      maxTextBytes: options.maxTextBytes ?? 32 * 1024 * 1024,
      diffTimeMs: options.diffTimeMs ?? 2_000,
    };
    this.audit = new AuditTrail(store, now);
    this.#approver = options.approver ?? nobody;
    this.#limits = options.limits ?? {};
  }

  /**
   * Puts right what a killed process left, then brings the registry up to date. Call it, or `recover`, before the first call.
   */
  async start(...look: Parameters<Registry["refresh"]>) {
    const recovery = await this.recover();
    return { recovery, ...(await this.kit.registry.refresh(...look)) };
  }

  /** Puts right what a killed process left. */
  async recover(): Promise<Recovery> {
    return this.kit.lease.run(() =>
      this.kit.applier.recover(({ caller, tool, steps }, versions, leftAlone) => {
        const files = versions.map(({ path, id, hash }, index) => ({
          path,
          beforeHash: steps[index]?.before?.hash ?? null,
          afterHash: hash,
          versionId: id,
        }));
        const outcome = versions.length > 0 ? "ok" : "undone";
        const left = leftAlone.length > 0 && { leftAlone };
        const args = { recovered: true, paths: steps.map(({ path }) => path), ...left };
        this.audit.append({ caller, session: "", tool, args, decision: "none", outcome, files });
      }),
    );
  }

  openSession(options: Omit<SessionOptions, "id"> & { readonly id?: string }): AccessSession {
    const id = this.kit.newId().replace(/^ver_/, "acs_");
    const limits = limitsOf(this.#limits, options.limits);
    const session = new AccessSession({ id, ...options, limits });
    this.#approved.set(session, new Set());
    return session;
  }

  /**
   * What a session's first prompt can begin with: excerpts of the documents that say what the project is.
   * @param maxLines of each
   */
  async entryExcerpts(session: AccessSession, maxLines = 40): Promise<ToolResults["get_excerpt"][]> {
    const excerpts: ToolResults["get_excerpt"][] = [];
    for (const path of this.kit.registry.entryDocuments().slice(0, 4)) {
      const outcome = await this.call(session, "get_excerpt", { path, maxLines });
      if (outcome.ok) excerpts.push(outcome.result);
    }
    return excerpts;
  }

  /**
   * Runs one tool for a session. Never throws for what a caller can do wrong: see {@link ToolOutcome}.
   * @param signal the caller wants the answer no more: nobody is asked any more, no change is begun, a search ends (`cancelled`)
   */
  async call<T extends FileToolName>(
    session: AccessSession,
    tool: T,
    args: unknown,
    signal?: AbortSignal,
  ): Promise<ToolOutcome<T>>;
  async call(session: AccessSession, tool: string, args: unknown, signal?: AbortSignal): Promise<ToolOutcome>;
  async call(session: AccessSession, tool: string, args: unknown, signal?: AbortSignal): Promise<ToolOutcome> {
    const done = await this.#audited(session, { tool, args, signal }, async (call, known) => ({
      tool: known,
      result: await run(call, known, args),
    }));
    if (done.ok) return { ok: true, ...done.result };
    const isWrite = isToolName(tool) && fileTools[tool].access === "write";
    return { ...done, tool, ...(isWrite && { result: refusal(done.error) }) };
  }

  /** Whether a session may be shown a file without asking, by the rules of this moment. */
  async mayShow(session: AccessSession): Promise<(path: string) => Promise<boolean>> {
    const gate = await this.#gate(session, "list_files");
    return (path) => gate.mayShow(path);
  }

  /**
   * Those of some files that a session may be shown without asking, by the rules of this moment.
   *
   * @throws AccessError `folder_not_found`, `denied` (the project's rules cannot be understood)
   */
  async shownAmong(session: AccessSession, paths: Iterable<string>): Promise<ReadonlySet<string>> {
    try {
      return await (await this.#gate(session, "list_files")).shownAmong(paths);
    } catch (error) {
      throw asAccessError(error);
    }
  }

  /** Carries a call out within what its session may, and writes it to the audit trail, whatever becomes of it. */
  async #audited<R>(
    session: AccessSession,
    { tool, args, signal }: AskedCall,
    work: (call: ToolCall, tool: FileToolName) => Promise<R>,
  ): Promise<Audited<R>> {
    const record = (made: ToolCall | undefined, outcome: string) => this.#record(session, tool, args, made, outcome);
    let call: ToolCall | undefined;
    try {
      if (!isToolName(tool)) throw new AccessError("unknown_tool", { detail: JSON.stringify(tool.slice(0, 60)) });
      call = new ToolCall(this.kit, session, await this.#gate(session, tool, signal), tool, record);
      if (session.readsOnly && fileTools[tool].access === "write")
        throw new AccessError("denied", { detail: "This caller may only read." });
      await call.allow("calls", 1);
      throwIfCancelled(signal);
      const result = await work(call, tool);
      call.record("ok");
      return { ok: true, result };
    } catch (error) {
      const failure = await failureOf(error, call);
      if (call === undefined) record(undefined, failure.code);
      else call.record(failure.code);
      return { ok: false, error: failure };
    }
  }

  async #gate(session: AccessSession, tool: FileToolName, signal?: AbortSignal): Promise<Gate> {
    const approved = this.#approved.get(session) ?? new Set<string>();
    this.#approved.set(session, approved);
    const project = await this.#rules.project();
    return new Gate({
      files: this.kit.files,
      rules: await this.#rules.current(),
      projectLimits: project?.place.limits ?? {},
      approver: session.approver ?? this.#approver,
      session,
      tool,
      approved,
      signal,
    });
  }

  /**
   * Puts every file that a session changed back as it was before, all or none.
   *
   * @param undone the session's id, as the audit trail has it
   */
  async undoSession(session: AccessSession, undone: string): Promise<ToolOutcome<"rollback">> {
    const tool = "rollback";
    const done = await this.#audited(session, { tool, args: { session: undone } }, (call) =>
      undoSession(call, this.audit.records(), undone),
    );
    return done.ok ? { ...done, tool } : { ...done, tool, result: refusal(done.error) };
  }

  /**
   * A whole file as it is on the disk, for what is not text: decided, counted and audited as `read_file` is.
   * @param maxBytes larger files are refused (`too_large`)
   */
  async readBytes(session: AccessSession, path: string, maxBytes: number): Promise<BytesOutcome> {
    const done = await this.#audited(session, { tool: "read_file", args: { path } }, async (call) => {
      await call.enter([{ needs: "read", asked: path }]);
      const canonical = await call.canonical(path);
      const bytes = await call.bytesOf(canonical, maxBytes);
      await call.allow("bytesRead", bytes.length);
      call.noteShown(canonical, contentHash(bytes), bytes);
      return { path: canonical, bytes };
    });
    return done.ok ? { ok: true, ...done.result } : done;
  }

  #record(session: AccessSession, tool: string, args: unknown, call: ToolCall | undefined, outcome: string): void {
    const event: AuditEvent = {
      caller: session.caller,
      session: session.id,
      tool: tool.slice(0, 100),
      args: auditArguments(args),
      decision: call?.gate.decision ?? (outcome === "denied" ? "deny" : "none"),
      outcome,
      files: call?.touched ?? [],
    };
    this.audit.append(event);
  }
}
