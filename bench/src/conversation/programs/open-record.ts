import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  createCommentInbox,
  type DeliveryReceipt,
  type HeardEvent,
  type ObservedPoll,
} from '@agent/comment-detection';
import type { Json } from '@agent/run-store';
import { createFileStorage } from '@agent/run-store/file';
import type { CommentInbox, OpenedConversation, RunJournal, RunResult } from '@agent/runner';
import { type ModelMessage, modelMessageSchema } from 'ai';
import type { Place } from '../place.ts';
import { openSource, toHearing } from './open-place.ts';

/** What both of our runners need: a record on the disk, and an inbox that is restored from it. */
export interface RunParts {
  readonly journal: RunJournal;
  readonly comments: CommentInbox;
  readonly openConversation: () => Promise<OpenedConversation>;
}

/** Begins a run, or resumes what a killed process left, and keeps its end. */
export async function carryRun(place: Place, carry: (parts: RunParts) => Promise<RunResult>): Promise<void> {
  const storage = createFileStorage({ baseDirectory: join(place.directory, 'runs') });
  const owner = await storage.members.acquire();
  const parseMessage = (json: unknown): ModelMessage => modelMessageSchema.parse(json);
  const store = storage.openStore({ owner, parseMessage });
  const [left] = (await store.listInterrupted()).runs;
  if (left?.outcome) return;
  const { owner: name, repo, number } = place.thread;
  const { journal } = left
    ? await store.restore(left.uuid)
    : await store.open({
        uuid: randomUUID(),
        taskKey: { type: 'github_issue', owner: name, repo, number },
        taskKeyText: `github_issue:${name}:${repo}:${number}`,
        ...{ host: '127.0.0.1', user: 'robot', config: {}, extra: {} },
      });
  const source = openSource(place);
  const observe = async (poll: ObservedPoll): Promise<void> => {
    await journal.append({ type: 'fact', name: 'observed', data: JSON.parse(JSON.stringify(poll)) as Json });
  };
  const inbox = createCommentInbox(source, { ...toHearing(place), onObserved: observe });
  const openConversation = async (): Promise<OpenedConversation> => {
    const listing = await source.listComments({ since: null, fresh: true });
    await inbox.manager.initialize(listing);
    await observe(inbox.manager.toOpeningObservations());
    const said = listing.comments.map(({ author, body }) => `@${author?.login ?? 'ghost'} says: ${body}`);
    const content = [place.task, ...said].join('\n\n');
    return {
      instructions: 'You work.',
      messages: [{ role: 'user', content }],
      receipt: inbox.manager.toOpeningReceipt(),
    };
  };
  const heard = await readHeard(journal);
  if (heard.length > 0) inbox.manager.restore(null, heard);
  const result = await carry({ journal, comments: inbox, openConversation });
  if (result.kind !== 'ended' || result.outcome.status !== 'completed')
    throw new Error(`The run did not complete: ${JSON.stringify(result)}`);
  await journal.finish(result.outcome);
  await owner.release();
}

async function readHeard(journal: RunJournal): Promise<readonly HeardEvent[]> {
  const heard: HeardEvent[] = [];
  for await (const entry of journal.read()) {
    if (entry.type === 'fact' && entry.name === 'observed') heard.push(entry.data as unknown as ObservedPoll);
    if (entry.type === 'message' && (entry.delivers?.length ?? 0) > 0)
      heard.push({ delivers: entry.delivers as DeliveryReceipt['delivers'] });
  }
  return heard;
}
