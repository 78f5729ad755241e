const figures = new Intl.NumberFormat("en");

/** A number with its noun: `1 message`, `2,000 messages`. @param plural where it is not the singular and an s */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${figures.format(count)} ${count === 1 ? noun : plural}`;
}
