const maxHeadChars = 2_000;

/** Counts words and characters of text that comes in pieces, runs of white space as one; keeps its beginning. */
export class VisibleText {
  words = 0;
  head = "";
  #visible = 0;
  #inWord = false;

  /** With one space between words. */
  get chars(): number {
    return this.#visible + Math.max(0, this.words - 1);
  }

  add(text: string): void {
    const { length } = text;
    let [inWord, words, spaces] = [this.#inWord, 0, 0];
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000) {
        inWord = false;
        spaces++;
      } else if (!inWord) {
        inWord = true;
        words++;
      }
    }
    if (this.head.length < maxHeadChars && words + length - spaces > 0) {
      const separator = this.#inWord || this.head === "" ? "" : " ";
      this.head = `${this.head}${separator}${text.slice(0, maxHeadChars)}`.replace(/\s+/g, " ").slice(0, maxHeadChars);
    }
    this.words += words;
    this.#visible += length - spaces;
    this.#inWord = inWord;
  }

  /** What comes next does not belong to the word before it. */
  endWord(): void {
    this.#inWord = false;
  }
}
