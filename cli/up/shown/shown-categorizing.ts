import type { DeviceStore } from "../../../device/store/open.ts";
import type { CliIo } from "../../home/up-options.ts";
import { createProgress } from "../../output/progress.ts";

const progressEveryMs = 250;
/** A few proposals are over before anybody asks how far it is. */
const unshownMs = 1_000;

/**
 * Shows how many proposals it has been found out of what they are about, where that takes longer than a moment.
 *
 * @param afterMs from when on it is shown
 * @returns call it when the work is over, or nobody waits for it any more
 */
export function showCategorizing(
  { proposals }: { readonly proposals: Pick<DeviceStore["proposals"], "unclaimed"> },
  { isTTY, color, stderr: stream }: Pick<CliIo, "isTTY" | "color" | "stderr">,
  afterMs = unshownMs,
): () => void {
  const total = proposals.unclaimed();
  const startedAtMs = performance.now();
  const progress = createProgress({ stream, isTTY, color, label: "Sorting proposals", now: () => performance.now() });
  let isShown = false;
  const draw = () => {
    isShown ||= performance.now() - startedAtMs >= afterMs;
    // More may have come meanwhile.
    if (isShown) progress.update({ done: Math.max(0, total - proposals.unclaimed()), total });
  };
  const drawing = setInterval(draw, progressEveryMs);
  return () => {
    clearInterval(drawing);
    if (!isShown) return;
    draw();
    progress.finish();
  };
}
