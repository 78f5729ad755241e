import { crc32, deflateSync } from "node:zlib";
import { type Zippable, zipSync } from "fflate";

const ascii = (text: string) => Buffer.from(text, "latin1");

/** A PDF from its objects, numbered from 1; the first is the catalogue. `trailer` goes into the trailer. */
function pdfOf(objects: readonly Buffer[], trailer = ""): Buffer {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  const push = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  push(ascii("%PDF-1.4\n"));
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    push(Buffer.concat([ascii(`${index + 1} 0 obj\n`), object, ascii("\nendobj\n")]));
  }
  const start = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  push(ascii(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`));
  push(ascii(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

function pageObjects(content: Buffer, filter: string): Buffer[] {
  return [
    ascii("<< /Type /Catalog /Pages 2 0 R >>"),
    ascii("<< /Type /Pages /Kids [3 0 R] /Count 1 >>"),
    ascii(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    ),
    Buffer.concat([ascii(`<< /Length ${content.length} ${filter} >>\nstream\n`), content, ascii("\nendstream")]),
    ascii("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
  ];
}

/** One page with a line of text; without one when it is empty. */
export function pdfWith(text: string): Buffer {
  const content = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text.replaceAll(/[()\\]/g, "\\$&")}) Tj ET`;
  return pdfOf(pageObjects(ascii(content), ""));
}

/** A line of text on each page. */
export function pdfPages(texts: readonly string[]): Buffer {
  const kids = texts.map((_, at) => `${at * 2 + 4} 0 R`);
  const pages = texts.flatMap((text, at) => {
    const content = `BT /F1 12 Tf 72 720 Td (${text.replaceAll(/[()\\]/g, "\\$&")}) Tj ET`;
    const page = `/Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${at * 2 + 5} 0 R`;
    return [
      ascii(`<< ${page} /Resources << /Font << /F1 3 0 R >> >> >>`),
      ascii(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`),
    ];
  });
  return pdfOf([
    ascii("<< /Type /Catalog /Pages 2 0 R >>"),
    ascii(`<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${texts.length} >>`),
    ascii("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
    ...pages,
  ]);
}

/** One page without a text of its own: a filled-in form, remarks, and what nobody is shown. */
export function pdfForm(): Buffer {
  const [catalogue, pages, , ...rest] = pageObjects(ascii(""), "");
  const field = (more: string) => `/Type /Annot /Subtype /Widget /Rect [50 700 300 720] ${more}`;
  const marks = [
    field("/FT /Tx /T (f1) /TU (Name of the tenant) /V (Ada Birch)"),
    field("/FT /Ch /Ff 131072 /T (f2) /V (b) /Opt [[(r) (Red)] [(b) (Blue)]]"),
    field("/FT /Tx /Ff 8192 /T (f3) /V (open sesame)"),
    field("/FT /Tx /F 2 /T (f4) /V (out of sight)"),
    "/Type /Annot /Subtype /Text /Rect [50 600 70 620] /Contents (Ask the council first)",
    "/Type /Annot /Subtype /FreeText /Rect [50 500 250 520] /DA (/F1 12 Tf) /Contents (Sign here by Friday)",
  ];
  const refs = marks.map((_, index) => `${index + 6} 0 R`);
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [${refs.join(" ")}] /Resources << /Font << /F1 5 0 R >> >> >>`;
  const form = ascii(`<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${refs.slice(0, 4).join(" ")}] >> >>`);
  const objects = [catalogue && form, pages, ascii(page), ...rest, ...marks.map((mark) => ascii(`<< ${mark} >>`))];
  return pdfOf(objects.filter((object) => object !== undefined));
}

/** A PDF that cannot be opened without a password: its check values fit none. */
export function lockedPdf(): Buffer {
  const objects = [...pageObjects(ascii("BT (x) Tj ET"), ""), ascii(lockedBy)];
  return pdfOf(objects, `/Encrypt 6 0 R /ID [<${"00".repeat(16)}> <${"00".repeat(16)}>]`);
}
const lockedBy = `<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${"11".repeat(32)}> /U <${"22".repeat(32)}> >>`;

/** A few kilobytes that inflate twice, to `bytes` spaces. */
export function pdfBomb(bytes: number): Buffer {
  const content = deflateSync(deflateSync(Buffer.alloc(bytes, " ")));
  return pdfOf(pageObjects(content, "/Filter [/FlateDecode /FlateDecode]"));
}

const namespaces = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const relationships =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A Word document with one paragraph; `body` takes its place when given, `parts` are added. */
export function docxWith(text: string, { body, parts = {} }: { body?: Buffer; parts?: Zippable } = {}): Buffer {
  const document = `<w:document ${namespaces}><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;
  const styles = `<w:styles ${namespaces}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`;
  return Buffer.from(
    // The quickest compression: how small a bomb is says nothing of what becomes of it.
    zipSync(
      {
        "[Content_Types].xml": ascii(contentTypes),
        "_rels/.rels": ascii(relationships),
        "word/document.xml": body ?? ascii(document),
        "word/styles.xml": ascii(styles),
        ...parts,
      },
      { level: 1 },
    ),
  );
}

/** Parts of a Word document that stand around its text. */
export function docxMargins(texts: Readonly<Record<string, string>>): Zippable {
  const part = (text: string) => `<w:x ${namespaces}><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:x>`;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`word/${name}.xml`, ascii(part(text))]));
}

/** A document whose text inflates to `bytes`. */
export function docxBomb(bytes: number): Buffer {
  const text = Buffer.alloc(bytes, "A");
  const [head, tail] = [
    `<w:document ${namespaces}><w:body><w:p><w:r><w:t>`,
    "</w:t></w:r></w:p></w:body></w:document>",
  ];
  return docxWith("", { body: Buffer.concat([ascii(head), text, ascii(tail)]) });
}

/** The same, but its directory says that nothing in it is larger than `claim` bytes. */
export function lyingDocxBomb(bytes: number, claim: number): Buffer {
  const bomb = docxBomb(bytes);
  // Uncompressed sizes: 24 bytes into a directory entry, 22 into a local header (APPNOTE.TXT 4.3.7, 4.3.12).
  for (const [signature, offset] of [
    ["PK\u0001\u0002", 24],
    ["PK\u0003\u0004", 22],
  ] as const) {
    for (let at = bomb.indexOf(signature, 0, "latin1"); at !== -1; at = bomb.indexOf(signature, at + 4, "latin1")) {
      if (bomb.readUInt32LE(at + offset) > claim) bomb.writeUInt32LE(claim, at + offset);
    }
  }
  return bomb;
}

/** A picture in one colour, RGBA. */
export function pngOf(width: number, height: number, colour: readonly number[] = [200, 30, 30, 255]): Buffer {
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => Buffer.from(colour))]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  return pngWith(width, height, deflateSync(pixels));
}

/** A picture that says it has these many pixels. */
export function pngWith(width: number, height: number, data: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([ascii(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
