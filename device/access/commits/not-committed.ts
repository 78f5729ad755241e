/** Why a change was not committed, as a sentence. The change itself is made. */
export class NotCommitted extends Error {
  override readonly name = "NotCommitted";
}
