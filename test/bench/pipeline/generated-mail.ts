import { seededRandom } from "../../../infra/standins/seeded-random.ts";

interface Kind {
  readonly from: string;
  readonly subject: string;
  readonly body: string;
}

const wanted: readonly Kind[] = [
  {
    from: "Marta Lind <marta@dachbau.example>",
    subject: "Offer for the roof",
    body: "Good morning,\n\nattached is the offer we spoke about on the phone. Could you tell me by Friday whether we should keep the date?\n\nKind regards\nMarta",
  },
  {
    from: "Jonas <jonas@familie.example>",
    subject: "Sunday lunch",
    body: "Hi,\n\nare you coming on Sunday? Mum asks whether you can bring the cake. I can pick you up at eleven.\n\nJonas",
  },
  {
    from: "Ines Ferreira <ines@studio.example>",
    subject: "Comments on the draft",
    body: "Hello,\n\nI read the draft. Two questions on chapter three, could we talk tomorrow at ten? I would like to send it to the printer next week.\n\nInes",
  },
];

const unwanted: readonly Kind[] = [
  {
    from: "WINNER <prize@lottery.example>",
    subject: "You have won 2.500.000 EUR!!!",
    body: "CONGRATULATIONS! Your address was drawn. Send your bank account and a copy of your passport today to claim your prize of 2.500.000 EUR. Act now, this offer expires!",
  },
  {
    from: "Online Pharmacy <deals@pills.example>",
    subject: "Cheap pills, 80% off today only",
    body: "Buy viagra and cialis without prescription. 80% discount, free shipping, click here now: http://pills.example/buy. Unsubscribe at any time.",
  },
];

/** Two in three messages are meant for the person. */
const wantedShare = 2 / 3;

function compose({ from, subject, body }: Kind, number: number, word: string): Uint8Array {
  return Buffer.from(
    [
      `From: ${from}`,
      "To: you@example.com",
      `Subject: ${subject} (${number})`,
      `Date: ${new Date(Date.UTC(2026, 10, 20) - number * 60_000).toUTCString()}`,
      `Message-ID: <${number}.${word}@bench.example>`,
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "",
      `${body}\n\n(${word})\n`,
    ].join("\r\n"),
  );
}

/** Endless mail, the same for the same seed; `wantedOnly` leaves out what a scout dismisses. */
export function* generatedMail(seed: number, wantedOnly = false): Generator<Uint8Array, never> {
  const random = seededRandom(seed);
  for (let number = 0; ; number += 1) {
    const kinds = wantedOnly || random() < wantedShare ? wanted : unwanted;
    const kind = kinds[Math.floor(random() * kinds.length)];
    if (kind) yield compose(kind, number, `${seed}x${random().toString(36).slice(2)}`);
  }
}

export function take(mail: Generator<Uint8Array, never>, count: number): Uint8Array[] {
  return Array.from({ length: count }, () => mail.next().value);
}
