import type { CliIo } from "../../home/up-options.ts";
import { createProgress } from "../../output/progress.ts";

const progressEveryMs = 250;
/** What is over in a moment is over before anybody asks how far it is. */
const unshownMs = 1_000;

/**
 * Shows how much is left of a work that is waited for, where it takes longer than a moment.
 *
 * @param left how many are still to be done, counted four times a second
 * @param afterMs from when on it is shown
 * @returns call it when the work is over, or nobody waits for it any more
 */
export function showRest(
  label: string,
  left: () => number,
  { isTTY, color, stderr: stream }: Pick<CliIo, "isTTY" | "color" | "stderr">,
  afterMs = unshownMs,
): () => void {
  const total = left();
  const startedAtMs = performance.now();
  const progress = createProgress({ stream, isTTY, color, label, now: () => performance.now() });
  let isShown = false;
  const draw = () => {
    isShown ||= performance.now() - startedAtMs >= afterMs;
    // More may have come meanwhile.
    if (isShown) progress.update({ done: Math.max(0, total - left()), total });
  };
  const drawing = setInterval(draw, progressEveryMs);
  return () => {
    clearInterval(drawing);
    if (!isShown) return;
    draw();
    progress.finish();
  };
}
