import { hides, isSized, unknownValue } from "./hiding.ts";
import { addOwn, type StyleSheet, type Weighed } from "./style-sheet.ts";

/** Red, green, blue, 0 to 255 each. */
type Rgb = readonly [number, number, number];

/** What an element passes on to its children: the colours text is drawn in and on. `null` = an image, or one not known. */
export interface InheritedLook {
  readonly color: Rgb | "transparent" | null;
  readonly background: Rgb | null;
  /** Whether letters are large enough to be seen. */
  readonly isSized: boolean;
  readonly isVisible: boolean;
}

/** A mail client's page: black on white. */
export const rootLook: InheritedLook = {
  color: [0, 0, 0],
  background: [255, 255, 255],
  isSized: true,
  isVisible: true,
};

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

/** Names of the web's other colours (CSS Color, 6.1), of which it is enough that they are some. */
const otherColors: ReadonlySet<string> = new Set(
  (
    "aliceblue antiquewhite aqua aquamarine azure beige bisque blanchedalmond blueviolet brown burlywood cadetblue chartreuse " +
    "chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki " +
    "darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey " +
    "darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro " +
    "gold goldenrod greenyellow honeydew hotpink indianred indigo khaki lavender lavenderblush lawngreen lemonchiffon lightblue " +
    "lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue " +
    "lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta mediumaquamarine mediumblue " +
    "mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue " +
    "mintcream mistyrose moccasin navajowhite oldlace olive olivedrab orangered orchid palegoldenrod palegreen paleturquoise " +
    "palevioletred papayawhip peachpuff peru pink plum powderblue rebeccapurple rosybrown royalblue saddlebrown salmon sandybrown " +
    "seagreen seashell sienna skyblue slateblue slategray slategrey springgreen steelblue tan thistle tomato turquoise violet " +
    "wheat yellowgreen"
  ).split(" "),
);
/** Colours that are worked out in other ways than from red, green and blue (CSS Color 4 and 5), or elsewhere. */
const otherNotation = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|var)\(/;

/** A colour, and how much of what is behind it it hides: 0 nothing, 1 all. */
interface Paint {
  readonly rgb: Rgb;
  readonly alpha: number;
}

/** Null for a colour that is not known; undefined for what is none. */
function parseColor(value: string): Paint | null | undefined {
  const text = value.trim().toLowerCase();
  const [, short, shortAlpha, long, longAlpha] =
    /^#?(?:([0-9a-f]{3})([0-9a-f])?|([0-9a-f]{6})([0-9a-f]{2})?)$/.exec(text) ?? [];
  const hex = short === undefined ? long : twice(short);
  if (hex !== undefined) {
    const bits = Number.parseInt(hex, 16);
    const alpha = longAlpha ?? (shortAlpha === undefined ? "ff" : twice(shortAlpha));
    return { rgb: [bits >> 16, (bits >> 8) & 255, bits & 255], alpha: Number.parseInt(alpha, 16) / 255 };
  }
  const [, red, green, blue, part, percent] =
    /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:\s{0,9}[,/]\s{0,9}(\d{0,3}\.?\d{1,12})(%)?)?\s{0,9}\)?$/.exec(
      text,
    ) ?? [];
  if (red !== undefined) {
    const alpha = Number(part ?? 1) / (percent === undefined ? 1 : 100);
    return { rgb: [Number(red), Number(green), Number(blue)], alpha: Math.min(alpha, 1) };
  }
  const named = namedColors.get(text);
  if (named !== undefined) return { rgb: named, alpha: 1 };
  return otherColors.has(text) || otherNotation.test(text) ? null : undefined;
}

const twice = (digits: string): string => [...digits].map((digit) => digit + digit).join("");

