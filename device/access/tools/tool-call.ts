import { contentHash } from "../../files/content-hash.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import { canonicalPath } from "../../files/paths/project-path.ts";
import type { AuditFile } from "../audit/record.ts";
import { type FoundFile, findFile } from "../changes/file-on-disk.ts";
import { parseDocument, splitLines, type TextDocument } from "../edits/lines/document.ts";
import { AccessError, isAccessError } from "../errors.ts";
import type { Claim, Gate, PlacedClaim } from "../policy/gate.ts";
import { headBytes, isListOfPasswords, listOfPasswords } from "../policy/password-list.ts";
import { type BackendProfile, backendProfiles } from "../policy/profiles.ts";
import type { LargeFile } from "../reading/large-text.ts";
import { countTokens } from "../reading/token-count.ts";
import { charsPerLine, type LinePart } from "../session/disclosed-lines.ts";
import type { Allowance } from "../session/limits.ts";
import type { AccessSession } from "../session/session.ts";
import type { FileVersion } from "../store/access-store.ts";
import type { AccessKit } from "./access-kit.ts";
import type { NamedContent } from "./content-names.ts";
import { spendAllowance } from "./spend-allowance.ts";

const maxVersions = 10_000;
/** A text file as it may be shown: line by line, without credentials. */
export interface ShownFile {
  readonly path: string;
  readonly found: FoundFile;
  readonly document: TextDocument;
  /** With their endings; as many as the document has. */
  readonly shownLines: readonly string[];
  readonly redactions: number;
  /** Its lines are those of the text that was taken out of a document: no edit can name them. */
  readonly isExtracted?: boolean;
}

/** One call of one tool: its gate, its session, and what it did. */
export class ToolCall {
  readonly kit: AccessKit;
  readonly session: AccessSession;
  readonly gate: Gate;
  readonly tool: string;
  readonly profile: BackendProfile;
  /** What the call changed, or has given of files. */
  readonly touched: AuditFile[] = [];
  readonly #record: (call: ToolCall, outcome: string) => void;
  /** False for a search: a person is not asked about each file that it meets. */
  asksForContent = true;
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

  /** Decides on everything the call is about before anything of it is opened. @throws AccessError as {@link Gate.admit} */
  async enter(claims: readonly Claim[]): Promise<void> {
    const placed: PlacedClaim[] = [];
    for (const claim of claims) placed.push({ ...claim, path: await this.canonical(claim.asked) });
    await this.gate.admit(placed);
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

  /** Opens a file for its text; of a document it is taken out. @throws AccessError `not_found`, and those of `find` and `shown` */
  async open(path: string): Promise<ShownFile> {
    const canonical = await this.canonical(path);
    const found = await this.find(canonical);
    if (found === null) throw new AccessError("not_found", { path });
    const extracted = await this.kit.documents.textOf(canonical, found);
    if (extracted === undefined) return this.shown(canonical, found);
    return { path: canonical, found, ...extracted, isExtracted: true };
  }

  /**
   * A text file that is too large for {@link open}, to be shown in parts; undefined: it is not, or not there.
   *
   * @throws AccessError `denied`, `binary_file`, `conflict`
   */
  async openLarge(asked: string): Promise<LargeFile | undefined> {
    const path = await this.canonical(asked);
    await this.#refuseHidden(path);
    try {
      const metadata = await this.kit.files.metadata(path);
      if (metadata.kind !== "file" || metadata.sizeBytes <= this.kit.maxTextBytes) return undefined;
      await this.#admitContent(path, await this.kit.files.read(path, { range: { startByte: 0, endByte: headBytes } }));
      return { path, text: await this.kit.largeTexts.open(path, metadata) };
    } catch (error) {
      if (isProjectFilesError(error, "NotFound", "NotADirectory")) return undefined;
      throw error;
    }
  }

  /**
   * A file as it is now; null: it is not there. With {@link openLarge} the only way to a file's bytes: a tool that forgot to
   * ask the gate is told no there.
   *
   * @param path canonical
   * @throws AccessError `denied`, `approval_refused` (a list of passwords), `too_large`, `not_a_file`
   */
  async find(path: string): Promise<FoundFile | null> {
    const { maxTextBytes } = this.kit;
    await this.#refuseHidden(path);
    try {
      const found = await findFile(this.kit.files, path, maxTextBytes);
      if (found !== null) await this.#admitContent(path, found.bytes);
      return found;
    } catch (error) {
      if (!isProjectFilesError(error, "TooLarge")) throw error;
      throw new AccessError(
        "too_large",
        {
          path,
          detail: `Files of more than ${maxTextBytes} bytes are read by lines or pages (read_lines, read_file), and not changed.`,
        },
        error,
      );
    }
  }

  /** The content of a version; null: the file was not there. @throws AccessError `denied`, `version_pruned` */
  async contentOf({ hash, path }: FileVersion): Promise<Uint8Array | null> {
    await this.#refuseHidden(path);
    if (hash === null) return null;
    const bytes = this.kit.store.contents.get(hash);
    if (bytes === undefined) throw new AccessError("version_pruned", { path });
    if (isListOfPasswords(bytes) && !this.gate.hasApproved(path))
      throw new AccessError("denied", { path, detail: listOfPasswords });
    return bytes;
  }

  /** A list of passwords is asked for whatever it is called; its name did not say what it is. */
  async #admitContent(path: string, bytes: Uint8Array): Promise<void> {
    if (!isListOfPasswords(bytes) || this.gate.hasApproved(path)) return;
    if (!this.asksForContent) throw new AccessError("denied", { path, detail: listOfPasswords });
    await this.gate.ask({
      kind: "read",
      action: `read ${path}`,
      paths: [path],
      reason: "it is a list of passwords",
      why: "passwords",
    });
  }

