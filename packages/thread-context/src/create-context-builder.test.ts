import { describe, expect, it } from 'vitest';
import { createContextBuilder } from './create-context-builder.ts';
import type { CallOptions, CommentInput, IssueReader } from './ports.ts';

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
