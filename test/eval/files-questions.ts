/** A question about the published documents of `../shared/data`, and the files that hold its answer. */
export interface FileQuestion {
  readonly question: string;
  /** Any of them is right. */
  readonly expected: readonly string[];
}

/** Written for this evaluation by somebody who had read the files; words of the file names are avoided where they can be. */
export const fileQuestions: readonly FileQuestion[] = [
  {
    question: "How can I retry an operation safely when the same event arrives twice?",
    expected: ["md/powertools-lambda-python__docs__utilities__idempotency.md"],
  },
  {
    question: "How do I write my own check against harmful prompts for the guardrail framework?",
    expected: ["md/PurpleLlama__LlamaFirewall__website__docs__documentation__advanced-usage__adding-custom-scanner.md"],
  },
  {
    question: "Where is the text about the misfits, the rebels and the troublemakers?",
    expected: ["pdf/attachment.pdf", "pdf/commented-xmp.pdf", "pdf/stream.pdf"],
  },
  {
    question: "How fast can AES and other ciphers be made on Intel processors?",
    expected: ["pdf/bug886717.pdf"],
  },
  {
    question: "How does Canada model rivers and lakes in its national geographic data?",
    expected: ["pdf/GeoBase_NHNC1_Data_Model_UML_EN.pdf"],
  },
  {
    question: "Which examples show how tax credits work for somebody who begins or ends a job?",
    expected: ["docx/IllustrativeCases.docx"],
  },
  {
    question: "Which essay reflects on how our worldview shapes how we think about ourselves?",
    expected: ["docx/61787.docx"],
  },
  {
    question: "How much carbon dioxide was in the air in 1958?",
    expected: ["csv/co2-concentration.csv"],
  },
  {
    question: "How many people work in mining, construction and services, month by month?",
    expected: ["csv/us-employment.csv"],
  },
  {
    question: "How many hurricanes has Alabama had, and how many engineers live there?",
    expected: ["csv/population_engineers_hurricanes.csv"],
  },
  {
    question: "Aus welchen Quellen stammt der Strom in Iowa?",
    expected: ["csv/iowa-electricity.csv"],
  },
  {
    question: "Which data set was recorded on a supercomputer at Lawrence Livermore?",
    expected: ["md/loghub__BGL__README.md"],
  },
  {
    question: "How can Word files be turned into clean web pages?",
    expected: ["md/mammoth.js__README.md"],
  },
  {
    question: "How do I record what my function does with X-Ray?",
    expected: ["md/powertools-lambda-python__docs__core__tracer.md"],
  },
  {
    question: "Which weaknesses in cryptographic libraries were found with test vectors?",
    expected: ["md/wycheproof__doc__bugs.md"],
  },
  {
    question: "What should I know before I propose a rule that finds a new kind of leaked key?",
    expected: ["md/gitleaks__CONTRIBUTING.md"],
  },
  {
    question: "How can an attacker get around the same-origin policy by changing the address a name resolves to?",
    expected: ["md/PayloadsAllTheThings__DNS_Rebinding__README.md"],
  },
  {
    question: "How long are the beaks and flippers of the birds on Dream island?",
    expected: ["json/penguins.json"],
  },
  {
    question: "Where do the capital cities of the American states lie?",
    expected: ["json/us-state-capitals.json"],
  },
  {
    question: "Which hazards does the content safety model classify, and how well?",
    expected: ["md/PurpleLlama__Llama-Guard3__8B__MODEL_CARD.md", "md/PurpleLlama__Llama-Guard3__8B__README.md"],
  },
];
