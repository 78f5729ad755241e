/** What is asked for: to read, change or merge files, more lines of a file, more of what a session may use. */
export const approvalKinds = ["read", "write", "merge", "lines", "allowance", "tool"] as const;

/** Why it is asked; `reason` says it in English. */
export const approvalReasons = [
  ...(["rule", "credentials", "private", "runs_programs", "every_write", "reads_mail", "passwords"] as const),
  ...(["merge_proposed", "lines_given", "allowance_spent", "tool_first_use"] as const),
] as const;
export type ApprovalReason = (typeof approvalReasons)[number];

export interface ApprovalQuestion {
  readonly kind: (typeof approvalKinds)[number];
  readonly why: ApprovalReason;
  /** What is asked for, as a sentence that ends the question "May …?". Holds paths: shown to the person only. */
  readonly action: string;
  readonly tool: string;
  readonly caller: string;
  readonly paths: readonly string[];
  readonly reason: string;
  /** What would change, as a unified diff. */
  readonly diff?: string;
}

/**
 * Somebody who can be asked. MUST answer false when nobody is there, when time is up, when `signal` says that the answer is
 * wanted no more, and for anything but a clear yes.
 */
export interface Approver {
  approve(question: ApprovalQuestion, signal?: AbortSignal): Promise<boolean>;
}

/** Nobody is there: the answer is no. */
export const nobody: Approver = { approve: async () => false };
