import { describe, expect, it } from 'vitest';
import { normalizeComments, normalizeIssue, ThreadContextError } from './normalize.ts';

const createdAt = '2026-01-01T00:00:00Z';

describe('normalizeIssue', () => {
  it('reads the spelling of REST and that of GraphQL alike [CC-2] [CC-4] [A2]', () => {
    const rest = normalizeIssue({
      id: 11,
      number: 7,
      title: 'T',
      body: 'B',
      user: { id: 1, login: 'alice' },
      labels: [{ name: 'bug' }, { name: null }],
      comments: 4,
      created_at: createdAt,
      updated_at: '2026-01-02T00:00:00Z',
    });
    const graph = normalizeIssue({
      id: 'I_kwDOA',
      databaseId: 11,
      number: 7,
      title: 'T',
      body: 'B',
      author: { databaseId: 1, login: 'alice' },
      labels: { nodes: [{ name: 'bug' }] },
      comments: { totalCount: 4 },
      createdAt,
      updatedAt: '2026-01-02T00:00:00Z',
    });
    expect(graph).toEqual(rest);
    expect(rest).toMatchObject({ id: 11, author: 'alice', authorId: '1', labels: ['bug'], commentCount: 4 });
  });

  it('turns ids that are numbers in text back into numbers and keeps those that are not [CC-4]', () => {
    const ids = ['42', 'PROJ-9', '007', '90071992547409930'].map(
      (id) => normalizeComments([{ id, createdAt }])[0]?.id,
    );
    expect(ids).toEqual([42, 'PROJ-9', '007', '90071992547409930']);
  });

  it('names a deleted account "ghost" [CC-4]', () => {
    expect(normalizeComments([{ id: 1, user: null, createdAt }])[0]).toMatchObject({
      author: 'ghost',
      authorId: null,
    });
  });

  it('says which post cannot be used and what it lacks', () => {
    const withoutDate = () => normalizeComments([{ id: 1, createdAt }, { id: 2 }]);
    expect(withoutDate).toThrow(
      'comment 2 of 2 has no creation date; pass created_at or createdAt in ISO 8601',
    );
    expect(() => normalizeIssue({ number: 7, title: 'T', createdAt })).toThrow('The issue #7 has no id');
    expect(() => normalizeIssue({ number: Number.NaN, title: 'T' })).toThrow(
      'The issue has no number (got NaN)',
    );
  });

  it('throws an error that another copy of the package recognizes', () => {
    try {
      normalizeComments([{ createdAt }]);
      expect.unreachable();
    } catch (error) {
      expect(ThreadContextError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ code: 'invalid-input', name: 'ThreadContextError' });
    }
    expect(ThreadContextError.isInstance(new Error('other'))).toBe(false);
  });
});
