import type { CallOptions } from '@agent/platforms';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommentInput, IssueInput, IssueReader } from './normalize.ts';
import {
  createContextBuilder,
  toConversationContext,
  toLegacyConversation,
} from './to-conversation-context.ts';

const issue = {
  id: 900,
  number: 7,
  title: 'Prices are wrong',
  body: 'The discount is taken twice.',
  user: { id: 1, login: 'alice' },
  labels: [{ name: 'bug' }, 'coding agent'],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
} satisfies IssueInput;
const robot = { id: '5', login: 'robot[bot]' };
const options = { ownAccount: robot };

function comment(id: number, fields: Partial<CommentInput> = {}): CommentInput {
  const minute = String(id).padStart(2, '0');
  return {
    id,
    user: { id: 1, login: 'alice' },
    body: `text ${id}`,
    created_at: `2026-01-01T01:${minute}:00Z`,
    ...fields,
  };
}
function comments(count: number): CommentInput[] {
  return Array.from({ length: count }, (_, index) => comment(index + 1));
}
const contentsOf = (context: ReturnType<typeof toConversationContext>) =>
  context.conversation.slice(1).map((entry) => entry.content);

describe('toConversationContext', () => {
  it('names the option that says whose voice is whose where it is missing', () => {
    const reader = { getIssue: async () => issue, listComments: async () => [] };
    for (const rule of [{}, { ownAccount: undefined }, { ownAccount: {} }, { ownAccount: 'robot' }]) {
      const message = 'ConversationOptions.ownAccount must be null if it is unknown, or the account';
      expect(() => toConversationContext(issue, [], rule as never)).toThrow(message);
      expect(() => createContextBuilder(reader, rule as never)).toThrow(message);
    }
    expect(() => toConversationContext(issue, [], undefined as never)).toThrow(
      'ConversationOptions must be an object; it is undefined.',
    );
    expect(() => toConversationContext(issue, [], { roleMapping: 'owner' } as never)).toThrow(
      'ConversationOptions.owner must be',
    );
    expect(toConversationContext(issue, [comment(1)], { ownAccount: null }).conversation[1]?.role).toBe(
      'user',
    );
  });

  it('gives the issue, the conversation and a summary in the shape of the seed [CC-1] [CC-2] [CC-3] [CC-4] [CC-5] [X10]', () => {
    expect(toConversationContext(issue, [comment(1)], options)).toEqual({
      issue: {
        number: 7,
        title: 'Prices are wrong',
        description: 'The discount is taken twice.',
        labels: ['bug', 'coding agent'],
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-02T00:00:00Z',
      },
      conversation: [
        {
          role: 'user',
          content: 'Issue #7: Prices are wrong\n\nThe discount is taken twice.',
          metadata: { author: 'alice', created_at: '2026-01-01T00:00:00Z', id: 900, is_completion: false },
        },
        {
          role: 'user',
          content: 'text 1',
          metadata: { author: 'alice', created_at: '2026-01-01T01:01:00Z', id: 1, is_completion: false },
        },
      ],
      context_summary: { total_comments: 1, truncated: false, oldest_included: '2026-01-01T01:01:00Z' },
    });
  });

  it('begins with the issue as a user, never marked as a completion [CC-10]', () => {
    const context = toConversationContext(issue, [comment(1)], {
      ownAccount: { id: '1', login: 'alice' },
      isCompletion: () => true,
    });
    expect(context.conversation[0]).toMatchObject({
      role: 'user',
      metadata: { id: 900, is_completion: false },
    });
    expect(context.conversation[1]).toMatchObject({ role: 'assistant', metadata: { is_completion: true } });
  });

  it('keeps the ten newest comments when nothing else is said, the issue not counted [CC-6] [CC-7] [CC-17]', () => {
    const context = toConversationContext(issue, comments(12), options);
    expect(contentsOf(context)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((id) => `text ${id}`));
    expect(context.conversation).toHaveLength(11);
  });

  it('says that comments were left out exactly when some were, and counts all of them [CC-8] [CC-15]', () => {
    const context = (count: number) =>
      toConversationContext(issue, comments(count), { ...options, maxCommentCount: 3 });
    expect(context(3).context_summary).toMatchObject({ total_comments: 3, truncated: false });
    expect(context(4).context_summary).toMatchObject({ total_comments: 4, truncated: true });
  });

  it('names the date of the oldest comment that was kept, or null [CC-16] [A4]', () => {
    const kept = toConversationContext(issue, comments(4), { ...options, maxCommentCount: 2 });
    expect(kept.context_summary.oldest_included).toBe('2026-01-01T01:03:00Z');
    expect(toConversationContext(issue, [], options).context_summary.oldest_included).toBeNull();
  });

  it('keeps the issue alone at zero, and says that comments were left out [CC-6] [CC-17] [A3]', () => {
    const context = toConversationContext(issue, comments(2), { ...options, maxCommentCount: 0 });
    expect(context.conversation).toHaveLength(1);
    expect(context.context_summary).toEqual({ total_comments: 2, truncated: true, oldest_included: null });
  });

  it.each([-1, 2.5, Number.NaN, '10'])('refuses a limit that is no count: %s [CC-6] [A3]', (wrong) => {
    const given = { ...options, maxCommentCount: wrong as number };
    expect(() => toConversationContext(issue, comments(12), given)).toThrow(
      'ConversationOptions.maxCommentCount must be a whole number of at least 0',
    );
  });

  it('puts comments in order of time, then id, whatever order they came in [CC-11]', () => {
    const same = '2026-01-01T02:00:00Z';
    const listed = [comment(10, { created_at: same }), comment(9, { created_at: same }), comment(1)];
    const large = ['90071992547409931', '100071992547409930', 'PROJ-2', '7'].map((id) =>
      comment(0, { id, created_at: '2026-01-01T03:00:00Z', body: id }),
    );
    expect(contentsOf(toConversationContext(issue, [...large, ...listed], options))).toEqual([
      ...['text 1', 'text 9', 'text 10'],
      ...['7', '90071992547409931', '100071992547409930', 'PROJ-2'],
    ]);
  });

  it('removes the header of a report, with either line ending, only at the start [CC-13] [A5]', () => {
    const bodies = [
      '## 実行完了\n\ndone',
      '## 実行完了\r\n\r\ndone',
      'see\n## 実行完了\n\ndone',
      '## 実行完了\ndone',
    ];
    const listed = bodies.map((body, index) => comment(index + 1, { body }));
    expect(contentsOf(toConversationContext(issue, listed, options))).toEqual([
      'done',
      'done',
      bodies[2],
      bodies[3],
    ]);
  });

  it('reads an empty body as empty text, never as "null" [CC-2] [CC-10] [A5]', () => {
    const context = toConversationContext({ ...issue, body: null }, [comment(1, { body: null })], options);
    expect(context.issue.description).toBe('');
    expect(context.conversation.map((entry) => entry.content)).toEqual([
      'Issue #7: Prices are wrong\n\n',
      '',
    ]);
  });

  it('counts the comments that the platform counts when the listing has fewer [CC-15] [CC-8] [A7]', () => {
    const context = toConversationContext({ ...issue, comments: 40 }, comments(3), options);
    expect(context.context_summary).toMatchObject({ total_comments: 40, truncated: true });
  });

  it('still yields the bare array of roles and contents [CC-18] [A8]', () => {
    const context = toConversationContext(issue, [comment(1, { user: robot })], options);
    expect(toLegacyConversation(context)).toEqual([
      { role: 'user', content: 'Issue #7: Prices are wrong\n\nThe discount is taken twice.' },
      { role: 'assistant', content: 'text 1' },
    ]);
    for (const [index, entry] of context.conversation.entries())
      expect(entry).toMatchObject(toLegacyConversation(context)[index] ?? {});
  });

  it('counts a comment once that was listed twice, as pages move while they are read [CC-15]', () => {
    const listed = [comment(1), comment(2, { body: 'before' }), comment(2, { body: 'after' })];
    const context = toConversationContext(issue, listed, options);
    expect(contentsOf(context)).toEqual(['text 1', 'after']);
    expect(context.context_summary).toMatchObject({ total_comments: 2, truncated: false });
  });

  it('marks comments that say the task is done, by keywords or by a rule of the caller [CC-14]', () => {
    const listed = ['## 実行完了\n\nFixed.', 'It is done.', 'Not yet', '> done'].map((body, index) =>
      comment(index + 1, { body }),
    );
    const marks = (fields: object) =>
      toConversationContext({ ...issue, body: 'done 完了' }, listed, {
        ...options,
        ...fields,
      }).conversation.map(({ metadata }) => metadata.is_completion);
    expect(marks({})).toEqual([false, true, true, false, false]);
    expect(marks({ completionKeywords: ['not yet'] })).toEqual([false, false, false, true, false]);
    expect(marks({ completionKeywords: [] })).toEqual([false, false, false, false, false]);
    expect(marks({ isCompletion: () => true })).toEqual([false, true, true, true, true]);
  });

  it('shows of titles, labels and bodies what the caller lets through, before anything is cut', () => {
    const context = toConversationContext(issue, [comment(1, { body: `${'#'.repeat(200)}text` })], {
      ...options,
      cleanText: (text) => text.replaceAll(/#|bug|wrong/g, ''),
      maxContextChars: 100,
    });
    expect(context.issue).toMatchObject({ title: 'Prices are ', labels: ['', 'coding agent'] });
    expect(contentsOf(context)).toEqual(['text']);
    expect(context.conversation[0]?.content).toMatch(/^Issue #7: Prices are \n\n/);
    expect(context.context_summary.truncated).toBe(false);
  });

  it('keeps the newest, in order, and counts right for any thread and limit [CC-7] [CC-8] [CC-11] [CC-15] [CC-17]', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 59 }), { maxLength: 30 });
    fc.assert(
      fc.property(ids, fc.nat(40), (listed, maxCommentCount) => {
        const context = toConversationContext(
          issue,
          listed.map((id) => comment(id)),
          { ...options, maxCommentCount },
        );
        const newest = listed.toSorted((a, b) => a - b).slice(Math.max(0, listed.length - maxCommentCount));
        expect(contentsOf(context)).toEqual(newest.map((id) => `text ${id}`));
        expect(context.context_summary.total_comments).toBe(listed.length);
        expect(context.context_summary.truncated).toBe(listed.length > newest.length);
      }),
    );
  });
});

