/** A format that bytes at fixed places tell. */
export interface BinaryFormat {
  readonly format: string;
  readonly mediaType: string;
  readonly extension: string;
}

interface Signature extends BinaryFormat {
  /** Latin-1; all parts must be there. */
  readonly parts: readonly (readonly [offset: number, bytes: string])[];
}

const signature = (
  format: string,
  mediaType: string,
  extension: string,
  ...parts: (readonly [number, string])[]
): Signature => ({ format, mediaType, extension, parts });

/** From the formats' specifications; the more special first. */
const signatures: readonly Signature[] = [
  signature("png", "image/png", "png", [0, "\x89PNG\r\n\x1a\n"]),
  signature("jpeg", "image/jpeg", "jpg", [0, "\xff\xd8\xff"]),
  signature("gif", "image/gif", "gif", [0, "GIF87a"]),
  signature("gif", "image/gif", "gif", [0, "GIF89a"]),
  signature("webp", "image/webp", "webp", [0, "RIFF"], [8, "WEBP"]),
  signature("wav", "audio/wav", "wav", [0, "RIFF"], [8, "WAVE"]),
  signature("avi", "video/x-msvideo", "avi", [0, "RIFF"], [8, "AVI "]),
  signature("tiff", "image/tiff", "tif", [0, "II*\0"]),
  signature("tiff", "image/tiff", "tif", [0, "MM\0*"]),
  signature("psd", "image/vnd.adobe.photoshop", "psd", [0, "8BPS\0\x01"]),
  signature("ico", "image/x-icon", "ico", [0, "\0\0\x01\0"]),
  signature("avif", "image/avif", "avif", [4, "ftypavif"]),
  signature("heic", "image/heic", "heic", [4, "ftyphei"]),
  signature("mp4", "video/mp4", "mp4", [4, "ftyp"]),
  signature("zip", "application/zip", "zip", [0, "PK\x03\x04"]),
  signature("zip", "application/zip", "zip", [0, "PK\x05\x06"]),
  signature("gzip", "application/gzip", "gz", [0, "\x1f\x8b\x08"]),
  signature("bzip2", "application/x-bzip2", "bz2", [0, "BZh"], [4, "1AY&SY"]),
  signature("xz", "application/x-xz", "xz", [0, "\xfd7zXZ\0"]),
  signature("zstd", "application/zstd", "zst", [0, "\x28\xb5\x2f\xfd"]),
  signature("7z", "application/x-7z-compressed", "7z", [0, "7z\xbc\xaf\x27\x1c"]),
  signature("rar", "application/vnd.rar", "rar", [0, "Rar!\x1a\x07"]),
  signature("tar", "application/x-tar", "tar", [257, "ustar"]),
  signature("ole", "application/x-ole-storage", "ole", [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]),
  signature("sqlite", "application/vnd.sqlite3", "sqlite", [0, "SQLite format 3\0"]),
  signature("parquet", "application/vnd.apache.parquet", "parquet", [0, "PAR1"]),
  signature("arrow", "application/vnd.apache.arrow.file", "arrow", [0, "ARROW1"]),
  signature("elf", "application/x-elf", "elf", [0, "\x7fELF"]),
  signature("wasm", "application/wasm", "wasm", [0, "\0asm"]),
  signature("macho", "application/x-mach-binary", "macho", [0, "\xcf\xfa\xed\xfe"]),
  signature("class", "application/java-vm", "class", [0, "\xca\xfe\xba\xbe"]),
  signature("exe", "application/vnd.microsoft.portable-executable", "exe", [0, "MZ"]),
  signature("ogg", "audio/ogg", "ogg", [0, "OggS\0"]),
  signature("flac", "audio/flac", "flac", [0, "fLaC"]),
  signature("mp3", "audio/mpeg", "mp3", [0, "ID3"]),
  signature("matroska", "video/x-matroska", "mkv", [0, "\x1aE\xdf\xa3"]),
  signature("woff", "font/woff", "woff", [0, "wOFF"]),
  signature("woff2", "font/woff2", "woff2", [0, "wOF2"]),
  signature("rtf", "application/rtf", "rtf", [0, "{\\rtf"]),
];

