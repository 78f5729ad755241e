import { isScoutsError, type ScoutsError } from "../../events/errors.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { DeviceError } from "../errors.ts";

/** What the cloud refuses with a fixed sentence, with the names a person knows. */
export function explained(error: unknown, others: readonly ScoutResponse[]): unknown {
  if (!isScoutsError(error)) return error;
  if (error.code === "source_in_use") {
    const other = others.find(({ id }) => id === error.data["scoutId"]);
    const who = other === undefined ? "Another scout of yours" : other.name;
    return new DeviceError("source_in_use", {
      sentence: `${who} reads this source already; two would propose everything twice.`,
      cause: error,
    });
  }
  if (error.code === "source_unknown") {
    const known = error.data["known"];
    const there = typeof known === "string" ? ` It reads: ${known}.` : "";
    return new DeviceError("source_unknown", {
      sentence: `This home does not read such a source.${there}`,
      cause: error,
    });
  }
  // The cloud's sentence is of a scout that looks by itself; here somebody waits for it.
  if (error.code === "source_unavailable") return new DeviceError("source_unavailable", { cause: error });
  if (error.code === "invalid_request") return refusedField(error);
  return error;
}

/** Another account was chosen than the scout's: which is which, as far as the cloud told its owner. */
export function otherAccount(
  error: ScoutsError,
  { name, sourceType }: Pick<ScoutResponse, "name" | "sourceType">,
): DeviceError {
  const { expected, chosen } = error.data;
  const own = typeof expected === "string" ? expected : "another account than the one you chose";
  const other = typeof chosen === "string" ? `, and you chose ${chosen}` : "";
  return new DeviceError("source_account_other", {
    sentence: `${name} reads ${own}${other}; it is as it was. Choose its own account, or add the other: scouts add ${sourceType}`,
    cause: error,
  });
}

/** What is wrong with a field, where its name alone does not say it. */
const cures: Readonly<Record<string, string>> = {
  schedule: 'A schedule is a cron expression of five fields in UTC, such as "0 7 * * *".',
  autoTrash: "This source has no Trash to move spam to.",
  url: "Give a web address, such as https://example.org/feed.xml, without user and password.",
  host: "Give the server by its name, such as imap.example.org.",
  path: "Give the whole path on the home's machine: of an mbox file, a Maildir or a folder of .eml.",
};

function refusedField(error: ScoutsError): DeviceError {
  const where = String(error.data["where"] ?? "").replaceAll("settings.", "");
  const plain = where === "" || where === "settings" ? "The source needs other settings than these." : undefined;
  return new DeviceError("usage", {
    sentence: cures[where] ?? plain ?? `Not usable: ${where}.`,
    data: { field: where },
    cause: error,
  });
}
