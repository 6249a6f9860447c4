import { createHash } from 'node:crypto';
import type { Comment } from '@agent/platforms';
import { describe, expect, it } from 'vitest';
import type { DeliveringEntry } from '../inbox/detection-record.ts';
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
const toldUntil = '2026-01-01T00:00:00Z';

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
    const { comments, hashes } = await findToldComments(journal, { listed, toldUntil });
    expect(comments.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(hashes.get('1')).toBe(sha256('Round it.'));
    // Edited since: whatever rests on it is stale from the start.
    expect(hashes.get('2')).not.toBe(sha256('In dollars.'));
    expect(hashes.get('3')).toBe(sha256('New.'));
  });

  it('are those of before the run where nothing listened [C11]', async () => {
    const listed = [comment('1', 'Early.'), comment('2', 'Late.', '2026-01-02T00:00:00Z')];
    const { comments, hashes } = await findToldComments(journalOf(), { listed, toldUntil });
    expect(comments.map(({ id }) => id)).toEqual(['1']);
    expect([...hashes]).toEqual([['1', sha256('Early.')]]);
  });
});