/** A colour on what is behind it; null where that is not known. */
function laidOn(behind: Rgb | null, { rgb, alpha }: Paint): Rgb | null {
  if (alpha === 1) return rgb;
  if (behind === null || alpha === 0) return behind;
  const [red, green, blue] = rgb.map((channel, at) => channel * alpha + (behind[at] ?? 0) * (1 - alpha));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

/** Text this near its background (largest difference of a channel) cannot be read. */
const unreadableDistance = 12;

function unreadable(look: InheritedLook): boolean {
  const { color, background } = look;
  if (color === "transparent") return true;
  if (!background || !color) return false;
  return color.every((channel, index) => Math.abs(channel - (background[index] ?? 0)) <= unreadableDistance);
}

/** What an element says of its look: by its style and those of the letter, and by older attributes. */
export interface OwnLook {
  readonly declared: ReadonlyMap<string, Weighed>;
  readonly attributes: ReadonlyMap<string, string>;
}

/** An element's own look. @param sheet of its letter */
export function ownLook(tag: string, attributes: ReadonlyMap<string, string>, sheet: StyleSheet): OwnLook {
  const style = attributes.get("style") ?? "";
  if (sheet.isEmpty && style === "") return { declared: nothing, attributes };
  const classes = (attributes.get("class") ?? "").split(/\s+/).filter((name) => name !== "");
  const declared = sheet.of({ tag, id: attributes.get("id") ?? "", classes });
  addOwn(declared, style);
  return { declared, attributes };
}

const nothing: ReadonlyMap<string, Weighed> = new Map();

function backgroundOf({ declared, attributes }: OwnLook, inherited: Rgb | null): Rgb | null {
  const image = declared.get("background-image")?.value;
  if (attributes.has("background") || (image && !image.includes("none"))) return null;
  const value = declared.get("background-color")?.value ?? attributes.get("bgcolor");
  if (value === undefined) return inherited;
  if (value === unknownValue) return null;
  for (const [word] of value.matchAll(/[^\s(]+(?:\([^)]*\)?)?/g)) {
    const paint = parseColor(word);
    if (paint !== undefined) return paint && laidOn(inherited, paint);
  }
  return inherited;
}

function colorOf({ declared, attributes }: OwnLook, inherited: InheritedLook["color"]): InheritedLook["color"] {
  const value = declared.get("color")?.value ?? attributes.get("color") ?? attributes.get("text") ?? "";
  if (value === "" || /^(?:inherit|unset|revert|currentcolor)/.test(value)) return inherited;
  const paint = parseColor(value);
  return hides("color", value) || paint?.alpha === 0 ? "transparent" : (paint?.rgb ?? null);
}

/** The look an element has, from its parent's and its own. */
export function lookOf(parent: InheritedLook, own: OwnLook): InheritedLook {
  if (own.attributes.size === 0 && own.declared.size === 0) return parent;
  const [size = "inherit", visibility = "inherit"] = ["font-size", "visibility"].map(
    (name) => own.declared.get(name)?.value,
  );
  return {
    color: colorOf(own, parent.color),
    background: backgroundOf(own, parent.background),
    isSized: isSized(size) ?? parent.isSized,
    isVisible: /^(?:inherit|unset|revert)/.test(visibility) ? parent.isVisible : !hides("visibility", visibility),
  };
}

/** Properties that hide an element with all it holds; what it holds may set the others again. */
const hidingAll = ["display", "opacity", "text-indent", "left", "top", "clip"];
const boxes = ["max-height", "max-width", "height", "width"];

/**
 * Whether an element hides all it holds. Colours, sizes and visibility are not asked here, since a descendant may set them
 * again: ask {@link isLegible} at each text.
 */
export function isHidden({ declared, attributes }: OwnLook): boolean {
  if (attributes.has("hidden")) return true;
  if (declared.size === 0) return false;
  const says = (property: string) => hides(property, declared.get(property)?.value ?? "");
  return hidingAll.some(says) || (boxes.some(says) && says("overflow"));
}

/** Whether text in this look can be told from its background and has a size. */
export function isLegible(look: InheritedLook): boolean {
  return look.isVisible && look.isSized && !unreadable(look);
}
