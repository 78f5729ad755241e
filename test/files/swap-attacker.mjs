// Swaps root/dir between a real directory and a link that leads out, as fast as it can, until its input closes.
import { renameSync, rmSync, symlinkSync } from "node:fs";

const [root, outside] = process.argv.slice(2);
let going = true;
process.stdin.on("end", () => {
  going = false;
});
process.stdin.resume();
symlinkSync(outside, `${root}/link`);
process.stdout.write("ready\n");

// The victim makes directories of its own in between, so a move may find its place taken.
function move(from, to) {
  try {
    renameSync(`${root}/${from}`, `${root}/${to}`);
    return true;
  } catch {
    return false;
  }
}
let turns = 0;
function turn() {
  for (let swap = 0; swap < 200; swap++) {
    const aside = `aside-${++turns}`;
    move("dir", aside);
    move("link", "dir");
    move("dir", "link");
    if (!move(aside, "dir")) rmSync(`${root}/${aside}`, { recursive: true, force: true });
  }
  if (going) setImmediate(turn);
}
turn();
