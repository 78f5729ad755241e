import type { MailView } from "../../infra/model/triage/view.ts";

/** Invented mail: no real person, company or address. */
export const wantedMail: Readonly<Record<string, MailView>> = {
  "a friend": {
    subject: "Re: Saturday",
    sender: "Marta Lindqvist <marta.lindqvist@example.org>",
    body: "Hi,\nthanks for the photos, I loved the one with the dog. Are we still on for Saturday? I could pick you up around ten if the weather holds.\nMarta",
  },
  "a colleague's question": {
    subject: "Draft of the quarterly report",
    sender: "Jonas Weber <jonas.weber@example.com>",
    body: "Hello,\ncould you have a look at section 3 before Thursday? I think the numbers for March are still the old ones. I changed the chart, but I am not sure about the labels.\nBest\nJonas",
  },
  "German, personal": {
    subject: "Wochenende",
    sender: "Katrin Vogel <katrin.vogel@example.org>",
    body: "Hallo,\nich bin am Samstag in der Stadt und würde mich freuen, wenn wir zusammen essen gehen. Passt es dir um sieben? Mama kommt vielleicht auch mit.\nLiebe Grüße\nKatrin",
  },
  "French, work": {
    subject: "Re: compte rendu de la réunion",
    sender: "Élodie Martin <elodie.martin@example.fr>",
    body: "Bonjour,\nje t'envoie le compte rendu de la réunion d'hier. Peux-tu relire la deuxième partie ? Je pense qu'il manque un point sur le calendrier.\nÀ demain,\nÉlodie",
  },
  "Portuguese, personal": {
    subject: "Re: jantar de sexta",
    sender: "Rui Tavares <rui.tavares@example.pt>",
    body: "Olá,\nnão consigo chegar antes das oito, acho que o comboio vai atrasar. Podes reservar a mesa? Eu levo o bolo.\nAbraço,\nRui",
  },
  "a list's technical question": {
    subject: "[tooling] build fails on the release branch",
    sender: "Priya Nair <priya@example.net>",
    body: "Since yesterday the nightly build fails with a linker error:\n  undefined symbol: parse_header\nI bisected it to the patch that moved the parser. Does anyone else see this?\n> On Monday, Tom wrote:\n> I merged the parser change.\nPriya",
  },
  "an appointment": {
    subject: "Meeting moved to 14:00 tomorrow",
    sender: "Helen Park <helen.park@example.com>",
    body: "The project meeting tomorrow moves from 11:00 to 14:00, same room. Agenda: hiring, budget, the move. Let me know if that does not work for you.",
  },
  "an invoice": {
    subject: "Invoice 2291 for September",
    sender: "Brightwater Garden Care <office@brightwater.example>",
    body: "Dear Ms Olsen,\nplease find attached our invoice 2291 for the work in September, 180.00 EUR. Payment is due within 14 days of the invoice date.\nKind regards\nPaul Brightwater",
  },
};

export const unwantedMail: Readonly<Record<string, MailView>> = {
  "an account about to be lost": {
    subject: "Your account has been suspended - verify now",
    sender: "PayPal Security <alert8832@secure-login.example>",
    body: "Dear customer,\nwe noticed unusual activity in your account and it has been limited. Click here to verify your password and credit card within 24 hours, otherwise your account will be suspended.\nVerify your account",
  },
  "a widow's millions": {
    subject: "URGENT BUSINESS PROPOSAL",
    sender: "MRS GRACE ADAMS <graceadams7712@freemail.example>",
    body: "Dear friend,\nI am the widow of the late minister and I have the sum of 12.5 MILLION US DOLLARS in a security company. I need your assistance to transfer the funds to your country. You will receive 30% of the money. This transaction is strictly confidential. Please send me your bank account and telephone number. God bless you.",
  },
  pills: {
    subject: "Lose weight FAST!!! 100% guaranteed",
    sender: "Slim4You <offer@slim4you.example>",
    body: "Amazing new diet pills! Lose 30 pounds in 30 days, no exercise, no risk, money back guarantee. Order now and get a FREE bottle! Click here: http://slim.example\nTo be removed from our mailing list click here.",
  },
  "a prize, in German": {
    subject: "Herzlichen Glückwunsch! Sie wurden ausgewählt",
    sender: "Amazon Gewinnspiel <win993@prizes.example>",
    body: "Herzlichen Glückwunsch, Sie haben gewonnen! Klicken Sie hier, um Ihren Gutschein im Wert von 500 € zu sichern. Nur heute, kostenlos! Beantworten Sie die kurze Umfrage und erhalten Sie Ihre Belohnung.",
  },
  "a parcel held back, in Portuguese": {
    subject: "Sua encomenda foi suspensa - pagamento pendente",
    sender: "Correios Oficial <aviso22719@entrega.example>",
    body: "Prezado cliente,\nsua encomenda foi bloqueada por falta de pagamento da taxa. Regularize imediatamente em 24 horas. Clique aqui para confirmar seus dados e o cartão.",
  },
  "borrowed letters": {
    subject: "Your Аmаzоn аccоunt is оn hоld",
    sender: "Amazon Support <support_1x9k2@mailer.example>",
    body: "Dear customer, please confirm your payment details. Click here to update your account immediately or it will be suspended.",
  },
};

/** A mail as the pipeline puts it before a model. */
export function promptOf({ subject, sender, body }: MailView, nonce = "00112233445566778899aabb"): string {
  return [
    "Source type: gmail",
    "Scout: Inbox",
    "Purpose: what matters",
    `<<<ITEM ${nonce}>>>`,
    `Subject: ${subject}`,
    `From: ${sender}`,
    "",
    body,
    `<<<END ${nonce}>>>`,
  ].join("\n");
}