const pdf: BinaryFormat = { format: "pdf", mediaType: "application/pdf", extension: "pdf" };
const bmp: BinaryFormat = { format: "bmp", mediaType: "image/bmp", extension: "bmp" };
const tga: BinaryFormat = { format: "tga", mediaType: "image/x-tga", extension: "tga" };
/** Readers look for `%PDF-` in the first kilobyte (ISO 32000-1, annex H, note 13). */
const pdfProbeBytes = 1_024;

/** Formats whose signature text could begin with as well; believed only when the rest is no text. */
const weak = new Set(["exe", "mp3", "bzip2", "ico"]);

/** The binary format of a file by its beginning; `isText`: the bytes would pass for text. */
export function sniffBinary(head: Buffer, isText: boolean): BinaryFormat | undefined {
  const probe = head.toString("latin1", 0, pdfProbeBytes);
  const found = signatures.find(({ parts }) => parts.every(([offset, bytes]) => probe.startsWith(bytes, offset)));
  if (found !== undefined && !(isText && weak.has(found.format))) return found;
  if (probe.includes("%PDF-")) return pdf;
  if (isText) return undefined;
  if (
    probe.startsWith("BM") &&
    [12, 16, 40, 52, 56, 64, 108, 124].includes(head.length >= 18 ? head.readUInt32LE(14) : 0)
  ) {
    return bmp;
  }
  return looksLikeTga(head) ? tga : undefined;
}

/** TGA has no signature: a plausible header must do (Truevision TGA 2.0, section "TGA file header"). */
function looksLikeTga(head: Buffer): boolean {
  if (head.length < 18) return false;
  const [mapType = 0, imageType = 0, mapDepth = 0, depth = 0] = [head[1], head[2], head[7], head[16]];
  const hasMap = mapType === 1;
  return (
    mapType <= 1 &&
    [1, 2, 3, 9, 10, 11].includes(imageType) &&
    (hasMap ? [15, 16, 24, 32].includes(mapDepth) : mapDepth === 0) &&
    [8, 15, 16, 24, 32].includes(depth) &&
    head.readUInt16LE(12) > 0 &&
    head.readUInt16LE(14) > 0
  );
}

/** What is in a ZIP says what it is for: office documents, e-books, packages. */
export function zipFlavour(head: Buffer): BinaryFormat | undefined {
  const text = head.toString("latin1");
  if (text.startsWith("mimetypeapplication/epub+zip", 30)) {
    return { format: "epub", mediaType: "application/epub+zip", extension: "epub" };
  }
  const openDocument = /^mimetypeapplication\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(
    text.slice(30, 120),
  );
  if (openDocument?.[1] !== undefined) {
    const extension = { text: "odt", spreadsheet: "ods", presentation: "odp" }[openDocument[1]] ?? "zip";
    return { format: extension, mediaType: `application/vnd.oasis.opendocument.${openDocument[1]}`, extension };
  }
  const office = "application/vnd.openxmlformats-officedocument";
  if (text.includes("word/document"))
    return { format: "docx", mediaType: `${office}.wordprocessingml.document`, extension: "docx" };
  if (text.includes("xl/workbook") || text.includes("xl/worksheets")) {
    return { format: "xlsx", mediaType: `${office}.spreadsheetml.sheet`, extension: "xlsx" };
  }
  if (text.includes("ppt/presentation")) {
    return { format: "pptx", mediaType: `${office}.presentationml.presentation`, extension: "pptx" };
  }
  if (text.includes("META-INF/MANIFEST.MF"))
    return { format: "jar", mediaType: "application/java-archive", extension: "jar" };
  return undefined;
}
