import type { Sight } from "../../../device/sources/asked/see.ts";
import { errorKinds } from "../../../events/error-kinds.ts";
import type { SourceSees } from "../../../events/sources/sees.ts";

import { counted } from "../../output/counted.ts";

const figures = new Intl.NumberFormat("en");

/** What a scout sees, in a sentence: `Inbox of ada@example.com, 4,210 items, 312 unread; polling every 15 minutes …`. */
export function seesText(sees: SourceSees): string {
  const { items, missing, unread, pollEveryMs } = sees;
  const what = [
    placeText(sees),
    ...(items === null ? [] : [counted(items, "item")]),
    ...(unread === null ? [] : [`${figures.format(unread)} unread`]),
  ].join(", ");
  const lacks = missing.length === 0 ? "" : `; not there: ${missing.map(folderText).join(", ")}`;
  return `${what}${lacks}; polling every ${span(pollEveryMs)}${pushText(sees)}.`;
}

/** Why it sees nothing, in the place of what it would see. */
export function sightText(sight: Sight): string {
  if (sight.isSeen) return seesText(sight.sees);
  const { message, code } = sight.error;
  return `nothing at the moment: ${message} (${code})`;
}

/** The same for programs. */
export const sightFacts = (sight: Sight) =>
  sight.isSeen ? { sees: sight.sees } : { sees: null, error: { code: sight.error.code, message: sight.error.message } };

/** The one folder that every mail server has is called so in capitals (RFC 9051 §5.1). */
const folderText = (name: string) => (name === "INBOX" ? "Inbox" : name);

const placeText = ({ place, folders }: SourceSees) =>
  folders.length === 0 ? place : `${folders.map(folderText).join(", ")} of ${place}`;

/** Whether news is announced as well, and if not, why. */
function pushText({ push, pushCode }: SourceSees): string {
  switch (push) {
    case "on":
      return ", and told of news at once";
    case "off":
      return `; push is off because ${pushCode === null ? "the source refused it" : cause(errorKinds[pushCode].sentence)}`;
    case "soon":
      return "; the source is being asked to tell of news at once";
    case "never":
      return "";
  }
}

/** A sentence as a part of another. */
const cause = (sentence: string) => `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1).replace(/\.$/, "")}`;

function span(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 120) return minutes === 1 ? "minute" : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
