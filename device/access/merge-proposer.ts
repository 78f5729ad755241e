/** A review model that is shown both changes of a text and proposes how they go together. */
export interface MergeProposer {
  /**
   * Texts without credentials. MUST answer undefined when it has no proposal; what it answers is shown to a person and
   * applied only when that person approves it.
   */
  propose(texts: MergeTexts): Promise<string | undefined>;
}

export interface MergeTexts {
  readonly path: string;
  /** What the edit was made against. */
  readonly base: string;
  /** With the edit. */
  readonly edited: string;
  /** As it is now. */
  readonly current: string;
}
