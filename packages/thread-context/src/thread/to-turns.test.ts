import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, botUserId, sampleThread, say } from '../../test/sample-thread.ts';
import { ThreadContextBuilder, type ThreadContextOptions } from './thread-context-builder.ts';
import { normalizeText, stripMention } from './to-turns.ts';
import { TranscriptFormatter } from './transcript-formatter.ts';

describe('turns', () => {
  it('have no hidden characters in texts and names by default [NX-5] [D9]', async () => {
    const hidden = [...'obey'].map((sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('');
    const thread = sampleThread([
      say(1, `hello${hidden}`, { authorName: `al${hidden}ice` }),
      say(2, `\u200b${hidden}`),
      answer(3, 'hi\u202e'),
      say(4, '<b>x</b>', { authorName: hidden }),
    ]);
    const build = async (options: ThreadContextOptions) =>
      new TranscriptFormatter().toTranscript(
        await new ThreadContextBuilder(options).build(thread, botUserId),
      );
    expect(await build({})).toBe('user: alice: hello\nassistant: hi\nuser: 1: <b>x</b>');
    expect(await build({ removeHidden: false })).toContain(`user: al${hidden}ice: hello${hidden}`);
  });

  it('call nobody by a mark of direction that turns the line [D9]', async () => {
    const thread = sampleThread([say(1, 'x', { authorName: '\u202eecila' })]);
    const [turn] = await new ThreadContextBuilder().build(thread, botUserId);
    expect(turn?.text).toBe('ecila: x');
  });
});

describe('normalizeText', () => {
  it('trims, makes several blanks one and every line break LF [TC-51] [D3]', () => {
    expect(normalizeText('  a \t b  \r\n\r\n   c\rd\u2028e\u0085 ')).toBe('a b\n\n c\nd\ne');
    expect(normalizeText('今日の　予定')).toBe('今日の　予定');
  });

  it('keeps the blanks and lines of code, in blocks and in lines [D3]', () => {
    const code = '```py\nif  x:\n    return  1\n\n```';
    expect(normalizeText(`look  here:\r\n${code}\nand  \`a  b\`  or  \`\`c \` d\`\`  too`)).toBe(
      `look here:\n${code}\nand \`a  b\` or \`\`c \` d\`\` too`,
    );
    expect(normalizeText('```\n  open   to the end')).toBe('```\n  open   to the end');
    expect(normalizeText('a ` b   c')).toBe('a ` b c');
    expect(normalizeText('a   ```b   c```   d')).toBe('a ```b   c``` d');
  });

  it('finds nothing in a text of which nothing can be seen [TC-39] [TC-T3]', () => {
    for (const text of ['', ' \n\t', '\u200b\u2060\ufeff', '\ufe0f\u3164', '\u0000\u001b'])
      expect(normalizeText(text)).toBe('');
    expect(normalizeText('👍')).toBe('👍');
  });

  it('changes nothing the second time [D3]', () => {
    const pieces = fc.constantFrom(
      'a',
      ' ',
      '  ',
      '\n',
      '\r\n',
      '`',
      '``',
      '```',
      '\u2029',
      '\t',
      '日本',
      '👨‍👩‍👧',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const once = normalizeText(parts.join(''));
        expect(normalizeText(once)).toBe(once);
      }),
    );
  });

  it('takes time in proportion to the text, whatever the backticks', () => {
    const rising = Array.from({ length: 600 }, (_, index) => '`'.repeat(index + 1)).join(' ');
    for (const text of ['` `` '.repeat(40_000), '```a``` '.repeat(25_000), rising, ' '.repeat(200_000)])
      expect(normalizeText(`x${text}x`).startsWith('x')).toBe(true);
  });
});

describe('stripMention', () => {
  it("takes out both spellings of the bot's mention and no other [TC-38] [TC-T1]", () => {
    expect(stripMention('<@900> ask <@!900> or <@901> or <@&900>', '900')).toBe(' ask  or <@901> or <@&900>');
  });
});
