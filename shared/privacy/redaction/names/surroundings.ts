/** What kind of text a place stands in, as far as its neighbours tell. */
export type Shape = "code" | "settings" | "prose" | "alone";

const lookChars = 700;
const maxLines = 5;

const codeLine =
  /[;{}]\s*(?:\/\/.*)?$|=>|^\s*(?:const|let|var|def|class|import|from|return|if|else|for|while|func|fn|public|private|protected|export (?:const|default|function|class|type|interface)|type|interface|use|using|package|async|await|try|@\w+)\b|\w\((?:(?!\w\()[^)])*\)|^\s*(?:\/\/|\/?\*)|[([]\s*$|^\s*[)\]]/s;
const settingLine =
  /^\s*(?:-\s+)?(?:export\s+|set\s+|ENV\s+|ARG\s+)?["']?[\w.$/-]{1,60}["']?\s*[:=]\s*[^\s]?|^\s*\[[\w .:"-]{1,60}\]\s*$|^\s*[#;!]|^---$|^\s*-\s+\S{1,60}$/;

/**
 * What kind of text surrounds a place: told by up to five lines before and five after it, and not by its own line.
 *
 * @param place index of a UTF-16 code unit
 * @returns `alone` when there are no other lines
 */
export function shapeAt(text: string, place: number): Shape {
  // A place far into a long line has nothing before it that is looked at.
  const lead = text.slice(Math.max(0, place - lookChars), place);
  const before = lead
    .slice(0, lead.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(-maxLines - 1, -1);
  const newline = text.slice(place, place + lookChars).indexOf("\n");
  const after =
    newline === -1 ? [] : text.slice(place + newline + 1, place + newline + lookChars).split("\n", maxLines);
  let [code, settings, prose] = [0, 0, 0];
  for (const line of [...before, ...after]) {
    const seen = line.slice(0, 300).trimEnd();
    if (seen.trim() === "") continue;
    if (codeLine.test(seen)) code++;
    else if (settingLine.test(seen) && !/(?:\s[A-Za-z]+){6}/.test(seen)) settings++;
    else prose++;
  }
  if (code + settings + prose === 0) return "alone";
  if (code > 0 && code * 2 >= settings) return "code";
  return settings >= prose ? "settings" : "prose";
}

/** Whether something only whitespace, a dash or a keyword of a shell stands before a name on its line. */
export function beginsLine(text: string, nameStart: number): boolean {
  const from = Math.max(0, nameStart - 60);
  const lead = text.slice(from, nameStart);
  const line = lead.slice(lead.lastIndexOf("\n") + 1);
  if (line.length === lead.length && from > 0) return false;
  return /^[ \t]*(?:[-*•>][ \t]+)?(?:export[ \t]+|set[ \t]+|setx[ \t]+|ENV[ \t]+|ARG[ \t]+|env[ \t]+)?(?:[\w.$/-]{1,40}[._/-])?\*{0,2}["'`]?$/i.test(
    line,
  );
}

const account =
  /\bmachine\s+\S{1,80}\s+login\s|(?:^|[^A-Za-z])(?:user(?:[ _-]?name)?|login|e-?mail|account|host(?:name)?|server|database|db(?:[ _-]?name)?|port|endpoint|ssid|dsn|uri|jdbc|connection|benutzer(?:name)?|usuario|utilisateur|utente|gebruiker|пользователь|用户名?|ユーザー名?)["'\]]?\s{0,3}(?:[:=>,|]|：|is\b)/i;

/** Whether a user, a host or the like is named beside a place: then a password is meant, not a form's label. */
export function hasAccountBeside(text: string, start: number, end: number): boolean {
  return account.test(text.slice(Math.max(0, start - 300), start)) || account.test(text.slice(end, end + 200));
}
