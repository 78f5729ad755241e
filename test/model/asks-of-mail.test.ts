import { expect, test } from "vitest";
import { asksOfMail } from "../../infra/model/agent/asks-of-mail.ts";

test.each([
  "Summarise my emails",
  "Any new mail from Ada?",
  "Do I have mail?",
  "Did I get new e-mails today?",
  "What is in my inbox?",
  "What are my last three mails about?",
  "What’s in today’s mail?",
  "Who emailed me yesterday?",
  "What did Bea write to me?",
  "Was steht in meinen E-Mails?",
  "Ist etwas Wichtiges im Posteingang?",
  "Résume mes mails",
  "¿Qué hay en mi bandeja de entrada?",
])("%s — is about mail", (question) => expect(asksOfMail(question)).toBe(true));

test.each([
  "Which port does the mail server listen on?",
  "What does the email template say?",
  "Who wrote the latest email campaign?",
  "Where is the code that sends mails to customers?",
  "What did the supplier promise in the mail we filed?",
  "Is there a new mailing address for the office?",
  "List my last three invoices",
  "How do we get mail merge to work?",
])("%s — may be answered from files", (question) => expect(asksOfMail(question)).toBe(false));
