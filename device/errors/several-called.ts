import { DeviceError } from "../errors.ts";

/** As many as a person looks through. */
const mostNamed = 10;

/**
 * A name, or the beginning of an id, that means several things: their ids are told, since more of the name may not tell them apart.
 *
 * @param what `proposals`, `dismissed items`, `scouts`, `answers`, `tasks` …
 * @param all what is meant; with their titles where the text is only a part of those
 */
export function severalCalled(
  what: string,
  text: string,
  all: readonly { readonly id: string; readonly title?: string }[],
): DeviceError {
  const named = all.slice(0, mostNamed).map(({ id, title }) => (title === undefined ? id : `${id} (${title})`));
  const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : "";
  return new DeviceError("usage", {
    sentence: `Several ${what} are called ${text}; give the id of the one you mean: ${named.join(", ")}${more}.`,
  });
}
