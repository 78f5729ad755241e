import type { ProjectFiles } from "../../files/project-files.ts";
import type { AuditEvent } from "../audit/record.ts";
import { AccessError } from "../errors.ts";
import type { AccessSession } from "../session/session.ts";
import type { ApprovalQuestion, Approver } from "./approver.ts";
import { decide, type Operation } from "./decide.ts";
import type { AccessRules } from "./rules.ts";

export interface GateOptions {
  readonly files: ProjectFiles;
  readonly rules: AccessRules;
  readonly approver: Approver;
  readonly session: AccessSession;
  readonly tool: string;
  /** What was approved before in this session: `operation path`. */
  readonly approved: Set<string>;
}

type Question = Omit<ApprovalQuestion, "tool" | "caller">;

/** Where one call's accesses are decided, and where it is remembered how. */
export class Gate {
  readonly #options: GateOptions;
  #decision: AuditEvent["decision"] = "none";

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** The weightiest decision of the call. */
  get decision(): AuditEvent["decision"] {
    return this.#decision;
  }

  /** Whether a file may be read without asking: for results about many files, where others are left out. */
  mayShow(path: string): boolean {
    return this.#verdict("read", path).verdict === "allow" || this.#options.approved.has(`read ${path}`);
  }

  /** Whether a file's name may be shown: everywhere but where reading is denied. */
  mayList(path: string): boolean {
    return this.#verdict("read", path).verdict !== "deny";
  }

  /**
   * @param path canonical
   * @throws AccessError `denied`, `approval_refused`
   */
  async check(operation: Operation, path: string, diff?: string): Promise<void> {
    this.refuseDenied(operation, path);
    const { verdict, reason } = this.#verdict(operation, path);
    if (verdict === "allow") return this.#note("allow");
    const question = { action: `${operation} ${path}`, paths: [path], reason, ...(diff === undefined ? {} : { diff }) };
    // A person who let one change happen has not seen the next one.
    if (operation === "write") await this.#put(question);
    else await this.ask(question);
  }

  /** For what need not be asked about yet. @throws AccessError `denied` */
  refuseDenied(operation: Operation, path: string): void {
    const { verdict, reason } = this.#verdict(operation, path);
    if (verdict !== "deny") return;
    this.#note("deny");
    throw new AccessError("denied", { path, detail: `The reason: ${reason}.` });
  }

  /** Asks once a session for each action. @throws AccessError `approval_refused` */
  async ask(question: Question): Promise<void> {
    const { approved } = this.#options;
    if (approved.has(question.action)) return this.#note("approved");
    await this.#put(question);
    approved.add(question.action);
  }

  async #put(question: Question): Promise<void> {
    const { approver, session, tool } = this.#options;
    const yes = await approver.approve({ ...question, tool, caller: session.caller });
    this.#note(yes ? "approved" : "refused");
    if (yes) return;
    const [path] = question.paths;
    const about = path === undefined ? {} : { path };
    throw new AccessError("approval_refused", { ...about, detail: `It was asked for because ${question.reason}.` });
  }

  #verdict(operation: Operation, path: string) {
    const { rules, files } = this.#options;
    return decide(operation, path, { rules, foldsCase: files.foldsCase });
  }

  #note(decision: AuditEvent["decision"]): void {
    const order = ["none", "allow", "approved", "refused", "deny"] as const;
    if (order.indexOf(decision) > order.indexOf(this.#decision)) this.#decision = decision;
  }
}
