import type { Account, Comment, Thread } from '@agent/platforms';
import { createTextWorker } from '@agent/text/worker';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../run/run-thread.ts';
import { createTextCleaner, createTextGuard } from '../thread/text-guard.ts';
import { toNewComment, toPrePlanningRequest } from './checkpoint.ts';

const logger = pino({ level: 'silent' });
const account = (login: string, kind: Account['kind'] = 'person') => ({ id: login, login, kind }) as Account;
const [alice, bob, robot] = [account('alice'), account('bob'), account('robot', 'bot')];
const guard = createTextGuard({
  nonce: '12345678-1234-1234-1234-123456789012',
  clean: createTextCleaner({ textWorker: createTextWorker(), logger }),
  isTrusted: async (who) => who?.login === 'alice',
  logger,
});
const hidden = '<!-- HIDDEN -->';
const say = (author: Account | null, body: string): Comment =>
  ({ id: '1', author, body, createdAt: '2026-03-01T10:00:00Z', updatedAt: null }) as Comment;

function toSnapshot(
  author: Account | null,
  comments: readonly Comment[],
  block: string | null = null,
): Snapshot {
  const thread = {
    author,
    title: `The ${hidden}total`,
    body: `It forgets.${hidden}`,
    labels: ['coding agent', `much${hidden}wanted`],
  };
  const inherited = block === null ? null : { block };
  return {
    thread: thread as unknown as Thread,
    listing: { comments, complete: true },
    inherited,
  } as unknown as Snapshot;
}
const read = (snapshot: Snapshot, ownAccount = robot) =>
  toPrePlanningRequest(snapshot, { guard, ownAccount });

describe('what is asked of a run that pre-plans', () => {
  it('is what the page shows: title, body, labels and comments, and what earlier runs left [PP-7, NX-5]', async () => {
    const request = await read(toSnapshot(bob, [say(alice, `Round.${hidden}`)], 'An earlier run.'));
    expect(request).toEqual({
      author: 'bob',
      isTrusted: false,
      title: 'The total',
      body: 'It forgets.',
      labels: ['coding agent', 'muchwanted'],
      comments: [
        { id: '1', author: 'alice', createdAt: '2026-03-01T10:00:00Z', body: 'Round.', isTrusted: true },
      ],
      history: 'An earlier run.',
    });
    expect((await read(toSnapshot(alice, []))).isTrusted).toBe(true);
    expect(await read(toSnapshot(null, []))).toMatchObject({ author: null, isTrusted: false, history: null });
  });

  it('says of each comment whether its author may steer, and has a command of nobody else as carried out [NX-4]', async () => {
    const said = [say(alice, '/pause'), say(bob, '/pause'), say(null, 'Hello')];
    const { comments } = await read(toSnapshot(bob, said));
    expect(comments.map(({ author, isTrusted }) => [author, isTrusted])).toEqual([
      ['alice', true],
      ['bob', false],
      ['ghost', false],
    ]);
    expect(comments.map(({ body }) => body.includes('It was applied'))).toEqual([true, false, false]);
  });

  it('leaves out what it wrote itself, and nothing that a person wrote by hand with the same account', async () => {
    const marked = '<!-- agent:run:u:final -->\nDone.';
    const said = [say(robot, 'Task understood'), say(alice, 'Thanks')];
    expect((await read(toSnapshot(bob, said))).comments.map(({ body }) => body)).toEqual(['Thanks']);
    const byHand = [say(alice, 'Thanks'), say(bob, marked)];
    expect((await read(toSnapshot(bob, byHand), alice)).comments).toHaveLength(2);
  });

  it('is told of edits and deletions as something new that is said of the earlier comment [PP-58]', async () => {
    const comment = { ...say(alice, `Round up.${hidden}`), updatedAt: '2026-03-01T11:00:00Z' };
    const edited = await toNewComment({ kind: 'edited', comment }, { guard, signal: undefined });
    expect(edited).toMatchObject({ createdAt: '2026-03-01T11:00:00Z', isTrusted: true });
    expect(edited.body).toBe('(This replaces the comment of 2026-03-01T10:00:00Z:)\n\nRound up.');
    const deleted = await toNewComment({ kind: 'deleted', comment }, { guard, signal: undefined });
    expect(deleted.body).not.toContain('Round');
  });
});
