/** A date (`2024-07-18`, `20240718`, `0301`, `2407`) or a version (`v2`, `001`, `1.5`), or `latest`. */
const suffix =
  /^[-@:](?:20\d\d-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01])|(?:0[1-9]|1[0-2]|2\d)(?:0[1-9]|[12]\d|3[01])|v?\d{1,3}(?:\.\d{1,3}){0,2}|latest)$/;

/**
 * The model's name as records keep it. What a server calls itself comes with the answer, which is content: it counts
 * only as the name asked for, or that name with a date or version.
 */
export function answeredModel(answered: unknown, asked: string): string {
  if (typeof answered !== "string" || !answered.startsWith(asked)) return asked;
  return suffix.test(answered.slice(asked.length)) ? answered : asked;
}
