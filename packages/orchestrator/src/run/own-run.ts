import {
  type CommentInbox,
  type CommentInboxOptions,
  type CommentSource,
  createCommentInbox,
  type SourceComment,
} from '@agent/comment-detection';
import type { CommentListing } from '@agent/platforms';
import type { NewFinalSummary, NewRun, OpenRun, Outcome, RunEnd, RunStorage } from '@agent/run-store';
import { combineSignals, type OpenedConversation, type OwnLoop, openLoop } from '@agent/runner';
import type { ModelMessage } from 'ai';
import type { RunRecords } from '../host/open-records.ts';
import type { RunLogger } from '../host/ports.ts';
import { createDetectionRecord } from '../thread/detection-record.ts';
import { commitPause, putAway, watchControls, watchPauseSignal } from './run-record.ts';

/** A thread that a run works on, and how the run hears it and is seen there. */
export interface OwnTask {
  /** Names the thread in the record, for this run and those that come after it. */
  readonly thread: Pick<NewRun, 'taskKey' | 'taskKeyText' | 'host'>;
  readonly comments: CommentSource;
  /** Tells whose comments are news, and who may steer. */
  readonly hearing?: CommentInboxOptions | undefined;
  /** Says what else is fixed when a run begins. Asked only then. Default nothing. */
  readonly describe?: (() => Promise<Partial<NewRun>>) | undefined;
  /** Opens the conversation from one snapshot of the thread; what the snapshot holds is no news. Asked until it is journaled. */
  readonly openConversation: (snapshot: CommentListing<SourceComment>) => Promise<OpenedConversation>;
  /** Shows a pause or an end on the thread. Called again after a crash, so it looks for what it made, by `topic`. */
  readonly show: (standing: RunStanding) => Promise<void>;
}

/** State of a run, as people are to see it. */
export interface RunStanding {
  readonly uuid: string;
  readonly status: Outcome;
  /** Last words of the model; null where there are none, as in a pause. */
  readonly finalText: string | null;
  readonly reason: string | null;
  /** Names this one text of this run, for good. */
  readonly topic: string;
}

/** End of a run, as the agent tells it. */
export interface OwnEnd {
  readonly status: Exclude<Outcome, 'needs_input'>;
  readonly finalText: string | null;
  /** Default null. */
  readonly reason?: string | null | undefined;
  /** Left for later runs on the thread. Default none. */
  readonly summary?: NewFinalSummary | undefined;
}

/** A run that this process carries, until it is paused or concluded: after that it rejects, and nothing is shown. */
export interface OwnRun extends OwnLoop {
  readonly uuid: string;
  readonly origin: 'begun' | 'recovered' | 'resumed';
  readonly state: OpenRun<ModelMessage>['state'];
  /** Number of processes in a row that died with the run and left it no further. */
  readonly crashesInARow: number;
  /** Commits the pause, shows it, and puts the run where the next `take` resumes it. */
  readonly pause: () => Promise<void>;
  /** Commits the end, shows it, and puts the run away. */
  readonly conclude: (end: OwnEnd) => Promise<void>;
  /** Leaves the run for the next start, as a shutdown does; that is no crash. Nothing can be done with it afterwards. */
  readonly leave: () => Promise<void>;
}

/** Services that all runs of one place share. */
export interface Carrier extends Pick<RunStorage, 'controls' | 'pauseSignal'> {
  readonly store: RunRecords['store'];
  readonly shutdown: AbortSignal;
  readonly logger: RunLogger;
  readonly now: () => number;
}

/** A run that is open, to be carried. */
export interface CarriedRun {
  readonly open: OpenRun<ModelMessage>;
  readonly origin: OwnRun['origin'];
  readonly task: OwnTask;
  /** Called when it was paused or put away. */
  readonly onRest: () => void;
  /** Called when it was left. */
  readonly onLeft: () => void;
}

