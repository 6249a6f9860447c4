import { randomUUID } from 'node:crypto';
import { type CommentListing, formatTaskKey, toTaskKeyJson } from '@agent/platforms';
import type { RunStore } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import type { Admission, FoundTask } from '../admission/admission.ts';
import type { WakeSibling } from '../admission/task-of-draft.ts';
import { ThreadHeldError } from '../admission/thread-held.ts';
import type { ObserveBoard } from '../board/board-event.ts';
import type { ConfiguredModel } from '../host/ports.ts';
import type { BeginInheritance, RunBeginning } from '../inheritance/begin-inheritance.ts';
import { findTextAuthors } from '../past/find-text-author.ts';
import { toLineageJson } from '../past/run-lineage.ts';
import type { Claims } from '../run/run-claim.ts';
import { type RunFacts, toFactsJson } from '../run/run-facts.ts';
import { type OpenedThread, openRunThread, type Snapshot, type ThreadSnapshot } from '../run/run-thread.ts';
import { type HandoverRecords, toRecordedThread } from '../triggers/handover-records.ts';
import type { Activate, HeldByProcess } from './activate.ts';

export interface BegunRun extends HeldByProcess {
  readonly snapshot: Snapshot;
}

/** Null where the thread is no task any more, or was given back to people. */
export type Begin = (found: FoundTask) => Promise<BegunRun | null>;

export interface BeginOptions {
  readonly admission: Admission;
  readonly claims: Pick<Claims, 'findHolder'>;
  readonly inherit: BeginInheritance;
  readonly wakeSibling: WakeSibling;
  readonly store: Pick<RunStore<ModelMessage>, 'open'>;
  /** Forgets what the agent kept of a thread until a run has begun. */
  readonly handovers: Pick<HandoverRecords, 'forget'>;
  readonly activate: Activate;
  /** Kept in `metadata.json`. */
  readonly model: ConfiguredModel['description'];
  readonly observe: ObserveBoard;
  readonly shutdown: AbortSignal;
}

/**
 * Creates what begins a run: one snapshot of the thread, who gave it to us, then `metadata.json`; nothing on the platform has
 * changed yet. Null when the thread is no task any more, because the listing that named it was older than the thread is
 * now, and when it must not be worked on or nobody who may gave it to us: then it is given back to people.
 */
export function createBegin(options: BeginOptions, newUuid: () => string = randomUUID): Begin {
  const { admission, inherit, shutdown: signal } = options;
  return async (found) => {
    const opened = openRunThread(found.platform, found.summary.key);
    try {
      const thread = await admission.readWaiting(opened, found);
      if (thread === null) return null;
      const listing = await opened.comments.listComments({ since: null, fresh: true, signal });
      await requireFree(options, opened, listing);
      const admitted = await admission.judge(opened, { ...found, thread, listing });
      if (admitted === null) {
        opened.comments.close();
        return null;
      }
      const { task } = admitted;
      if (task !== null && found.retryOf === undefined && (await options.wakeSibling(task))) {
        await found.platform.trigger.release(opened.ports, { signal });
        opened.comments.close();
        return null;
      }
      const snapshot = { thread, listing };
      const own = toRecordedThread(opened.ports.key, found.platform.platform);
      const said = task === null ? [] : await task.listComments();
      const beginning = await inherit({
        ...admitted,
        thread: { ...(task?.filedAs ?? own), repositoryId: admitted.facts.repository?.id },
        // Earlier runs of the task rest on what was said on the issue, too.
        snapshot: { thread, listing: { ...listing, comments: [...said, ...listing.comments] } },
        issue: task?.issue ?? thread,
        readTextAuthors: task?.readTextAuthors ?? (() => findTextAuthors(opened.ports, thread, { signal })),
        botName: found.platform.botName,
        locale: admitted.facts.locale,
      });
      const subject = { opened, snapshot, facts: admitted.facts, beginning, retryOf: found.retryOf ?? null };
      return await openRun(options, { ...subject, uuid: newUuid() });
    } catch (error) {
      opened.comments.close();
      throw error;
    }
  };
}

/** @throws ThreadHeldError where a run of another directory is at work on the thread, by the claim that stands there */
async function requireFree(
  { claims, shutdown: signal }: BeginOptions,
  { platform: { platform }, ports }: OpenedThread,
  listing: CommentListing,
): Promise<void> {
  const { identity, serverNow } = platform;
  const holder = await claims.findHolder(listing, {
    ownAccount: await identity.whoAmI({ signal }),
    serverNow,
  });
  if (holder !== null) throw new ThreadHeldError({ thread: formatTaskKey(ports.key), holder });
}

/** Parts that a run is made of. */
interface Beginning {
  readonly uuid: string;
  readonly opened: OpenedThread;
  readonly snapshot: ThreadSnapshot;
  readonly facts: RunFacts;
  readonly beginning: RunBeginning;
  readonly retryOf: string | null;
}

async function openRun(
  { store, handovers, activate, model, observe }: BeginOptions,
  { uuid, opened, snapshot, facts, beginning, retryOf }: Beginning,
): Promise<BegunRun> {
  const { platform } = opened;
  const { inherited } = beginning;
  const lineage = { ...beginning.lineage, retryOf };
  const named = toRecordedThread(opened.ports.key, platform.platform);
  const run = {
    uuid,
    taskKey: toTaskKeyJson(opened.ports.key),
    host: named.host,
    taskKeyText: facts.belongsTo ?? named.taskKeyText,
    user: snapshot.thread.author?.login ?? null,
    config: {
      llm_provider: model.provider,
      model: model.model,
      context_length: model.contextLength,
    },
    extra: { ...toFactsJson(facts), ...toLineageJson(lineage) },
    inheritedFromUuid: lineage.fromUuid,
    inheritanceDepth: lineage.depth,
  };
  // A process that was cut off meanwhile leaves the thread to what another has begun there since.
  const open = await store.open(run, { alone: true });
  await handovers.forget(named);
  const held = activate({ open, platform, thread: opened });
  const { logger, thread } = held.run;
  logger.info(
    { title: facts.title, url: facts.url, branch: facts.repository?.branch ?? null },
    'started task',
  );
  if (inherited !== null) observe({ type: 'inheritance', depth: lineage.depth, tokens: lineage.tokens });
  const { give } = thread.acknowledgements;
  if (facts.handover?.commentId != null) await give('seen', [facts.handover.commentId]);
  await give('done', beginning.obeyed);
  await give('refused', beginning.refused);
  return { ...held, snapshot: { ...snapshot, inherited } };
}
