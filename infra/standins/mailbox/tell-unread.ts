import { join } from "node:path";
import { reportTrouble } from "../report-failure.ts";

const mostTold = 5;

const mostNamed = 10;
/** What a shell takes as it is: a command is copied, and names are made by anybody. */
const isPlain = (path: string): boolean => /^[\p{L}\p{N}/._+@~-]+$/u.test(path);

/** Says which folders of mail within a mailbox are not looked at: sorted mail would be missed by nobody. */
export function tellInner(path: string, inner: readonly string[]): void {
  const [first] = inner;
  if (first === undefined) return;
  const names = inner.slice(0, mostNamed).join(", ");
  const example = join(path, first);
  const more = inner.length > mostNamed ? ` and ${inner.length - mostNamed} more` : "";
  reportTrouble(
    `${path} holds folders of mail that are not looked at: ${names}${more}. Add those you want read too: scouts add mailbox ${isPlain(example) ? example : "PATH"}`,
  );
}

/** Says which files of a mailbox cannot be read, once of each: nobody would miss mail that was never seen. */
export function tellUnread(paths: readonly string[]): void {
  for (const path of paths.slice(0, mostTold)) {
    reportTrouble(
      `${path} cannot be read, or not to its end, so mail in it is not seen; the rest of its mailbox is. It may belong to somebody else, be a link that leads nowhere, or lie on a disk that fails. It is looked at again and again, and read once it can be.`,
    );
  }
  if (paths.length > mostTold) reportTrouble(`So it is with ${paths.length - mostTold} more files of that mailbox.`);
}
