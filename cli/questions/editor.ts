import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DeviceError } from "../../device/errors.ts";
import type { CliContext } from "../context.ts";

/** As in git's messages: whatever stands below this line is not part of the question. */
const scissors = "------------------------ >8 ------------------------";

/** A question while it is written. It is there until it was answered: one that could not be asked is not lost. */
export interface WrittenQuestion {
  readonly text: string;
  forget(): void;
}

/**
 * Opens the person's editor ($VISUAL, else $EDITOR) on a file in the data folder, with what was left of an earlier question.
 *
 * @param begun what stands in it already
 * @throws DeviceError `usage` without an editor, when it fails, and when nothing was written
 */
export async function writtenQuestion(
  { environment }: CliContext,
  dataFolder: string,
  begun: string,
): Promise<WrittenQuestion> {
  const editor = environment.VISUAL ?? environment.EDITOR;
  if (editor === undefined) {
    throw new DeviceError("usage", {
      sentence: 'No editor is set; set VISUAL or EDITOR, or give the question: scouts ask "…"',
    });
  }
  const file = join(dataFolder, "device", "question.md");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const left = [begun, draftIn(file)].filter((text) => text !== "").join("\n\n");
  const hint = "Write your question above this line, save and close. An empty one is not asked.";
  writeFileSync(file, `${left}\n\n${scissors}\n${hint}\n`, { mode: 0o600 });
  const code = await run(editor, file);
  if (code !== 0) {
    const sentence = `The editor (${editor}) ended with ${code}; nothing was asked. What was written is in ${file}.`;
    throw new DeviceError("usage", { sentence });
  }
  const text = draftIn(file);
  const forget = () => rmSync(file, { force: true });
  if (text === "") {
    forget();
    throw new DeviceError("usage", { sentence: "Nothing was written, so nothing was asked." });
  }
  return { text, forget };
}

function draftIn(file: string): string {
  try {
    return (readFileSync(file, "utf8").split(scissors)[0] ?? "").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** An editor is a command line, such as `code --wait`: a shell takes it apart, as git does it. */
async function run(editor: string, file: string): Promise<number | string> {
  const isWindows = process.platform === "win32";
  const child = isWindows
    ? spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
    : spawn("/bin/sh", ["-c", `${editor} "$1"`, "scouts", file], { stdio: "inherit" });
  const [code, signal] = await once(child, "close");
  return typeof code === "number" ? code : String(signal);
}
