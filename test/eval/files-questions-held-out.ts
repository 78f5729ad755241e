import type { FileQuestion } from "./files-questions.ts";

/**
 * Questions about other documents than `fileQuestions`, written before the built-in model's way of choosing files was worked
 * on and not used for it: what these say is what the model does with questions it was not made on.
 */
export const heldOutQuestions: readonly FileQuestion[] = [
  {
    question: "Why can PHP's loose comparison of strings and numbers be abused?",
    expected: ["md/PayloadsAllTheThings__Type_Juggling__README.md"],
  },
  {
    question: "What happens when a web application lets users set an admin flag by extra parameters?",
    expected: ["md/PayloadsAllTheThings__Mass_Assignment__README.md"],
  },
  {
    question: "Which attacks use points that are not on the elliptic curve?",
    expected: ["md/wycheproof__doc__ecdh.md"],
  },
  {
    question: "What has to change in my code when I move to version 3 of Powertools?",
    expected: ["md/powertools-lambda-python__docs__upgrade.md"],
  },
  {
    question: "How do I write a decorator that runs before and after each invocation?",
    expected: ["md/powertools-lambda-python__docs__utilities__middleware_factory.md"],
  },
  {
    question: "How were anomalies labelled in the logs of the distributed file system?",
    expected: ["md/loghub__HDFS__README.md"],
  },
  {
    question: "Is Facebook following people who have no account?",
    expected: ["html/aclu.html"],
  },
  {
    question: "What did the president say to the BBC about gun control?",
    expected: ["html/bbc-1.html"],
  },
  {
    question: "How can I keep myself from buying things I do not need?",
    expected: ["html/lifehacker-post-comment-load.html"],
  },
  {
    question: "Which bacteria have become resistant to antibiotics, and how does one catch them?",
    expected: ["html/webmd-2.html"],
  },
  {
    question: "Can WebAssembly run without a browser?",
    expected: ["html/v8-blog.html"],
  },
  {
    question: "Que demande-t-on aux députés sur le renseignement ?",
    expected: ["html/lemonde-1.html"],
  },
  {
    question: "How well do penicillin and neomycin work against different germs?",
    expected: ["json/burtin.json"],
  },
  {
    question: "How long did people live, and how many children did they have, in Afghanistan in 1960?",
    expected: ["json/gapminder.json"],
  },
  {
    question: "How much did fields at Waseca and Crookston yield in 1931?",
    expected: ["json/barley.json"],
  },
  {
    question: "What did a share of Microsoft cost in the year 2000?",
    expected: ["csv/stocks.csv"],
  },
  {
    question: "How many planes go from Atlanta to New York?",
    expected: ["csv/flights-airport.csv"],
  },
  {
    question: "Which failed passwords and invalid users did the SSH server see?",
    expected: ["log/OpenSSH_2k.log", "csv/OpenSSH_2k.log_structured.csv", "csv/OpenSSH_2k.log_templates.csv"],
  },
  {
    question: "How many cases and deaths per 100,000 women were counted each year?",
    expected: ["docx/bug59058.docx"],
  },
  {
    question: "Which story tells of a lawyer on Wall Street and the clerk who copies for him?",
    expected: ["html/clean-links.html"],
  },
];
