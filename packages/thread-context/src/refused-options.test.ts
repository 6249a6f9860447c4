import { estimateTokens } from '@agent/text';
import { describe, expect, it } from 'vitest';
import { botUserId, sampleThread } from '../test/sample-thread.ts';
import { AttachedFiles, createLiveHistory, sinceLastNew, splitAnswer, toReadableText } from './chat/index.ts';
import {
  composeFirstMessage,
  findLatestRequest,
  fitComments,
  formatFirstMessage,
  ThreadContextBuilder,
  toConversationContext,
} from './index.ts';

const issue = { id: 1, number: 7, title: 'T', body: 'b', user: null, created_at: '2026-01-01T00:00:00Z' };
const context = toConversationContext(issue, [], { ownAccount: null });
const textOf = (text: string) => text;
const thread = sampleThread([]);

/** Calls with options that are wrong, as a program in JavaScript can write them. */
const calls: readonly (readonly [string, (wrong: never) => unknown, unknown])[] = [
  [
    'ConversationOptions.maxContextToken is unknown. Did you mean maxContextTokens?',
    (wrong) => toConversationContext(issue, [], wrong),
    { ownAccount: null, maxContextToken: 5 },
  ],
  [
    'FirstMessageOptions.maxContextTokens must be a whole number of at least 1; it is "4000".',
    (wrong) => formatFirstMessage(context, wrong),
    { maxContextTokens: '4000' },
  ],
  ['FirstMessageOptions.noun must be', (wrong) => formatFirstMessage(context, wrong), { noun: 'ticket' }],
  ['FirstMessageOptions.budget must be', (wrong) => composeFirstMessage(context, wrong), {}],
  [
    'FirstMessageOptions.budget.maxTokens must be',
    (wrong) => composeFirstMessage(context, wrong),
    { budget: {} },
  ],
  [
    'FirstMessageOptions.budget.maxToken is unknown. Did you mean maxTokens?',
    (wrong) => composeFirstMessage(context, wrong),
    { budget: { maxToken: 5 } },
  ],
  [
    'The options of findLatestRequest.mayInstruct must be',
    (wrong) => findLatestRequest(context, wrong),
    { mayInstruct: true },
  ],
  ['FitCommentsOptions.maxTokens must be', (wrong) => fitComments(['a'], wrong), { maxTokens: '10', textOf }],
  [
    'FitCommentsOptions.maxCommentTokens.trusted must be',
    (wrong) => fitComments(['a'], wrong),
    { maxTokens: 10, textOf, maxCommentTokens: { trusted: Number.NaN } },
  ],
  [
    'ThreadContextOptions.maxContextTokens is unknown',
    (wrong) => new ThreadContextBuilder(wrong),
    { maxContextTokens: 5 },
  ],
  [
    'ThreadContextOptions.maxTranscriptChars must be a whole number of at least 14',
    (wrong) => new ThreadContextBuilder(wrong),
    { maxTranscriptChars: 13 },
  ],
  [
    'ThreadContextOptions.maxTranscriptTokens must be a whole number of at least 20',
    (wrong) => new ThreadContextBuilder(wrong),
    { maxTranscriptTokens: '4000' },
  ],
  [
    'The botUserId of ThreadContextBuilder must be',
    (wrong) => new ThreadContextBuilder().build(thread, wrong),
    undefined,
  ],
  [
    'The options of readContext.triger is unknown. Did you mean trigger?',
    (wrong) => new ThreadContextBuilder().readContext(thread, botUserId, wrong),
    { triger: {} },
  ],
  ['SplitAnswerOptions.maxPartChars must be', (wrong) => splitAnswer('a', wrong), { maxChars: 5 }],
  ['AttachedFilesOptions.fetch must be', (wrong) => new AttachedFiles(wrong), { fetch: 'get' }],
  ['LiveHistoryOptions.maxMessages must be', (wrong) => createLiveHistory(wrong), { maxMessages: 0 }],
  ['ReadableTextOptions.lookup must be', (wrong) => toReadableText('a', wrong), { botUserId }],
  ['The options of sinceLastNew.botUserId must be', (wrong) => sinceLastNew(thread, wrong), {}],
];

describe('wrong options', () => {
  it.each(calls)('are a TypeError: %s', async (message, call, wrong) => {
    const given = async () => call(wrong as never);
    await expect(given()).rejects.toThrow(TypeError);
    await expect(given()).rejects.toThrow(message);
  });

  it('are a cleanText that returns no text', () => {
    const cleanText = ((text: string) => ({ text })) as never;
    expect(() => toConversationContext(issue, [], { ownAccount: null, cleanText })).toThrow(
      'The result of cleanText must be a text, such as that of cleanText of @agent/text',
    );
  });
});

describe('a count of tokens', () => {
  it('may be that of @agent/text', () => {
    const options = { ownAccount: null, maxContextTokens: 500, countTokens: estimateTokens };
    expect(toConversationContext(issue, [], options).context_summary.truncated).toBe(false);
  });
});
