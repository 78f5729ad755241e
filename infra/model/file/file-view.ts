/** A file as a summary's prompt shows it. */
export interface FileView {
  readonly path: string;
  readonly text: string;
}

const opening = /<file-content ([0-9a-f]{16,}) ("(?:[^"\\]|\\.)*")>\n/;

/**
 * The file in a prompt: what stands between the first opening line and the last closing one of the same nonce, so that
 * markers a file invents stay text. The whole prompt, without a path, when there is no such block.
 */
export function fileIn(prompt: string): FileView {
  const start = opening.exec(prompt);
  if (!start) return { path: "", text: prompt };
  const end = prompt.lastIndexOf(`</file-content ${start[1]}>`);
  const from = start.index + start[0].length;
  return { path: pathOf(start[2] ?? ""), text: end < from ? "" : prompt.slice(from, end) };
}

function pathOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // No JSON string: it is a name as it is.
    return quoted;
  }
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** With its dot and in lower case; "" without one. */
export function extensionOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot).toLowerCase();
}
