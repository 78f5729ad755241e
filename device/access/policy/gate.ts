import type { LimitSettings } from "../../config/config-schema.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { AuditEvent } from "../audit/record.ts";
import { AccessError } from "../errors.ts";
import type { AccessSession } from "../session/session.ts";
import type { Sensitivity } from "../store/access-store.ts";
import type { ApprovalQuestion, Approver } from "./approver.ts";
import {
  type Decision,
  decide,
  isIgnoredByRules,
  type Operation,
  type PolicyContext,
  sensitivityIn,
} from "./decide.ts";
import { KeptFromModels } from "./kept-from-models.ts";
import type { RulesInForce } from "./rules.ts";

export interface GateOptions {
  readonly files: ProjectFiles;
  readonly rules: RulesInForce;
  /** What the project itself allows a session to use; it holds whatever else is said. */
  readonly projectLimits: LimitSettings;
  readonly approver: Approver;
  readonly session: AccessSession;
  readonly tool: string;
  /** What was approved before in this session: `operation path`. */
  readonly approved: Set<string>;
  /** The caller wants the answer no more. */
  readonly signal: AbortSignal | undefined;
}

/** One path a call is about, and what for. Whoever changes a file learns of it: `write` needs the right to read as well. */
export interface Claim {
  readonly needs: "list" | Operation;
  /** As the caller spelled it: what a refusal names, since the true name may be hidden. */
  readonly asked: string;
}

/** @see Claim; `path` is canonical */
export type PlacedClaim = Claim & { readonly path: string };

/** What strangers wrote may have told it to. */
const readsMail = { reason: "this program also reads the person's mail", why: "reads_mail" } as const;

type Question = Omit<ApprovalQuestion, "tool" | "caller">;

/** Where one call's accesses are decided, and where it is remembered how. */
export class Gate {
  readonly #options: GateOptions;
  /** Undefined in a session of the person's, who keeps nothing from themselves. */
  readonly #kept: KeptFromModels | undefined;
  #decision: AuditEvent["decision"] = "none";

  constructor(options: GateOptions) {
    this.#options = options;
    this.#kept = options.session.seesKept ? undefined : new KeptFromModels(options.files);
  }

  /** The weightiest decision of the call. */
  get decision(): AuditEvent["decision"] {
    return this.#decision;
  }

  /**
   * Lets a call in, or not, before anything it names is opened: by names alone, so that a refusal says nothing of what is
   * or is not there. What is denied is refused before anybody is asked about the rest.
   *
   * @throws AccessError `denied`, `approval_refused`
   */
  async admit(claims: readonly PlacedClaim[]): Promise<void> {
    for (const { needs, path, asked } of claims) {
      if (needs === "write") await this.#refuseDenied("write", path, asked);
      await this.#refuseDenied("read", path, asked, needs === "list");
    }
    for (const { needs, path, asked } of claims) {
      if (needs === "list") this.#note("allow");
      else await this.#checkReading(path, asked);
    }
  }

  /** Whether a file may be read without asking: for results about many files, where others are left out. */
  async mayShow(path: string): Promise<boolean> {
    const { verdict } = await this.#verdict("read", path);
    return verdict === "allow" || (verdict === "ask" && this.hasApproved(path));
  }

  /** Those of some paths that {@link mayShow} allows. */
  async shownAmong(paths: Iterable<string>): Promise<ReadonlySet<string>> {
    const shown = new Set<string>();
    for (const path of paths) if (await this.mayShow(path)) shown.add(path);
    return shown;
  }

  /** Whether lists and searches pass over a file; it may still be read by its name. */
  isIgnored(path: string): boolean {
    return isIgnoredByRules(path, this.#context);
  }

  /** How careful to be with a file. */
  sensitivityOf(path: string): Sensitivity {
    return sensitivityIn(path, this.#context);
  }

  /** Fires when the caller wants the answer no more. */
  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  get projectLimits(): LimitSettings {
    return this.#options.projectLimits;
  }

  /** Whether somebody has let this session read a file that it would have been asked about. */
  hasApproved(path: string): boolean {
    return this.#options.approved.has(`read ${path}`);
  }

  /** Whether a file's name may be shown: everywhere but where reading is denied. */
  async mayList(path: string): Promise<boolean> {
    return (await this.#verdict("read", path)).verdict !== "deny";
  }

  /**
   * Whether a change may be made, with what it would do. A person who let one change happen has not seen the next one, so
   * each is asked about.
   *
   * @param path canonical
   * @throws AccessError `denied`, `approval_refused`
   */
  async checkWriting(path: string, diff: string): Promise<void> {
    await this.#refuseDenied("write", path, path);
    const { verdict, reason, why } = await this.#verdict("write", path);
    if (verdict === "allow") return this.#note("allow");
    await this.put({ kind: "write", action: `write ${path}`, paths: [path], reason, why, diff });
  }

  /** Asks once a session for each action. @throws AccessError `approval_refused` */
  async ask(question: Question, asked?: string): Promise<void> {
    const { approved } = this.#options;
    if (approved.has(question.action)) return this.#note("approved");
    await this.put(question, asked);
    approved.add(question.action);
  }

  /** Asks, whatever was answered before. @throws AccessError `approval_refused` */
  async put(question: Question, asked = question.paths[0]): Promise<void> {
    const { approver, session, tool, signal } = this.#options;
    const yes = await approver.approve({ ...question, tool, caller: session.caller }, signal);
    this.#note(yes ? "approved" : "refused");
    if (yes) return;
    const about = asked === undefined ? {} : { path: asked };
    throw new AccessError("approval_refused", { ...about, detail: `It was asked for because ${question.reason}.` });
  }

  async #checkReading(path: string, asked: string): Promise<void> {
    const { verdict, reason, why } = await this.#verdict("read", path);
    if (verdict === "allow") return this.#note("allow");
    await this.ask({ kind: "read", action: `read ${path}`, paths: [path], reason, why }, asked);
  }

  async #refuseDenied(operation: Operation, path: string, asked: string, isDirectory = false): Promise<void> {
    const { verdict, reason } = await this.#verdict(operation, path, isDirectory);
    if (verdict !== "deny") return;
    this.#note("deny");
    throw new AccessError("denied", { path: asked, detail: `The reason: ${reason}.` });
  }

  async #verdict(operation: Operation, path: string, isDirectory = false): Promise<Decision> {
    const decision = decide(operation, path, this.#context);
    if (decision.verdict === "deny") return decision;
    const kept = await this.#kept?.decide(operation, path, isDirectory);
    if (kept !== undefined) return kept;
    const isMailed = operation === "write" && decision.verdict === "allow" && this.#options.session.asksForWrites;
    return isMailed ? { ...readsMail, verdict: "ask" as const } : decision;
  }

  get #context(): PolicyContext {
    const { rules, files } = this.#options;
    return { rules, foldsCase: files.folding.foldsCase };
  }

  #note(decision: AuditEvent["decision"]): void {
    const order = ["none", "allow", "approved", "refused", "deny"] as const;
    if (order.indexOf(decision) > order.indexOf(this.#decision)) this.#decision = decision;
  }
}
