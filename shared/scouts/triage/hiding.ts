/** A value of which nothing is known but that there is one. */
export const unknownValue = "unknown";

const zero = /^0(?:px|pt|em|%)?$/;
const hiding: ReadonlyMap<string, RegExp> = new Map([
  ["display", /^none/],
  ["visibility", /^(?:hidden|collapse)/],
  ["opacity", /^0?\.?0+%?$/],
  ["color", /^transparent/],
  ["text-indent", /^-\d{3,}/],
  ["left", /^-\d{4,}/],
  ["top", /^-\d{4,}/],
  ["clip", /^rect\(\s*0/],
  ["max-height", zero],
  ["max-width", zero],
  ["height", zero],
  ["width", zero],
  ["overflow", /^hidden/],
]);

/** Whether a property may hide text with a value, alone or with another. @param value in lower case */
export const hides = (property: string, value: string): boolean =>
  property === "font-size" ? isSized(value) === false : (hiding.get(property)?.test(value) ?? false);

/** Whether letters of a size are large enough to be seen; undefined where that is as in what is around. */
export function isSized(value: string): boolean | undefined {
  const [, size, unit] = /^(\d*\.?\d+)\s*([a-z%]*)/.exec(value) ?? [];
  if (size !== undefined) return Number(size) > (unit === "px" || unit === "pt" ? 1 : 0);
  return /^(?:inherit|unset|revert|smaller|larger)/.test(value) ? undefined : true;
}
