import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation } from '../test/any-conversation.ts';
import { findCut } from './context-compressor.ts';
import { listToolCalls } from './tally.ts';

const countCalls = (messages: readonly ModelMessage[]) =>
  messages.reduce((sum, message) => sum + listToolCalls(message).length, 0);
const countResults = (messages: readonly ModelMessage[]) =>
  messages.reduce((sum, { role, content }) => sum + (role === 'tool' ? content.length : 0), 0);

describe('findCut', () => {
  it('leaves at least so many messages, and every call with its results on one side [RL-13]', () => {
    fc.assert(
      fc.property(anyConversation, fc.integer({ min: 1, max: 8 }), (messages, keep) => {
        const cut = findCut(messages, keep);
        expect(messages.length - cut).toBeGreaterThanOrEqual(Math.min(keep, messages.length));
        for (const side of [messages.slice(0, cut), messages.slice(cut)]) {
          expect(countResults(side)).toBe(countCalls(side));
          expect(side[0]?.role).not.toBe('tool');
        }
        // Not further back than it must be.
        const next = messages.slice(cut, Math.max(cut, messages.length - keep));
        if (next.length > 0) expect(countResults(next)).not.toBe(countCalls(next));
      }),
    );
  });

  it('does not part a call from a result that is still to come', () => {
    const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'read', input: {} };
    const messages: ModelMessage[] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: 'b' },
    ];
    expect(findCut(messages, 1)).toBe(1);
  });
});
