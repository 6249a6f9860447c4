import { createHash } from 'node:crypto';
import type { Account, Comment } from '@agent/platforms';
import { describe, expect, it } from 'vitest';
import type { DeliveringEntry } from '../thread/detection-record.ts';
import { considersAll } from './considered-comments.ts';

const ownAccount: Account = { id: '1', login: 'agent', kind: 'bot' };
const alice: Account = { id: '2', login: 'alice', kind: 'person' };
const at = '2026-01-01T00:00:00Z';
const say = (id: string, body: string, author: Account | null = alice): Comment => ({
  ...{ id, body, author, createdAt: at, updatedAt: at, url: null, visibility: 'public', subject: null },
});
const revisionOf = (body: string) => `${createHash('sha256').update(body).digest('hex').slice(0, 16)}@${at}`;

const observe = (...said: readonly Comment[]): DeliveringEntry => ({
  type: 'fact',
  name: 'observed',
  data: {
    opening: { history_until: null },
    observations: said.map(({ id, body, author }) => ({
      ...{ id, body, author: author && { id: author.id, login: author.login, kind: author.kind } },
      ...{ kind: 'added', revision: revisionOf(body), authority: 'trusted', created_at: at, updated_at: at },
    })),
  },
});
const tell = (...said: readonly Comment[]): DeliveringEntry => ({
  ...{ type: 'message', seq: 1 },
  delivers: said.map(({ id, body }) => ({ id, kind: 'added', revision: revisionOf(body) })),
});
const fact = (type: string): DeliveringEntry => ({ type: 'fact', name: 'planning', data: { type } });
const isConsidered = (entries: readonly DeliveringEntry[], comments: readonly Comment[]) =>
  considersAll(
    (async function* () {
      yield* entries;
    })(),
    { comments, ownAccount },
  );

describe('the plan of a run that was stopped', () => {
  const wish = say('7', 'Round it.');
  const begun = [observe(wish), tell(wish), fact('plan')];

  it('considers a thread that says what it was made from, commands and the words of programs aside [NX-122]', async () => {
    const after = [
      say('8', '/stop\n'),
      say('9', 'Stopped.', ownAccount),
      say('10', 'CI failed', { ...ownAccount, id: '3', login: 'ci' }),
    ];
    expect(await isConsidered(begun, [wish, ...after])).toBe(true);
    expect(await isConsidered([fact('plan')], [])).toBe(true);
  });

  it('does not consider what was said, edited or deleted since [NX-122]', async () => {
    expect(await isConsidered(begun, [wish, say('8', 'Do it in Rust.')])).toBe(false);
    expect(await isConsidered(begun, [wish, say('8', '/stop\nDo it in Rust.')])).toBe(false);
    expect(await isConsidered(begun, [wish, say('8', 'Do it in Rust.', null)])).toBe(false);
    expect(await isConsidered(begun, [say('7', 'Round it up.')])).toBe(false);
    expect(await isConsidered(begun, [])).toBe(false);
  });

  it('considers what came while it was carried out only once it was held against that [NX-122]', async () => {
    const news = say('8', 'In yen.');
    const told = [...begun, observe(news), tell(news)];
    expect(await isConsidered(told, [wish, news])).toBe(false);
    expect(await isConsidered([...told, fact('action')], [wish, news])).toBe(false);
    expect(await isConsidered([...told, fact('reflection')], [wish, news])).toBe(true);
  });
});
