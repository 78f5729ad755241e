/**
 * Whether `current` is what an interrupted overwrite leaves: the beginning of the new bytes over the old ones. Files with
 * several hard links are written in place, the one kind of write that can be interrupted halfway.
 */
export function isTornWrite(current: Uint8Array, before: Uint8Array, after: Uint8Array): boolean {
  if (current.length !== before.length && current.length !== after.length) {
    // Longer than before because part of the new bytes went beyond the old end.
    return current.length > before.length && Buffer.compare(current, after.subarray(0, current.length)) === 0;
  }
  let written = 0;
  while (written < current.length && current[written] === after[written]) written++;
  return Buffer.compare(current.subarray(written), before.subarray(written)) === 0;
}
