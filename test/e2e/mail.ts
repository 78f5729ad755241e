import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelReply, relevant, spam } from "./scripted-model.ts";

/** Every third message is spam, and says so to the scripted model. */
export const isSpam = (number: number) => number % 3 === 2;
export const subjectOf = (number: number) => `${isSpam(number) ? "Offer" : "Question"} no. ${number}`;

export function writeMail(folder: string, numbers: readonly number[]): void {
  for (const number of numbers) {
    const lines = [
      `From: Somebody <somebody${number}@mail.example>`,
      "To: you@example.com",
      `Subject: ${subjectOf(number)}`,
      `Message-ID: <${number}@mail.example>`,
      "",
      `This is message ${number}.`,
      "",
    ];
    writeFileSync(fileOf(folder, number), lines.join("\r\n"));
  }
}

export function deleteMail(folder: string, number: number): void {
  rmSync(fileOf(folder, number));
}

const fileOf = (folder: string, number: number) => join(folder, `${String(number).padStart(4, "0")}.eml`);

export const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);
export const wantedSubjects = (numbers: readonly number[]) =>
  numbers.filter((number) => !isSpam(number)).map(subjectOf);

/** The verdict on such a message, read from its prompt. */
export const judgeBySubject = (prompt: string): ModelReply => (/^Subject: Offer/m.test(prompt) ? spam() : relevant());
