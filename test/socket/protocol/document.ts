import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errorKinds } from "../../../events/error-kinds.ts";
import { clientFrame, serverFrame } from "../../../events/frames/frames.ts";
import { protocolVersion, socketLimits } from "../../../events/frames/limits.ts";
import { mostConnections } from "../../../shared/devices/connection-store.ts";
import { frameRate } from "../../../shared/devices/frame-limit.ts";
import { uploadRate } from "../../../shared/devices/payloads.ts";
import { sessionLifeMs } from "../../../shared/devices/session-row.ts";
import { ticketLifeSeconds } from "../../../shared/devices/ticket.ts";
import { fieldsOf, idRows, schemaOf } from "./frame-fields.ts";
import { anyFrame, clientNotes, endings, serverNotes } from "./notes.ts";

export const documentFile = new URL("../../../docs/protocol.md", import.meta.url);
const root = fileURLToPath(new URL("../../../", import.meta.url));

export const clientFrames = clientFrame.options.map((schema) => ({ type: schema.shape.type.value, schema }));
export const serverFrames = serverFrame.options.map((schema) => ({ type: schema.shape.type.value, schema }));

/** The examples in events/samples, which a test parses with the schemas. */
export function samplesOf(union: "clientFrame" | "serverFrame", type: string): unknown[] {
  return globSync(`events/samples/frames.${union}.{${type},${type}.*}.json`, { cwd: root })
    .sort()
    .map((file) => JSON.parse(readFileSync(`${root}${file}`, "utf8")));
}

const codes = (all: readonly string[]) => all.map((code) => `\`${code}\``).join(", ");
const kilobytes = (bytes: number) => `${bytes / 1024} KB`;
const minutes = (ms: number) => `${ms / 60_000} min`;

function frame(
  union: "clientFrame" | "serverFrame",
  type: string,
  schema: Parameters<typeof schemaOf>[0],
  notes: string[],
) {
  const rows = fieldsOf(schemaOf(schema))
    .filter(({ path }) => path !== "type")
    .map(({ path, type: of, limits, required, description }) => {
      return `| \`${path}\` | ${of} | ${limits} | ${required ? "" : "optional"} | ${description} |`;
    });
  const [sample] = samplesOf(union, type);
  return [
    `### ${type}`,
    "",
    ...notes.flatMap((note) => [note, ""]),
    ...(rows.length === 0 ? [] : ["| field | type | limits | | |", "|---|---|---|---|---|", ...rows, ""]),
    ...(sample === undefined ? [] : ["```json", JSON.stringify(sample), "```"]),
  ]
    .join("\n")
    .trimEnd();
}

const sections: Record<string, () => string> = {
  version: () => `Version ${protocolVersion} of the protocol.`,
  limits: () =>
    [
      "| | | |",
      "|---|---|---|",
      `| frame to the cloud | ${kilobytes(socketLimits.frameBytes)} | close 1009 |`,
      `| message, in either direction | ${kilobytes(socketLimits.messageBytes)} | close 1009 |`,
      `| without a frame | ${minutes(socketLimits.idleMs)} | close 1001 |`,
      `| a connection's life | ${minutes(socketLimits.lifeMs)} | close 1001 |`,
      `| pull, or ping, every | ${minutes(socketLimits.pingEveryMs)} | |`,
      `| proposals a page | ${socketLimits.pageSize} | \`invalid_frame\` |`,
      `| acks a frame | ${socketLimits.acksPerFrame} | \`invalid_frame\` |`,
      `| items a frame asks for | ${socketLimits.itemsPerFrame} | \`invalid_frame\` |`,
      `| a ticket's life | ${ticketLifeSeconds} s, once | HTTP 403 |`,
      `| a session's life after its last sign of life | ${minutes(sessionLifeMs)} | \`session_unknown\` |`,
      `| frames of a person's devices together | ${frameRate.burst * 64} at once, then ${64_000 / frameRate.everyMs} a second; acks and decisions that change something are not counted | \`rate_limited\`, close 1000 |`,
      `| connections of a person's devices together | ${mostConnections}; the oldest of the device with most gives way | \`rate_limited\`, close 1000 |`,
      `| uploads of a person's devices together | ${uploadRate.burst} MB at once, then ${1_000 / uploadRate.everyMs} MB a second, each begun | HTTP 429 \`rate_limited\`, \`Retry-After\` |`,
    ].join("\n"),
  endings: () =>
    ["| | | |", "|---|---|---|", ...endings.map(([what, meaning, then]) => `| ${what} | ${meaning} | ${then} |`)].join(
      "\n",
    ),
  ids: () =>
    [
      "| | |",
      "|---|---|",
      ...idRows().map(([name, pattern]) => `| ${name} | \`${pattern.replaceAll("|", "\\|")}\` |`),
    ].join("\n"),
  client: () =>
    clientFrames
      .map(({ type, schema }) => {
        const note = clientNotes[type];
        const answers = note?.answers ? [`Answered by ${codes(note.answers)}.`] : [];
        const refusals = note?.refusals ? [`Refused with ${codes(note.refusals)}.`] : [];
        const purpose = note?.purpose ?? schema.description ?? "";
        return frame("clientFrame", type, schema, [purpose, [...answers, ...refusals].join(" ")].filter(Boolean));
      })
      .join("\n\n"),
  server: () =>
    serverFrames
      .map(({ type, schema }) => {
        return frame("serverFrame", type, schema, [serverNotes[type] ?? schema.description ?? ""].filter(Boolean));
      })
      .join("\n\n"),
  errors: () =>
    [
      `Any frame may be refused with ${codes(anyFrame)}.`,
      "",
      "| code | HTTP | again? | |",
      "|---|---|---|---|",
      ...Object.entries(errorKinds).map(([code, { status, retry, sentence }]) => {
        const again = { never: "no", retry: "yes", defer: "later" }[retry];
        return `| \`${code}\` | ${status} | ${again} | ${sentence} |`;
      }),
    ].join("\n"),
};

export const sectionNames: readonly string[] = Object.keys(sections);

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