/** Gives an open run its inbox, its loop, and its ends. */
export async function carry(
  { store, controls, pauseSignal, shutdown, logger, now }: Carrier,
  { open, origin, task, onRest, onLeft }: CarriedRun,
): Promise<OwnRun> {
  const { metadata, journal, state, finalSummary, crashesInARow, leave } = open;
  const { uuid, createdAt: startedAt } = metadata;
  const inbox = await openInbox(open, { task, startedAt, logger });
  const loop = await openLoop({
    journal,
    signals: combineSignals([watchPauseSignal(pauseSignal), watchControls({ uuid, controls })], {
      logger,
    }),
    comments: inbox.comments,
    openConversation: inbox.openConversation,
    signal: shutdown,
    ...{ now, logger },
  });
  let standing: 'open' | 'at rest' | 'left' = 'open';
  const requireOpen = (): void => {
    if (standing === 'at rest')
      throw new Error(`The run ${uuid} was paused or concluded. Call take() again for its thread.`);
    if (standing === 'left')
      throw new Error(`The run ${uuid} was left for the next start. Open the runs again.`);
  };
  const rest = (): void => {
    standing = 'at rest';
    onRest();
  };
  return {
    uuid,
    origin,
    state,
    crashesInARow,
    leave: async () => {
      if (standing !== 'open') return;
      standing = 'left';
      onLeft();
      await leave();
    },
    instructions: loop.instructions,
    get messages() {
      return loop.messages;
    },
    next: async () => {
      requireOpen();
      return loop.next();
    },
    append: async (...appended) => {
      requireOpen();
      return loop.append(...appended);
    },
    statistics: loop.statistics,
    pause: async () => {
      requireOpen();
      await commitPause(store, { uuid, show: (count) => showPause(task, { uuid, count }) });
      rest();
    },
    conclude: async ({ status, finalText, reason = null, summary }) => {
      requireOpen();
      if (summary !== undefined && (await finalSummary.read())?.isUpToDate !== true)
        await finalSummary.append(summary, { now: now() });
      const end = { status, finalText, reason, statistics: loop.statistics() };
      await journal.finish(end);
      await task.show(toStanding(uuid, end));
      await putAway({ store, controls }, uuid);
      rest();
    },
  };
}

/** The inbox of a run: from its snapshot where the conversation is opened now, else from its record. */
async function openInbox(
  { metadata, journal, state }: Pick<OpenRun<ModelMessage>, 'metadata' | 'journal' | 'state'>,
  {
    task,
    startedAt,
    logger,
  }: { readonly task: OwnTask; readonly startedAt: string; readonly logger: RunLogger },
) {
  const { hearing = {}, comments: source } = task;
  const record = createDetectionRecord({ journal, state, startedAt, logger });
  const inbox: CommentInbox = createCommentInbox(source, {
    logger,
    ...hearing,
    startedAt: record.startedAt,
    onObserved: record.observe,
    taskUuid: metadata.uuid,
    onDelivered: (receipt) => {
      hearing.onDelivered?.(receipt);
      record.save(inbox.manager.toState({ hasBodies: false }));
    },
  });
  let isKnown = false;
  return {
    openConversation: async (): Promise<OpenedConversation> => {
      const listing = await source.listComments({ since: null, fresh: true });
      await inbox.manager.initialize(listing);
      await record.observe?.(inbox.manager.toOpeningObservations());
      isKnown = true;
      return { ...(await task.openConversation(listing)), receipt: inbox.manager.toOpeningReceipt() };
    },
    comments: {
      ...inbox,
      takeDelivery: async (call: Parameters<CommentInbox['takeDelivery']>[0]) => {
        if (!isKnown) inbox.manager.restore(null, await record.read());
        isKnown = true;
        return inbox.takeDelivery(call);
      },
    },
  };
}

/** Shows the pause after so many resumes. */
export function showPause(
  { show }: Pick<OwnTask, 'show'>,
  { uuid, count }: { readonly uuid: string; readonly count: number },
): Promise<void> {
  const topic = `run:${uuid}:paused:${count}`;
  return show({ uuid, status: 'needs_input', finalText: null, reason: null, topic });
}

/** Converts the end of a run to what people are to see of it. */
export function toStanding(
  uuid: string,
  { status, finalText, reason }: Pick<RunEnd, 'status' | 'finalText' | 'reason'>,
): RunStanding {
  return { uuid, status, finalText, reason, topic: `run:${uuid}:final` };
}
