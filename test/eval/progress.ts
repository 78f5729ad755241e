/** Counts steps on stderr: in place on a terminal, else a line every tenth of the way. */
export function progress(label: string, total: number, out: NodeJS.WriteStream = process.stderr): () => void {
  let done = 0;
  const every = Math.max(1, Math.ceil(total / (out.isTTY ? 100 : 10)));
  return () => {
    done += 1;
    if (done % every !== 0 && done !== total) return;
    if (out.isTTY) out.write(`\r${label} ${done}/${total}${done === total ? "\n" : ""}`);
    else out.write(`${label} ${done}/${total}\n`);
  };
}
