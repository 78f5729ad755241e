/** Takes a signal by its name; what is not above nought is left out. */
export type Setter = (name: string, value: number) => void;

/** A share squeezed so that its low end counts: 0 stays 0, `half` becomes 0.5. */
export function saturate(value: number, half: number): number {
  return value / (value + half);
}

/** How often an expression (with the flag `g`) matches. */
export function count(text: string, expression: RegExp): number {
  return text.match(expression)?.length ?? 0;
}
