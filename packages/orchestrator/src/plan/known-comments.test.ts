import type { SourceComment } from '@agent/comment-detection';
import { describe, expect, it } from 'vitest';
import { createKnownComments, findMissedChanges, type KnownComments } from './known-comments.ts';
import { knownCommentSchema, toKnownCommentJson } from './pre-planning-files.ts';

const say = (id: string, body: string): SourceComment => ({
  id,
  author: { id: '1', login: 'alice', kind: 'person' },
  body,
  createdAt: `2026-03-01T10:00:0${id}Z`,
  updatedAt: null,
});

/** As the next process reads it. */
function restart(known: KnownComments): KnownComments {
  const json = JSON.stringify(known.list().map(toKnownCommentJson));
  return createKnownComments(knownCommentSchema.array().parse(JSON.parse(json)));
}

describe('what the phase knows of a thread', () => {
  it('tells each change once, over processes too: what came, was edited, was deleted [PP-58]', () => {
    const begun = createKnownComments([]);
    for (const id of ['1', '2', '3']) begun.add({ kind: 'added', comment: say(id, `old ${id}`) });
    const known = restart(begun);
    const listing = { comments: [say('1', 'old 1'), say('2', 'new 2'), say('4', 'old 4')], complete: true };
    const missed = findMissedChanges(known, listing);
    expect(missed.map(({ kind, comment: { id, author } }) => `${kind} ${id} ${author?.login}`)).toEqual([
      'edited 2 alice',
      'added 4 alice',
      'deleted 3 alice',
    ]);
    for (const change of missed) known.add(change);
    expect(findMissedChanges(restart(known), listing)).toEqual([]);
  });

  it('is kept of what it is told only as far as it has been told [PP-57, PP-58]', () => {
    const known = createKnownComments([]);
    known.add({ kind: 'added', comment: say('1', 'old') });
    known.tell({ kind: 'edited', comment: say('1', 'new') });
    known.tell({ kind: 'added', comment: say('2', 'b') });
    const listing = { comments: [say('1', 'new'), say('2', 'b')], complete: true };
    // Nothing is told twice while it is on its way.
    expect(findMissedChanges(known, listing)).toEqual([]);
    const missed = [0, 1, 2].map((told) => findMissedChanges(createKnownComments(known.list(told)), listing));
    expect(missed.map((changes) => changes.map(({ kind, comment: { id } }) => `${kind} ${id}`))).toEqual([
      ['edited 1', 'added 2'],
      ['added 2'],
      [],
    ]);
  });

  it('takes nothing for deleted that a listing leaves out, and tells of no end that had no beginning', () => {
    const known = createKnownComments([]);
    known.add({ kind: 'added', comment: say('1', 'a') });
    expect(findMissedChanges(known, { comments: [], complete: false })).toEqual([]);
    expect(known.has({ kind: 'deleted', comment: say('9', '') })).toBe(true);
  });
});
