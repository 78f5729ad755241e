import type { ProjectId } from "../../../events/ids.ts";
import { nobody } from "../../access/policy/approver.ts";
import type { FilePlace } from "../../actions/action-result.ts";
import type { ApproverAtClient } from "../../activity/waiting-approver.ts";
import { askAgent } from "../../agent/ask-agent.ts";
import { type AskedQuestion, questionRequest } from "../../agent/ask-question.ts";
import { checkRequest } from "../../agent/check-request.ts";
import { conversations, exchangesOf, forgetConversation } from "../../agent/conversations.ts";
import type { FetchPage } from "../../attachments/handlers/attach-page.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import type { Clock } from "../../connection/clock.ts";
import { openContentChannel } from "../../connection/content/content-channel.ts";
import type { ConnectionPorts } from "../../connection/ports.ts";
import { aboutHomeOf } from "../../doctor/about-home.ts";
import { isMisconfigured, modelTrouble } from "../../doctor/model-trouble.ts";
import { DeviceError } from "../../errors.ts";
import { Extractor } from "../../folders/extraction/extractor.ts";
import type { Rescans } from "../../folders/indexer/rescans.ts";
import type { OpenedFolders } from "../../projects/opened-folders.ts";
import { textAtPlace } from "../../projects/text-at-place.ts";
import type { DeviceStore } from "../../store/open.ts";
import { chargeOf } from "../../usage/price.ts";
import type { Variables } from "../../workspace/workspace.ts";
import type { EventLog } from "../news/event-log.ts";
import { answerLines } from "./answer-lines.ts";
import { attachedInConsole } from "./attached-in-console.ts";
import type { AskLine } from "./contract.ts";

/** Conversations that are listed; `scouts answers list` has the rest. */
const listed = 100;

export interface AskParts {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly clock: Clock;
  readonly ports: ConnectionPorts;
  readonly rescans: Pick<Rescans, "rescanInBackground">;
  readonly log: EventLog;
  readonly folders: OpenedFolders;
  readonly fetchPage: FetchPage;
  readonly onProblem: (error: unknown) => void;
  /** The person's own environment, for tools they offer; without it a question has none. */
  readonly variables?: Variables | undefined;
}

/** Nobody can be asked where a question runs: what it asks for stands in the console. */
const elsewhere: ApproverAtClient = { ...nobody, canAsk: () => false };

/** What a tab can ask agents. */
export type AskUseCases = ReturnType<typeof askUseCases>;

/** Questions as `scouts ask` has them, and what was answered before. */
export function askUseCases({
  store,
  api,
  clock,
  ports,
  rescans,
  log,
  folders,
  onProblem,
  variables,
  fetchPage,
}: AskParts) {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  /** The question ends with the tab that asked it, with its being cancelled, and with the device. */
  function answer(request: ReturnType<typeof questionRequest>, reader: AbortSignal): AsyncGenerator<AskLine> {
    const signal = AbortSignal.any([reader, closing.signal]);
    const { deviceId } = store.identity.get();
    return answerLines({
      charge: (tokens) => chargeOf(store, tokens),
      clock,
      signal,
      onProblem,
      async run(events) {
        const asked = askAgent(request, {
          ...{ store, dataFolder: store.dataFolder, clock, signal, events },
          openContent: () => openContentChannel({ api, deviceId, ports }),
          ...(variables && { tools: { variables, client: elsewhere, isServed: () => true } }),
          onStale: (projectId) => rescans.rescanInBackground(projectId),
        });
        running.add(asked);
        try {
          const ended = await asked;
          if (ended.answerId !== null) log.add({ type: "answers" });
          return ended;
        } finally {
          running.delete(asked);
        }
      },
    });
  }

  return {
    /** What questions can be put to: the model of the home that runs here, with what keeps it, and the projects. */
    async setting() {
      const about = await aboutHomeOf(store.dataFolder);
      const projects = store.projects.linked();
      return {
        model: about === undefined ? null : shownModel(about.model),
        projects: projects.map(({ id, name }) => ({ id, name })),
      };
    },

    /**
     * Asks, when there is something to answer from and a model to answer.
     *
     * @throws DeviceError `model_unusable`, and as {@link questionRequest}, {@link attachedInConsole} and {@link checkRequest}, before anything is asked
     */
    async ask({
      text,
      projectId,
      goesOnFrom,
      attachments: names = [],
    }: AskedQuestion & { readonly attachments?: readonly string[] | undefined }): Promise<
      (reader: AbortSignal) => AsyncGenerator<AskLine>
    > {
      const asked = questionRequest(store, { text, projectId, goesOnFrom });
      const projectFolder = asked.projectId && (store.projects.get(asked.projectId).folderPath ?? undefined);
      const { signal } = closing;
      const attachments = await attachedInConsole(names, { store, api, ports, fetchPage, signal, projectFolder });
      const request = { ...asked, attachments };
      await checkRequest(request, store);
      const about = await aboutHomeOf(store.dataFolder);
      if (about !== undefined && isMisconfigured(about.model)) throw new DeviceError("model_unusable");
      return (reader) => answer(request, reader);
    },

    /** @throws DeviceError `kept_locked`, `passphrase_wrong` */
    conversations(projectId: ProjectId | undefined) {
      const names = new Map(store.projects.list().map(({ id, name }) => [id, name]));
      const found = conversations(store, { projectId, limit: listed });
      const shown = found.conversations.map((each) => ({
        ...each,
        title: each.title.slice(0, 300).toWellFormed(),
        project: each.projectId === null ? null : (names.get(each.projectId) ?? null),
      }));
      return { conversations: shown, total: found.total };
    },

    /** @throws DeviceError `answer_unknown`, `kept_locked`, `passphrase_wrong` */
    conversation: (id: string) => ({
      exchanges: exchangesOf(store, id).map(({ digest: _, ...exchange }) => exchange),
    }),

    /** @throws as `conversation` */
    forget(id: string) {
      const forgotten = forgetConversation(store, id);
      log.add({ type: "answers" });
      return { forgotten };
    },

    /** The lines around a place. @throws as {@link textAtPlace} */
    async place(place: FilePlace) {
      const extractor = new Extractor();
      try {
        return await textAtPlace(place, { store, folders, extract: (job) => extractor.extract(job) });
      } finally {
        await extractor.close();
      }
    },

    /** Cancels what is being asked, and waits for its end. */
    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}

const shownModel = (model: Parameters<typeof modelTrouble>[0]) => ({
  name: model.name,
  isBuiltIn: model.address === null,
  /** What is wrong with it, and what to do. */
  trouble: modelTrouble(model) ?? null,
  isUnusable: isMisconfigured(model),
});
