import { describe, expect, it } from 'vitest';
import { createToLine } from './to-line.ts';

const toLine = createToLine((text) => text);

describe('createToLine', () => {
  it.each([
    ['fixes #12 for @mona', 'fixes #\u200b12 for @\u200bmona'],
    ['&#64;mona and &commat;mona', '&#\u200b64;mona and &amp;commat;mona'],
    ['a\r\nb\n## c', 'a b ## c'],
    ['<img src=x> <!-- hidden', '&lt;img src=x> &lt;!-- hidden'],
    [
      'see [click](https://evil.example) or ![x](http://a)',
      'see [click]\\(https://evil.example) or ![x]\\(http://a)',
    ],
    ['see [click][1]', 'see [click]\\[1]'],
    ['```', '\\```'],
    ['~~~ js', '\\~~~ js'],
    ['````', '\\````'],
    ['`total()` counts `quantities`', '`total()` counts `quantities`'],
    ['``a ` b`` is code', '``a ` b`` is code'],
    ['~~old~~ new', '~~old~~ new'],
    ['# x', '\\# x'],
    ['---', '\\---'],
    ['===', '\\==='],
    ['> x', '\\> x'],
    ['- x', '\\- x'],
    ['* x', '\\* x'],
    ['| a | b |', '\\| a | b |'],
    ['1. x', '1\\. x'],
    ['[a]: https://evil.example', '\\[a]: https://evil.example'],
    ['/close', '\\/close'],
    ['ab\u202edc\u2066ef\u200bg', 'abdcefg'],
    ['👩‍💻 और', '👩‍💻 और'],
    ['1.5 of 2 items', '1.5 of 2 items'],
    ['a plain goal, 100%', 'a plain goal, 100%'],
  ])('writes %j as %j', (text, line) => {
    expect(toLine(text)).toBe(line);
  });

  it.each(['p@ss#1word', 'abc<def>ghi', '#12secret', 'two  spaces', 'x](y'])(
    'takes out %j before its signs are changed, and before it is cut',
    (secret) => {
      const redacting = createToLine((text) => text.replaceAll(secret, '***'));
      expect(redacting(`the goal is ${secret}.`)).toBe('the goal is ***.');
      for (let before = 480; before < 500; before += 1) {
        expect(redacting(`${'x'.repeat(before)}${secret}${'y'.repeat(50)}`)).not.toContain(
          secret.slice(0, 3),
        );
      }
    },
  );

  it('takes out what invisible signs disguise', () => {
    const redacting = createToLine((text) => text.replaceAll('hunter2', '***'));
    expect(redacting('it is hun\u200bter2')).toBe('it is ***');
  });
});
