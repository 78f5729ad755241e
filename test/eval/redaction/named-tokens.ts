import { Redactor } from "../../../shared/privacy/redaction/redact.ts";
import { alphabets, Draw } from "./draw.ts";

export interface NamedFigures {
  readonly alphabet: string;
  readonly tokens: number;
  readonly missed: number;
}

const lengths = [16, 20, 24, 32, 40] as const;
const leads = ["api_key=", "token: ", '"access_token": "', "Authorization: Bearer ", "export SECRET_KEY="] as const;

/** Random tokens of each alphabet after a credential's name. @param count of each */
export function measureNamed(seed: number, count = 1_000): NamedFigures[] {
  const redactor = new Redactor();
  const draw = new Draw(seed);
  return (Object.keys(alphabets) as (keyof typeof alphabets)[]).map((alphabet) => {
    let missed = 0;
    for (let at = 0; at < count; at++) {
      const lead = draw.of(leads);
      const token = draw.text(alphabet, draw.of(lengths));
      const text = `host: a\n${lead}${token}${lead.endsWith('"') ? '"' : ""}\nport: 1\n`;
      if (redactor.redact(text).text.includes(token)) missed++;
    }
    return { alphabet, tokens: count, missed };
  });
}