const createdAt = '2026-01-01T00:00:00Z';
const alice = { id: 1, login: 'alice' };

function readerOf(fields: Partial<IssueReader> = {}): IssueReader {
  return {
    getIssue: async (number) => ({
      id: 900,
      number,
      title: `Title ${number}`,
      body: 'B',
      user: alice,
      createdAt,
    }),
    listComments: async (number): Promise<CommentInput[]> => [
      { id: 1, user: alice, body: `on ${number}`, createdAt },
    ],
    ...fields,
  };
}

describe('createContextBuilder', () => {
  it('builds the context of an issue from what the reader gives [CC-1] [CC-9]', async () => {
    const { buildContext } = createContextBuilder(readerOf(), { ownAccount: null });
    const context = await buildContext(42);
    expect(Object.keys(context)).toEqual(['issue', 'conversation', 'context_summary']);
    expect(context.issue).toMatchObject({ number: 42, title: 'Title 42' });
    expect(context.conversation.map((entry) => entry.content)).toEqual(['Issue #42: Title 42\n\nB', 'on 42']);
  });

  it("takes the limit from the seed's configuration, commentHandling.maxCommentCount [CC-6]", async () => {
    const config = { commentHandling: { maxCommentCount: 0 } };
    const { buildContext } = createContextBuilder(readerOf(), {
      ownAccount: null,
      ...config.commentHandling,
    });
    expect((await buildContext(42)).context_summary).toMatchObject({ total_comments: 1, truncated: true });
  });

  it("lets the reader's error through as it is: no error becomes an empty conversation [CC-9] [A9]", async () => {
    const failure = Object.assign(new Error('rate limited'), { code: 'rate-limited', retryAfterMs: 1000 });
    const reader = readerOf({ listComments: () => Promise.reject(failure) });
    await expect(createContextBuilder(reader, { ownAccount: null }).buildContext(1)).rejects.toBe(failure);
  });

  it('hands the signal on to both reads', async () => {
    const signals: unknown[] = [];
    const remember = <T>(options: CallOptions | undefined, answer: T) => {
      signals.push(options?.signal);
      return answer;
    };
    const plain = readerOf();
    const reader: IssueReader = {
      getIssue: (number, options) => remember(options, plain.getIssue(number)),
      listComments: (number, options) => remember(options, plain.listComments(number)),
    };
    const { signal } = new AbortController();
    await createContextBuilder(reader, { ownAccount: null }).buildContext(1, { signal });
    expect(signals).toEqual([signal, signal]);
  });
});
