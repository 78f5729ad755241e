/** A length of a stylesheet in pixels: letters, and what is as high as they are, have the size that is set in the browser. */
export const inPixels = (rem: number): number =>
  rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
