import type { CommentChange, CommentDetectionState } from '@agent/comment-detection';
import { expect, it } from 'vitest';
import { listDelivered } from './delivered-comments.ts';

type Entry = CommentDetectionState['ledger'][number];

function entry(id: string, login: string | null, minute: number): Entry {
  const created_at = `2026-01-01T00:0${minute}:00Z`;
  const author = login === null ? null : { id: login, login };
  return { id, author, created_at, updated_at: null, hash: '', known: null };
}

const revision = 'hash';
const undelivered: CommentChange = {
  kind: 'added',
  comment: { id: '3', author: null, body: '', createdAt: '', updatedAt: null },
  previousBody: null,
  revision,
};

it('accounts for each comment once, whichever process delivered it, and for what nobody told [NX-8]', () => {
  const heard = listDelivered({
    told: [
      { id: '2', revision, kind: 'added' },
      { id: '1', revision, kind: 'added' },
      { id: '1', revision, kind: 'edited' },
      { id: '1', revision: 'another', kind: 'edited' },
      { id: 'gone', revision, kind: 'deleted' },
    ],
    undelivered: [undelivered],
    ledger: [entry('1', 'alice', 1), entry('2', 'bob', 2), entry('3', null, 3), entry('4', 'carol', 4)],
    urls: new Map(['1', '2', 'gone'].map((id) => [id, `https://example.org/#${id}`])),
    commands: new Map([['2', { name: 'stop', outcome: 'obeyed' }]]),
  });
  expect(heard.map(({ url }) => url)).toEqual([
    null,
    'https://example.org/#1',
    'https://example.org/#1',
    'https://example.org/#2',
    null,
  ]);
  expect(heard.map(({ command }) => command?.name)).toEqual([
    undefined,
    undefined,
    undefined,
    'stop',
    undefined,
  ]);
  expect(heard.map(({ kind, author, delivered }) => `${kind} by ${author}: ${delivered}`)).toEqual([
    'deleted by null: true',
    'added by alice: true',
    'edited by alice: true',
    'added by bob: true',
    'added by null: false',
  ]);
});
