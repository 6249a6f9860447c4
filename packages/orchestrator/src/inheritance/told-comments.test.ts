import { createHash } from 'node:crypto';
import type { Comment } from '@agent/platforms';
import { describe, expect, it } from 'vitest';
import type { DeliveringEntry } from '../thread/detection-record.ts';
import { type ShownComments, toShownFact } from '../thread/shown-comments.ts';
import { findToldComments } from './summarize-run.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const comment = (id: string, body: string, createdAt = '2026-01-01T00:00:00Z'): Comment => ({
  ...{
    id,
    body,
    createdAt,
    updatedAt: createdAt,
    author: null,
    url: null,
    visibility: 'public',
    subject: null,
  },
});
async function* journalOf(
  ...delivered: readonly { id: string; body: string; kind: 'added' | 'edited' | 'deleted' }[]
): AsyncGenerator<DeliveringEntry> {
  for (const [index, { id, body, kind }] of delivered.entries()) {
    const delivers = [{ id, kind, revision: `${sha256(body).slice(0, 16)}@2026-01-01T00:00:00Z` }];
    yield { type: 'message', seq: index + 1, delivers };
  }
}

const fact = (shown: ShownComments): DeliveringEntry => {
  const { name, data } = toShownFact(shown);
  return { type: 'fact', name, data };
};

describe('the comments that decisions can rest on', () => {
  it('are those that the run was told of, by the text that it was told [C11]', async () => {
    const journal = journalOf(
      { id: '1', body: 'Round it.', kind: 'added' },
      { id: '2', body: 'In yen.', kind: 'added' },
      { id: '3', body: 'Old.', kind: 'added' },
      { id: '3', body: 'New.', kind: 'edited' },
      { id: '4', body: 'Gone.', kind: 'deleted' },
    );
    const listed = [
      ...[comment('1', 'Round it.'), comment('2', 'In dollars.'), comment('3', 'New.')],
      ...[comment('4', 'Gone.'), comment('5', 'Nobody told it.')],
    ];
    const { comments, hashes } = await findToldComments(journal, { listed });
    expect(comments.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(hashes.get('1')).toBe(sha256('Round it.'));
    // Edited since: whatever rests on it is stale from the start.
    expect(hashes.get('2')).not.toBe(sha256('In dollars.'));
    expect(hashes.get('3')).toBe(sha256('New.'));
  });

  it('are not those that were there before the run, unless the first message has shown them', async () => {
    const listed = ['1', '2', '3'].map((id) => comment(id, `Text ${id}.`));
    const delivers = listed.map(({ id, body }) => ({
      ...{ id, kind: 'added' as const },
      revision: `${sha256(body).slice(0, 16)}@2026-01-01T00:00:00Z`,
    }));
    async function* opened(): AsyncGenerator<DeliveringEntry> {
      yield fact({
        opening: true,
        comments: [{ id: '1', body: 'Shown by an opening that was not sent.', isWhole: true }],
      });
      yield fact({ opening: true, comments: [{ id: '3', body: 'Text 3.', isWhole: true }] });
      yield { type: 'message', seq: 1, opens: 1, delivers };
    }
    const { comments } = await findToldComments(opened(), { listed });
    expect(comments.map(({ id }) => id)).toEqual(['3']);
    expect((await findToldComments(journalOf(), { listed })).comments).toEqual([]);
  });

  it('include those that read_comment has shown, and leave out those that were only listed', async () => {
    const listed = ['1', '2'].map((id) => comment(id, `Text ${id}.`));
    const revision = `${sha256('Text 2.').slice(0, 16)}@2026-01-01T00:00:00Z`;
    async function* entries(): AsyncGenerator<DeliveringEntry> {
      yield fact({ opening: true, comments: [] });
      yield { type: 'message', seq: 1, opens: 1, delivers: [] };
      yield { type: 'message', seq: 2, delivers: [{ id: '2', kind: 'added', revision, shown: 'line' }] };
      yield fact({ opening: false, comments: [{ id: '1', body: 'Text 1.', isWhole: true }] });
    }
    const { comments, hashes } = await findToldComments(entries(), { listed });
    expect(comments.map(({ id }) => id)).toEqual(['1']);
    expect(hashes.get('1')).toBe(sha256('Text 1.'));
  });

  it('leave out those of which the model was shown a part, and take them in once it was shown all', async () => {
    const listed = ['1', '2', '3', 'thread'].map((id) => comment(id, `Text ${id}.`));
    const revisionOf = (id: string) => `${sha256(`Text ${id}.`).slice(0, 16)}@2026-01-01T00:00:00Z`;
    const show = (id: string, isWhole: boolean) => ({ id, body: `Text ${id}.`, isWhole });
    async function* entries(all: boolean): AsyncGenerator<DeliveringEntry> {
      yield fact({ opening: true, comments: [show('1', false), show('2', true), show('thread', true)] });
      yield { type: 'message', seq: 1, opens: 1, delivers: [] };
      const delivers = [
        { id: '3', kind: 'added' as const, revision: revisionOf('3'), shown: 'part' as const },
      ];
      yield { type: 'message', seq: 2, delivers };
      if (all) yield fact({ opening: false, comments: [show('1', true), show('2', false), show('3', true)] });
    }
    const idsOf = async (all: boolean) =>
      (await findToldComments(entries(all), { listed })).comments.map(({ id }) => id);
    expect(await idsOf(false)).toEqual(['2', 'thread']);
    expect(await idsOf(true)).toEqual(['1', '2', '3', 'thread']);
  });

  it('are known by the newest text, in whichever order it was delivered and read', async () => {
    const read: DeliveringEntry = fact({
      ...{ opening: false, comments: [{ id: '1', body: 'Use Flask.', isWhole: true }] },
    });
    async function* journal(): AsyncGenerator<DeliveringEntry> {
      yield* journalOf({ id: '1', body: 'Use Flask.', kind: 'added' });
      yield read;
      yield* journalOf({ id: '1', body: 'Use Node.', kind: 'edited' });
    }
    const { hashes } = await findToldComments(journal(), { listed: [comment('1', 'Use Node.')] });
    expect(hashes.get('1')).toBe(sha256('Use Node.'));
  });
});