  /** The bytes of a file for other readers than text's; what they make of them is theirs to judge. @param path canonical */
  async bytesOf(path: string, maxBytes: number): Promise<Uint8Array> {
    await this.#refuseHidden(path);
    const bytes = await this.kit.files.read(path, { maxBytes });
    await this.#admitContent(path, bytes);
    return bytes;
  }

  async #refuseHidden(path: string): Promise<void> {
    if (!(await this.gate.mayShow(path)))
      throw new AccessError("denied", { detail: "The policy asks for or denies reading it." });
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

  /** How a content is called in an answer; a person who sees the file itself is told its SHA-256. */
  nameOf(content: NamedContent): string {
    return this.session.seesCredentials ? content.hash : this.kit.names.nameOf(content);
  }

  /**
   * The SHA-256 of the content a caller calls so, among those of a file: as it is, as the session has seen it, its history.
   *
   * @returns "" when it is none of them
   */
  hashNamed(name: string, path: string, current: FoundFile | null): string {
    if (this.session.seesCredentials) return name;
    const seen = this.session.seen(path);
    const near = [current, seen].filter((each) => each !== null && each !== undefined);
    const found = this.kit.names.hashOf(name, near);
    if (found !== undefined) return found;
    const versions = this.kit.store.versions.list(path, maxVersions);
    const kept = versions.flatMap(({ hash }) => (hash === null ? [] : [{ hash }]));
    return this.kit.names.hashOf(name, kept) ?? "";
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
  allow(allowance: Allowance, amount: number): Promise<void> {
    return spendAllowance(this, allowance, amount);
  }

  /**
   * Counts lines of a file as given to the session, whichever tool gives them, asking when they are more than its backend is
   * given of one file.
   *
   * @throws AccessError `budget_exceeded`
   */
  async give(path: string, parts: readonly LinePart[]): Promise<void> {
    const given = this.session.given(path);
    const share = this.profile.linesWithoutApproval;
    const [cost, left] = [given.cost(parts), given.left(share)];
    if (cost > left) {
      const reason = `a ${this.session.backend} model is given at most ${share} lines of a file in a session, and this one has had ${given.spent}`;
      try {
        const action = `read ${cost} more lines of ${path}`;
        await this.gate.put({ kind: "lines", action, paths: [path], reason, why: "lines_given" });
      } catch (error) {
        if (!isAccessError(error, "approval_refused")) throw error;
        const advice = left > 0 ? `Ask for at most ${left} lines more` : "Work with what it has given";
        const detail = `It would give ${cost} lines more, and ${reason} (a line of more than ${charsPerLine} characters counts as several). ${advice}, or let a person approve it.`;
        throw new AccessError("budget_exceeded", { path, detail }, error);
      }
      given.extend(share, cost);
    }
    given.give(parts);
  }

  /** As {@link give}, without asking. False: they are too many, and not given. */
  mayGive(path: string, parts: readonly LinePart[]): boolean {
    const given = this.session.given(path);
    if (given.cost(parts) > given.left(this.profile.linesWithoutApproval)) return false;
    given.give(parts);
    return true;
  }

  /**
   * Keeps for the audit trail what the caller is given of a file, when nothing can refuse it any more.
   *
   * @param hash of the file's content; a difference has two
   * @param shown as the answer has it
   */
  noteShown(path: string, hash: string | null, shown: string | Uint8Array, afterHash = hash): void {
    const bytes = typeof shown === "string" ? Buffer.from(shown) : shown;
    this.touched.push({ path, beforeHash: hash, afterHash, versionId: null, shownHash: contentHash(bytes) });
  }

  /** For diffs: true once this call has had its time. */
  deadline(): () => boolean {
    const until = performance.now() + this.kit.diffTimeMs;
    return () => performance.now() > until;
  }
}
