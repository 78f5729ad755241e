/** Red, green, blue, 0 to 255 each. */
type Rgb = readonly [number, number, number];

/** What an element passes on to its children: the colours text is drawn in and on. `null` = an image, so unknown. */
export interface InheritedLook {
  readonly color: Rgb;
  readonly background: Rgb | null;
  readonly fontSizeVisible: boolean;
}

/** A mail client's page: black on white. */
export const rootLook: InheritedLook = { color: [0, 0, 0], background: [255, 255, 255], fontSizeVisible: true };

const namedColors = new Map<string, Rgb>([
  ["white", [255, 255, 255]],
  ["black", [0, 0, 0]],
  ["snow", [255, 250, 250]],
  ["ivory", [255, 255, 240]],
  ["whitesmoke", [245, 245, 245]],
  ["ghostwhite", [248, 248, 255]],
  ["silver", [192, 192, 192]],
  ["gray", [128, 128, 128]],
  ["grey", [128, 128, 128]],
  ["red", [255, 0, 0]],
  ["green", [0, 128, 0]],
  ["blue", [0, 0, 255]],
  ["yellow", [255, 255, 0]],
  ["orange", [255, 165, 0]],
  ["navy", [0, 0, 128]],
  ["maroon", [128, 0, 0]],
  ["purple", [128, 0, 128]],
  ["teal", [0, 128, 128]],
]);

function parseColor(value: string): Rgb | undefined {
  const text = value.trim().toLowerCase();
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})(?:[0-9a-f]{1,2})?$/.exec(text)?.[1];
  if (hex) {
    const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
    const bits = Number.parseInt(digits, 16);
    return [bits >> 16, (bits >> 8) & 255, bits & 255];
  }
  const rgb = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/.exec(text);
  if (rgb) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])];
  return namedColors.get(text);
}

/** Text this near its background (largest difference of a channel) cannot be read. */
const unreadableDistance = 12;

function unreadable(look: InheritedLook): boolean {
  const { color, background } = look;
  if (!background) return false;
  return color.every((channel, index) => Math.abs(channel - (background[index] ?? 0)) <= unreadableDistance);
}

const hidingDeclaration =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0+\s*(?:;|!|$)|mso-hide\s*:\s*all|color\s*:\s*transparent|text-indent\s*:\s*-\d{3,}|(?:left|top)\s*:\s*-\d{4,}|clip\s*:\s*rect\(\s*0)/;
const zeroBox = /(?:^|;)\s*(?:max-height|max-width|height|width)\s*:\s*0(?:px|pt|em|%)?\s*(?:;|!|$)/;

function declared(style: string, property: string): string | undefined {
  const pattern = new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;!]{1,100})`, "g");
  let last: string | undefined;
  for (const match of style.matchAll(pattern)) last = match[1];
  return last;
}

function backgroundOf(style: string, attributes: ReadonlyMap<string, string>, inherited: Rgb | null): Rgb | null {
  const image = declared(style, "background-image");
  if (attributes.has("background") || (image && !image.includes("none"))) return null;
  const value = declared(style, "background-color") ?? declared(style, "background") ?? attributes.get("bgcolor");
  if (value === undefined) return inherited;
  if (/url\(|gradient/.test(value)) return null;
  for (const [word] of value.matchAll(/[^\s(]+(?:\([^)]*\)?)?/g)) {
    const color = parseColor(word);
    if (color) return color;
  }
  return inherited;
}

/** The look an element has, from its parent's and its own `style`, `color`, `bgcolor` and `background`. */
export function lookOf(parent: InheritedLook, attributes: ReadonlyMap<string, string>): InheritedLook {
  if (attributes.size === 0) return parent;
  const style = (attributes.get("style") ?? "").toLowerCase();
  const color = parseColor(declared(style, "color") ?? attributes.get("color") ?? attributes.get("text") ?? "");
  const fontSize = /^\s*(\d*\.?\d+)\s*(px|pt|em|rem|%)?/.exec(declared(style, "font-size") ?? "");
  return {
    color: color ?? parent.color,
    background: backgroundOf(style, attributes, parent.background),
    fontSizeVisible: fontSize
      ? Number(fontSize[1]) > (fontSize[2] === "px" || fontSize[2] === "pt" ? 1 : 0)
      : parent.fontSizeVisible,
  };
}

/**
 * Whether an element hides all it holds. Colours and sizes are not asked here, since a descendant may set them again:
 * ask {@link isLegible} at each text.
 */
export function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.size === 0) return false;
  if (attributes.has("hidden")) return true;
  const style = (attributes.get("style") ?? "").toLowerCase();
  if (style === "") return false;
  return hidingDeclaration.test(style) || (zeroBox.test(style) && /overflow\s*:\s*hidden/.test(style));
}

/** Whether text in this look can be told from its background and has a size. */
export function isLegible(look: InheritedLook): boolean {
  return look.fontSizeVisible && !unreadable(look);
}
