import { reportTrouble } from "../report-failure.ts";

const mostTold = 5;

/** Says which files of a mailbox cannot be read, once of each: nobody would miss mail that was never seen. */
export function tellUnread(paths: readonly string[]): void {
  for (const path of paths.slice(0, mostTold)) {
    reportTrouble(
      `${path} cannot be read, or not to its end, so mail in it is not seen; the rest of its mailbox is. It may belong to somebody else, be a link that leads nowhere, or lie on a disk that fails. It is looked at again and again, and read once it can be.`,
    );
  }
  if (paths.length > mostTold) reportTrouble(`So it is with ${paths.length - mostTold} more files of that mailbox.`);
}
