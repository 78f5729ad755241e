export interface ApprovalQuestion {
  /** What is asked for, as a sentence that ends the question "May …?". Holds paths: shown to the person only. */
  readonly action: string;
  readonly tool: string;
  readonly caller: string;
  readonly paths: readonly string[];
  readonly reason: string;
  /** What would change, as a unified diff. */
  readonly diff?: string;
}

/** Somebody who can be asked. MUST answer false when nobody is there, when time is up, and for anything but a clear yes. */
export interface Approver {
  approve(question: ApprovalQuestion): Promise<boolean>;
}

/** Nobody is there: the answer is no. */
export const nobody: Approver = { approve: async () => false };
