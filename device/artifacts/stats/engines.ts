import type { ContentKind, TextKind } from "../sniff/content-kind.ts";
import { Utf8Check } from "../sniff/utf8-check.ts";
import { BinaryStatsEngine } from "./binary/binary-stats.ts";
import { JsonStatsEngine } from "./json/json-stats.ts";
import { HtmlStatsEngine } from "./markup/html-stats.ts";
import { MarkdownStatsEngine } from "./markup/markdown-stats.ts";
import type { ArtifactStats } from "./stats.ts";
import { CsvStatsEngine } from "./table/csv-stats.ts";
import { TextStatsEngine } from "./text/text-stats.ts";

/** Takes content as it is, in pieces. */
export interface Engine {
  write(piece: Buffer): void;
  end(): EngineResult;
}

interface EngineResult {
  readonly stats: ArtifactStats;
  readonly contentType: string;
  readonly extension: string;
  /** Instead of the content's beginning. */
  readonly previewText?: string;
}

/** Takes UTF-8 without a byte order mark. */
interface Utf8Engine {
  write(piece: Buffer): void;
  end(encoding: string, invalidBytes: number): EngineResult;
}

/**
 * Takes what is not text, piece by piece. It has no preview, and the type `application/octet-stream` when the format is
 * none that is known.
 *
 * @param head the first bytes of the content
 */
export function binaryEngine(format: Extract<ContentKind, { kind: "binary" }>["format"], head: Buffer): Engine {
  const engine = new BinaryStatsEngine(format, Buffer.from(head));
  return {
    write: (piece) => engine.write(piece),
    end: () => {
      const { stats, format: found } = engine.end();
      const [contentType, extension] = [found?.mediaType ?? "application/octet-stream", found?.extension ?? "bin"];
      return { stats, contentType, extension, previewText: "" };
    },
  };
}

/** The engine for a text of any encoding. `head` is its beginning; `hinted` the extension it came with, or "". */
export function textEngine(content: Exclude<ContentKind, { kind: "binary" }>, head: string, hinted: string): Engine {
  const { label, bomBytes } = content.encoding;
  const engine = utf8Engine(content, head, hinted);
  const decoder = new TextDecoder(label, { ignoreBOM: true });
  const check = new Utf8Check();
  const isUtf8 = label === "utf-8";
  let bomLeft = bomBytes;
  let replaced = 0;
  const giveDecoded = (text: string) => {
    for (let at = text.indexOf("\ufffd"); at !== -1; at = text.indexOf("\ufffd", at + 1)) replaced++;
    engine.write(Buffer.from(text));
  };
  return {
    write(piece) {
      const bytes = bomLeft > 0 ? piece.subarray(bomLeft) : piece;
      bomLeft = Math.max(0, bomLeft - piece.length);
      if (isUtf8) {
        check.write(bytes);
        engine.write(bytes);
      } else giveDecoded(decoder.decode(bytes, { stream: true }));
    },
    end() {
      check.end();
      if (!isUtf8) giveDecoded(decoder.decode());
      return engine.end(label, isUtf8 ? check.invalidBytes : replaced);
    },
  };
}

function utf8Engine(content: TextKind, head: string, hinted: string): Utf8Engine {
  switch (content.kind) {
    case "json": {
      const engine = new JsonStatsEngine(content.form);
      return {
        write: (piece) => engine.write(piece),
        end: (_, invalidBytes) => {
          const stats = engine.end(invalidBytes);
          const isRows = stats.kind === "jsonl";
          return {
            stats,
            contentType: isRows ? "application/jsonl" : "application/json",
            extension: isRows ? "jsonl" : "json",
          };
        },
      };
    }
    case "csv": {
      const engine = new CsvStatsEngine(content.dialect);
      const isTabbed = content.dialect.delimiter === "\t";
      const contentType = isTabbed ? "text/tab-separated-values" : "text/csv";
      return {
        write: (piece) => engine.write(piece),
        end: () => ({ stats: engine.end(), contentType, extension: isTabbed ? "tsv" : "csv" }),
      };
    }
    case "html": {
      const engine = new HtmlStatsEngine();
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      return {
        write: (piece) => engine.write(decoder.decode(piece, { stream: true })),
        end: () => {
          engine.write(decoder.decode());
          const { stats, mainText } = engine.end();
          return { stats, contentType: "text/html", extension: "html", previewText: mainText };
        },
      };
    }
    case "markdown": {
      const engine = new MarkdownStatsEngine();
      return {
        write: (piece) => engine.write(piece),
        end: () => ({ stats: engine.end(), contentType: "text/markdown", extension: "md" }),
      };
    }
    case "text": {
      const engine = new TextStatsEngine(content.structure, head);
      return {
        write: (piece) => engine.write(piece),
        end: (encoding, invalidBytes) => ({
          stats: engine.end(encoding, invalidBytes),
          ...nameOfText(content.structure, hinted),
        }),
      };
    }
  }
}

const mediaTypes: Record<string, string> = {
  yaml: "application/yaml",
  toml: "application/toml",
  xml: "application/xml",
};
const extensionsOfLanguages: Record<string, string> = {
  javascript: "js",
  typescript: "ts",
  python: "py",
  ruby: "rb",
  rust: "rs",
  kotlin: "kt",
  shell: "sh",
  perl: "pl",
  csharp: "cs",
};

/** A text keeps the extension it came with, unless that belongs to something it is not. */
function nameOfText(structure: Extract<TextKind, { kind: "text" }>["structure"], hinted: string) {
  const told =
    structure.kind === "log"
      ? "log"
      : structure.kind === "config"
        ? structure.format
        : structure.kind === "xml"
          ? "xml"
          : structure.kind === "code"
            ? (extensionsOfLanguages[structure.language] ?? structure.language)
            : "txt";
  const isSvg = structure.kind === "xml" && structure.root === "svg";
  const contentType = isSvg ? "image/svg+xml" : (mediaTypes[told] ?? "text/plain");
  return { contentType, extension: isSvg ? "svg" : misleading.has(hinted) ? told : hinted };
}

/** Extensions that promise what plain text is not. */
const misleading = new Set(
  [
    "",
    "json",
    "jsonl",
    "csv",
    "tsv",
    "html",
    "htm",
    "md",
    "pdf",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "webp",
    "zip",
    "gz",
    "tar",
  ].concat([
    "docx",
    "xlsx",
    "pptx",
    "exe",
    "bin",
    "sqlite",
    "wasm",
    "mp3",
    "mp4",
    "tif",
    "tiff",
    "bmp",
    "ico",
    "parquet",
  ]),
);
