import { readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { auditHash, genesisHash } from "../../device/access/audit/record.ts";
import { accessErrorSentences } from "../../device/access/errors.ts";
import { backendProfiles, backends } from "../../device/access/policy/profiles.ts";
import { protectedFromReading, protectedFromWriting, writeAsks } from "../../device/access/policy/protected.ts";
import { secretGlobs, sensitiveGlobs } from "../../device/access/policy/sensitivity.ts";
import { charsPerLine } from "../../device/access/session/disclosed-lines.ts";
import { defaultLimits } from "../../device/access/session/limits.ts";
import { fileToolNames, fileTools } from "../../events/agent-tools/file-tools.ts";
import { mcpTools } from "../../events/agent-tools/mcp-tools.ts";
import { patchResult } from "../../events/agent-tools/patch-result.ts";
import type { ToolDefinition } from "../../events/agent-tools/tool-definition.ts";

export const documentFile = new URL("../../docs/LLM_FILE_ACCESS.md", import.meta.url);

interface JsonField {
  type?: string;
  enum?: unknown[];
  items?: JsonField;
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
}
const fields = z.object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).default([]) });
const field: z.ZodType<JsonField> = z.looseObject({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  description: z.string().optional(),
}) as z.ZodType<JsonField>;

const fenced = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

function typeOf({ type, enum: choices, items }: JsonField): string {
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(" \\| ");
  return type === "array" ? `list of ${items?.enum ? "kinds" : (items?.type ?? "values")}` : (type ?? "object");
}

function tool(name: string, { title, description, input, access, idempotent, examples }: ToolDefinition): string {
  const { properties, required } = fields.parse(z.toJSONSchema(input, { io: "input" }));
  const rows = Object.entries(properties).map(([argument, schema]) => {
    const parsed = field.parse(schema);
    const fallback = parsed.default === undefined ? "" : ` Default \`${JSON.stringify(parsed.default)}\`.`;
    const need = required.includes(argument) ? "required" : "";
    return `| \`${argument}\` | ${typeOf(parsed)} | ${need} | ${`${parsed.description ?? ""}${fallback}`.trim()} |`;
  });
  return [
    `### ${name}`,
    "",
    `${title}: ${access === "read" ? "changes nothing" : "changes files, undoably"}${idempotent ? "" : ", not the same when called twice"}. ${description}`,
    "",
    "| argument | type | | |",
    "|---|---|---|---|",
    ...rows,
    "",
    ...examples.map((example) => `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``),
  ].join("\n");
}

function auditExample(): string {
  const unsigned = {
    seq: 1,
    at: 1_793_000_000_000,
    prevHash: genesisHash,
    caller: "mcp:example/1.0",
    session: "acs_01HZX5J9R3K7M2N4P6Q8S0T1V2",
    tool: "apply_patch",
    args: { patch: { sha256: "5d41402abc4b2a76b9719d911017c592ae7f1e0e5d41402abc4b2a76b9719d91", chars: 120 } },
    decision: "allow",
    outcome: "ok",
    files: [
      {
        path: "src/main.ts",
        beforeHash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        afterHash: "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
        versionId: "ver_01HZX5J9R3K7M2N4P6Q8S0T1V2",
      },
    ],
  } as const;
  return fenced({ ...unsigned, hash: auditHash(unsigned) });
}

const sections: Record<string, () => string> = {
  tools: () => fileToolNames.map((name) => tool(name, fileTools[name])).join("\n\n"),
  mcp: () =>
    Object.entries(mcpTools)
      .map(([name, definition]) => tool(name, definition))
      .join("\n\n"),
  result: () => fenced(z.toJSONSchema(patchResult)),
  policy: () =>
    [
      "| | |",
      "|---|---|",
      `| never written | ${code(protectedFromWriting)}, anywhere in the tree, in any spelling a disk may take for it, whether or not they exist |`,
      `| never read or written | ${code(protectedFromReading)}, and this device's data folder by where it lies, whatever it is called and however it is reached |`,
      `| asked before writing | ${code(writeAsks)} |`,
      `| asked before reading and writing: credentials | ${code(secretGlobs)} |`,
      `| asked before reading and writing: private | ${code(sensitiveGlobs)} |`,
    ].join("\n"),
  profiles: () =>
    [
      "| backend | lines of a file in a session, without approval | lines around a match | characters of a result |",
      "|---|---|---|---|",
      ...backends.map((name) => {
        const { linesWithoutApproval, contextLines, maxResultChars } = backendProfiles[name];
        return `| \`${name}\` | ${linesWithoutApproval} | ${contextLines} | ${maxResultChars} |`;
      }),
      "",
      `A line of more than ${charsPerLine} characters counts as several.`,
      "",
      `A session may make ${defaultLimits.calls} calls and ${defaultLimits.writes} writes, and read ${defaultLimits.bytesRead / 1024 ** 2} MiB or ${defaultLimits.tokensRead} tokens, unless it is opened with other limits.`,
    ].join("\n"),
  audit: auditExample,
  errors: () =>
    [
      "| code | |",
      "|---|---|",
      ...Object.entries(accessErrorSentences).map(([name, text]) => `| \`${name}\` | ${text} |`),
    ].join("\n"),
};

/** The document with everything between `generated` marks made anew. */
export function regenerated(document: string): string {
  return document.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- \/generated: \2 -->)/g,
    (whole, start: string, name: string, end: string) => {
      const section = sections[name];
      return section === undefined ? whole : `${start}${section()}\n${end}`;
    },
  );
}

export const sectionNames: readonly string[] = Object.keys(sections);

if (import.meta.main) writeFileSync(documentFile, regenerated(readFileSync(documentFile, "utf8")));
