import { line } from "../app/shown-text.ts";

/** Under which the trail knows its own person (device/access/person-session.ts). */
const person = "person";

/** Who has done something: a program by its own name, the person as one speaks to them. */
export const callerText = (caller: string, t: (key: "activity.you") => string): string =>
  caller === person ? t("activity.you") : line(caller);
