import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutTurn } from './fit-turns.ts';
import { formatTurn, type ThreadTurn, toChatTurn } from './transcript-formatter.ts';

const turnOf = (text: string, name: string | null = 'al'): ThreadTurn => ({ id: '1', name, text });
const cut = (text: string, maxChars: number) => cutTurn(turnOf(text), maxChars).text;
const sizeOf = (turn: ThreadTurn) => formatTurn(toChatTurn(turn)).length;

const pieces = [
  'word ',
  '\n',
  '漢字',
  '👨‍👩‍👧‍👦',
  '🇯🇵',
  'e\u0301',
  '\n```js\n',
  '\n```\n',
  'code();\n',
  '`x`',
  '```',
];
const text = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 60 })
  .map((parts) => parts.join(' ').trim());

describe('cutTurn', () => {
  it('keeps the end of the text behind a mark, and the name [D5]', () => {
    const turn = cutTurn(turnOf('0123456789'.repeat(10)), 'user: al: ...'.length + 15);
    expect(formatTurn(toChatTurn(turn))).toBe('user: al: ...567890123456789');
    expect(toChatTurn(cutTurn(turnOf('x'.repeat(50), null), 20))).toEqual({
      role: 'assistant',
      text: '...xxxxxx',
    });
  });

  it('leaves out a name that would take most of the room [D5]', () => {
    const turn = cutTurn(turnOf('0123456789'.repeat(9), 'a very long name'), 30);
    expect(toChatTurn(turn)).toEqual({
      role: 'user',
      text: '...901234567890123456789'.slice(0, 3) + '901234567890123456789',
    });
    expect(sizeOf(turn)).toBe(30);
  });

  it('never splits a character as people see it [D5]', () => {
    const family = '👨‍👩‍👧‍👦';
    for (let room = 0; room < 30; room += 1) {
      expect(
        cut(family.repeat(10), 'user: al: ...'.length + room)
          .slice(3)
          .replaceAll(family, ''),
      ).toBe('');
    }
  });

  it('opens a block of code again when the cut falls into it, at the beginning of a line [D5]', () => {
    const code = Array.from({ length: 20 }, (_, index) => `  line ${index}`).join('\n');
    expect(cut(`why?\n\`\`\`js\n${code}\n\`\`\`\nit fails`, 90)).toMatchInlineSnapshot(`
      "...
      \`\`\`js
        line 16
        line 17
        line 18
        line 19
      \`\`\`
      it fails"
    `);
    expect(cut(`\`\`\`${'y'.repeat(80)}\`\`\``, 60)).toMatchInlineSnapshot(`
      "...
      \`\`\`
      yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\`\`\`"
    `);
  });

  it('begins behind a block that there is no room for [D5]', () => {
    expect(cut(`\`\`\`typescript\n${'c'.repeat(80)}\n\`\`\`\nit fails`, 34)).toBe('...it fails');
  });

  it('never exceeds the budget, ends as the text ends, and leaves no block half open [D5]', () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 14, max: 120 }),
        fc.constantFrom('al', null, 'n'.repeat(90)),
        (whole, maxChars, name) => {
          const turn = turnOf(whole, name);
          fc.pre(sizeOf(turn) > maxChars);
          const left = cutTurn(turn, maxChars);
          expect(sizeOf(left)).toBeLessThanOrEqual(maxChars);
          expect(left.text.startsWith('...')).toBe(true);
          const last = left.text.slice(3).split('\n').at(-1) ?? '';
          expect(whole.endsWith(last)).toBe(true);
          expect(left.text.isWellFormed()).toBe(true);
          expect(isOpen(left.text)).toBe(left.text !== '...' && isOpen(whole));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

/** Whether a block of code that began in the text does not end in it. */
function isOpen(markdown: string): boolean {
  return (markdown.match(/`{3,}/g) ?? []).length % 2 === 1;
}
