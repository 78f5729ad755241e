/**
 * What a text gives to names at the beginning of a line, as `name: value` or `name = value`: without quotes around it,
 * and from the next line where it is alone there, indented. Of several the first counts.
 */
export function namedFields(text: string, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const [, name = "", given = ""] = /^([a-z]+)\s*[:=](.*)$/s.exec(line) ?? [];
    if (!names.includes(name) || found.has(name)) continue;
    const next = lines[index + 1] ?? "";
    const value = given.trim() === "" && /^\s/.test(next) ? next : given;
    found.set(name, value.trim().replace(/^["']|["']$/g, ""));
  }
  return found;
}
