import { type AccessErrorCode, accessErrorSentences } from "../access/errors.ts";

/** What the rules about a project's files, or the files themselves, do not allow. `message` may quote paths. */
export class FileRefusal extends Error {
  override readonly name = "FileRefusal";
  readonly code: AccessErrorCode;

  constructor(code: AccessErrorCode, message: string = accessErrorSentences[code]) {
    super(message);
    this.code = code;
  }
}
