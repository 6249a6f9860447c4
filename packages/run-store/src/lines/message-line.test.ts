import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageLike } from '../journal-model.ts';
import { formatMessage, sliceMessageLine } from './message-line.ts';
import { sealLine } from './record-line.ts';

const options = { parseMessage: (json: unknown) => json as MessageLike, path: 'messages.jsonl', line: 1 };
const timestamp = '2026-03-01T12:00:00.000Z';

/** Texts that look like what stands around them in a line. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '","timestamp":"',
    ',"timestamp":"x","tokens":7',
    '"role":"system"',
    '\\","tokens":9',
    '\\',
  ),
);
const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.record({ type: fc.constant('tool-call'), toolName: text, input: fc.dictionary(text, text) }),
  fc.record({ type: fc.constant('tool-result'), toolName: text, output: fc.record({ value: text }) }),
);
const message = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  content: fc.oneof(text, fc.array(part)),
});

describe("a message's line", () => {
  it('tells an opening its context, its tokens and its role without being read whole, whatever is in it', () => {
    fc.assert(
      fc.property(message, fc.array(text), (said, ids) => {
        const delivers = ids.map((id) => ({ id, revision: id, kind: 'added' as const }));
        const event = { type: 'message', message: said, usage: null, delivers } as const;
        const { body, contextLine, tokens } = formatMessage(event, { seq: 12, timestamp });
        const line = sealLine(body, { previous: '', owner: 3 }).bytes.toString().trimEnd();
        const isSystem = said.role === 'system';
        expect(sliceMessageLine(line, options)).toEqual({
          contextLine: contextLine.trimEnd(),
          isSystem,
          tokens,
        });
      }),
    );
  });

  it('tells the same where another program wrote its fields in another order', () => {
    const said = { role: 'system', content: 'Be brief.' };
    const line = JSON.stringify({ timestamp, tokens: 3, message: said, seq: 1 });
    expect(sliceMessageLine(line, options)).toEqual({
      contextLine: JSON.stringify(said),
      isSystem: true,
      tokens: 3,
    });
  });

  it.each([
    '{"seq":1}',
    '{"seq":0,"timestamp":"x","tokens":1,"message":{}}',
    '[]',
    '{"seq":1,"timestamp":"x"}',
  ])('names a line that is none: %s', (line) => {
    expect(() => sliceMessageLine(line, options)).toThrow('Line 1 of "messages.jsonl"');
  });
});
