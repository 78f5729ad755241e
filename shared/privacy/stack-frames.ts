/**
 * Where an error was thrown: the `at …` lines of its stack. A message quotes content, and content may hold lines that
 * look like these, so only what follows the message counts. When the stack does not begin with the message (somebody
 * changed it later) the two cannot be told apart, and nothing is returned.
 */
export function stackFrames(error: Error): string[] {
  const { message, stack = "" } = error;
  // V8 writes `Name: message` or the name alone, Node also `Name [CODE]: message`.
  const [header = ""] = /^[\w$.]*(?: \[\w+\])?(?:: )?/.exec(stack) ?? [];
  if (!stack.startsWith(message, header.length)) return [];
  const [ending, ...lines] = stack.slice(header.length + message.length).split("\n");
  if (ending !== "") return [];
  const end = lines.findIndex((line) => !/^\s+at /.test(line));
  const frames = end < 0 ? lines : lines.slice(0, end);
  // `at <anonymous>`, `at Promise.all (index 0)` say nothing.
  return frames.map((line) => line.trim()).filter((line) => /:\d+:\d+\)?$/.test(line));
}
