import { DeviceError } from "../errors.ts";

/** As many as a person looks through. */
const mostNamed = 10;

/**
 * A name that several things have. Where it is the whole ref of each there is no more of it to give, and their ids are told.
 *
 * @param what `proposals`, `dismissed items`
 * @param ids of all that are meant
 */
export function severalCalled(what: string, text: string, ids: readonly string[]): DeviceError {
  const isWhole = ids.every((id) => id.endsWith(`.${text}`));
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : "";
  const cure = isWhole
    ? `give the id of the one you mean: ${ids.slice(0, mostNamed).join(", ")}${more}`
    : "give more of the ref or id";
  return new DeviceError("usage", { sentence: `Several ${what} are called ${text}; ${cure}.` });
}
