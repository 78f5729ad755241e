import { isProjectFilesError } from "../../files/errors.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { canonicalPath } from "../../files/paths/project-path.ts";
import type { AuditFile } from "../audit/record.ts";
import type { ChangeApplier } from "../changes/change-applier.ts";
import { type FoundFile, findFile } from "../changes/file-on-disk.ts";
import type { PathLocks } from "../changes/path-locks.ts";
import type { WriteLease } from "../changes/write-lease.ts";
import { parseDocument, splitLines, type TextDocument } from "../edits/lines/document.ts";
import { AccessError } from "../errors.ts";
import type { MergeProposer } from "../merge-proposer.ts";
import type { Gate } from "../policy/gate.ts";
import { type BackendProfile, backendProfiles } from "../policy/profiles.ts";
import { countTokens } from "../reading/token-count.ts";
import type { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import type { Registry } from "../registry.ts";
import type { Allowance } from "../session/limits.ts";
import type { AccessSession } from "../session/session.ts";
import type { AccessStore } from "../store/access-store.ts";
import type { Summaries } from "../summaries/summaries.ts";

/** What all calls on one project share. */
export interface AccessKit {
  readonly files: ProjectFiles;
  readonly store: AccessStore;
  readonly registry: Registry;
  readonly applier: ChangeApplier;
  readonly locks: PathLocks;
  readonly lease: WriteLease;
  readonly redactor: Redactor;
  readonly summaries: Summaries;
  readonly mergeProposer: MergeProposer | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  /** Text files larger than this are not opened. */
  readonly maxTextBytes: number;
  readonly diffTimeMs: number;
}

/** A text file as it may be shown: line by line, without credentials. */
export interface ShownFile {
  readonly path: string;
  readonly found: FoundFile;
  readonly document: TextDocument;
  /** With their endings; as many as the document has. */
  readonly shownLines: readonly string[];
  readonly redactions: number;
}

/** One call of one tool: its gate, its session, and what it did. */
export class ToolCall {
  readonly kit: AccessKit;
  readonly session: AccessSession;
  readonly gate: Gate;
  readonly tool: string;
  readonly profile: BackendProfile;
  /** Filled by tools that change files. */
  readonly touched: AuditFile[] = [];
  readonly #record: (call: ToolCall, outcome: string) => void;
  #isRecorded = false;

  constructor(
    kit: AccessKit,
    session: AccessSession,
    gate: Gate,
    tool: string,
    record: (call: ToolCall, outcome: string) => void,
  ) {
    this.kit = kit;
    this.#record = record;
    this.session = session;
    this.gate = gate;
    this.tool = tool;
    this.profile = backendProfiles[session.backend];
  }

  /** Writes the call to the audit trail, once: a tool that changes files does it with the change, others leave it to their caller. */
  record(outcome: string): void {
    if (this.#isRecorded) return;
    this.#record(this, outcome);
    this.#isRecorded = true;
  }

  /** The one spelling of a path; refused when a link leads out of the project. */
  async canonical(path: string): Promise<string> {
    return await this.kit.files.canonical(path);
  }

  /** A path that must name the file itself: deleting or moving a link would not do to its target what was asked. */
  async canonicalWithoutLink(path: string): Promise<string> {
    const [spelled, canonical] = [canonicalPath(path, "posix"), await this.canonical(path)];
    const parent = spelled.includes("/") ? spelled.slice(0, spelled.lastIndexOf("/")) : "";
    const name = spelled.slice(parent === "" ? 0 : parent.length + 1);
    if (!(await this.kit.files.exists(parent))) return canonical;
    const entry = (await this.kit.files.listDir(parent)).find((candidate) => candidate.path === name);
    if (entry?.kind === "symlink") throw new AccessError("not_a_file", { path, detail: "It is a symbolic link." });
    return canonical;
  }

  /** Opens a text file, if policy and allowance let it. */
  async open(path: string): Promise<ShownFile> {
    const canonical = await this.canonical(path);
    await this.gate.check("read", canonical);
    const found = await this.find(canonical);
    if (found === null) throw new AccessError("not_found", { path });
    return this.shown(canonical, found);
  }

  /** @throws AccessError `too_large`, `not_a_file` */
  async find(path: string): Promise<FoundFile | null> {
    const { maxTextBytes } = this.kit;
    try {
      return await findFile(this.kit.files, path, maxTextBytes);
    } catch (error) {
      if (!isProjectFilesError(error, "TooLarge")) throw error;
      throw new AccessError("too_large", { path, detail: `More than ${maxTextBytes} bytes.` }, error);
    }
  }

  /** @throws AccessError `binary_file` */
  shown(path: string, found: FoundFile): ShownFile {
    try {
      const document = parseDocument(found.bytes);
      const text = document.lines.map(({ text: line, ending }) => line + ending).join("");
      const { text: shownText, count } = this.kit.redactor.redact(text);
      const shownLines = splitLines(shownText).map(({ text: line, ending }) => line + ending);
      return { path, found, document, shownLines, redactions: count };
    } catch (error) {
      throw error instanceof AccessError ? error.about(path) : error;
    }
  }

  /** Text that explains a refusal, without credentials. */
  redacted(text: string): string {
    return this.kit.redactor.redact(text).text;
  }

  /** Counts what a result gives away, asking or refusing beyond the allowance. Exact tokens. */
  async charge(text: string): Promise<number> {
    const tokens = await countTokens(text);
    await this.allow("bytesRead", Buffer.byteLength(text));
    await this.allow("tokensRead", tokens);
    return tokens;
  }

  /** @throws AccessError `budget_exceeded` */
  async allow(allowance: Allowance, amount: number): Promise<void> {
    const { session } = this;
    if (session.wouldExceed(allowance, amount)) {
      const reason = `the session may use ${session.limits[allowance]} (${allowance}) and has used ${session.spent[allowance]}`;
      if (session.limits.whenSpent === "refuse") throw new AccessError("budget_exceeded", { detail: `${reason}.` });
      await this.gate.ask({ action: `go on beyond ${allowance} ${session.spent[allowance]}`, paths: [], reason });
      session.extend(allowance);
      if (session.wouldExceed(allowance, amount)) throw new AccessError("budget_exceeded", { detail: `${reason}.` });
    }
    session.spend(allowance, amount);
  }

  /** For diffs: true once this call has had its time. */
  deadline(): () => boolean {
    const until = performance.now() + this.kit.diffTimeMs;
    return () => performance.now() > until;
  }
}
