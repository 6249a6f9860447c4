import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation } from '../../test/any-conversation.ts';
import { listToolCalls } from '../tally.ts';
import { findNewestTrusted } from './message-groups.ts';
import { findSummaryRange } from './summary-range.ts';

const toItems = (messages: readonly ModelMessage[]) =>
  messages.map((message, index) => ({ seq: index + 1, message, answers: false, delivers: false }));
const countCalls = (messages: readonly ModelMessage[]) =>
  messages.reduce((sum, message) => sum + listToolCalls(message).length, 0);
const countResults = (messages: readonly ModelMessage[]) =>
  messages.reduce((sum, { role, content }) => sum + (role === 'tool' ? content.length : 0), 0);

describe('findSummaryRange', () => {
  it('leaves the newest request, and every call with its results on one side [RL-13]', () => {
    const anyLimits = fc.record({
      keepRecent: fc.integer({ min: 0, max: 8 }),
      maxRecentTokens: fc.integer({ min: 0, max: 60 }),
    });
    fc.assert(
      fc.property(anyConversation, anyLimits, fc.integer({ min: 1, max: 30 }), (messages, limits, size) => {
        const items = toItems(messages);
        const range = findSummaryRange(items, { ...limits, sizes: items.map(() => size) });
        if (range === null) return;
        const { start, end } = range;
        for (const side of [messages.slice(0, start), messages.slice(start, end), messages.slice(end)]) {
          expect(countResults(side)).toBe(countCalls(side));
          expect(side[0]?.role).not.toBe('tool');
        }
        expect(range.tokens).toBe((end - start) * size);
        const trusted = findNewestTrusted(items);
        expect(trusted < start || trusted >= end).toBe(true);
        expect(end).toBeLessThan(messages.length);
      }),
    );
  });

  it('keeps fewer recent messages than wished if they are large', () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Mend it.' },
      ...Array.from({ length: 10 }, () => ({ role: 'assistant' as const, content: 'text' })),
    ];
    const find = (size: number) =>
      findSummaryRange(toItems(messages), {
        sizes: messages.map(() => size),
        keepRecent: 5,
        maxRecentTokens: 300,
      });
    expect(find(50)).toEqual({ start: 1, end: 6, tokens: 250 });
    expect(find(100)).toEqual({ start: 1, end: 8, tokens: 700 });
    expect(find(1_000)).toEqual({ start: 1, end: 10, tokens: 9_000 });
  });
});
