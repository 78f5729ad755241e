/** Why a change was not committed, as a sentence. The change itself is made. */
export class NotCommitted extends Error {
  override readonly name = "NotCommitted";
  /** The person's own git is at work just now: tried again, it may well go. */
  readonly isPassing: boolean;

  constructor(
    message: string,
    { isPassing = false, ...options }: ErrorOptions & { readonly isPassing?: boolean } = {},
  ) {
    super(message, options);
    this.isPassing = isPassing;
  }
}
