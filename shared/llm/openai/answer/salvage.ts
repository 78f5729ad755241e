/**
 * The one JSON object in a model's answer: alone, in a code fence, after its thinking, or with prose around it.
 * Undefined when there is none, or when there are two that differ: which one is meant would be a guess.
 */
export function oneObject(answer: string): object | undefined {
  const whole = objectOf(answer.trim());
  if (whole) return whole;
  const text = withoutThinking(answer);
  const found = new Map<string, object>();
  for (const candidate of balanced(text)) {
    const object = objectOf(candidate);
    if (object) found.set(JSON.stringify(object), object);
  }
  const [only, another] = found.values();
  return another ? undefined : only;
}

/** Some chat templates put the opening tag into the prompt: then the answer holds only the closing one. */
const thinkingEnd = /^[\s\S]*<\/(?:think|thinking|reasoning)>/;
const thinkingStart = /<(?:think|thinking|reasoning)>/;

/** What was said after thinking aloud; nothing when the thinking did not come to its end. */
export function withoutThinking(answer: string): string {
  const rest = answer.replace(thinkingEnd, "");
  const start = rest.search(thinkingStart);
  return start === -1 ? rest : rest.slice(0, start);
}

function objectOf(text: string): object | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Not JSON: a brace in prose, or an object of another notation.
    return undefined;
  }
}

/** The outermost `{…}` in order, by their braces outside strings; one pass. */
function* balanced(text: string): Generator<string> {
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"' && depth > 0) inString = true;
    else if (character === "{") {
      if (depth === 0) start = at;
      depth += 1;
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      if (depth === 0) yield text.slice(start, at + 1);
    }
  }
}
