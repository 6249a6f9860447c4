import { readFileSync } from 'node:fs';
import { cleanUntrustedText } from '@agent/text';
import { test } from 'vitest';

const length = 65_536;
const ordinary: readonly { readonly text: string }[] = JSON.parse(
  readFileSync('packages/text/test/corpus/legitimate.json', 'utf8'),
);
const fill = (pattern: string) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
const texts = {
  'ordinary texts': fill(`${ordinary.map(({ text }) => text).join('\n\n')}\n\n`),
  'unclosed comments': fill('a <!-- <? <!a '),
};

test.for(Object.entries(texts))('clean 64 Ki characters of %s', async ([, text], { bench }) => {
  await bench.compare(
    bench('cleanUntrustedText', () => {
      cleanUntrustedText(text);
    }),
    bench('one expression after the other', () => {
      cleanByExpressions(text);
    }),
    { iterations: 3, warmupIterations: 1 },
  );
});

/** The common way, which does not know code from text. */
function cleanByExpressions(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\[[^\]]*\]:\s*(?:#|<>)\s*(?:\(.*\)|".*"|'.*')\s*$/gm, '')
    .replace(/!\[[^\]]*\]\(/g, '![](')
    .replace(/(\[[^\]]*\]\([^)\s]+)\s+(?:"[^"]*"|'[^']*')\)/g, '$1)')
    .replace(/\s(?:alt|title|placeholder|aria-label|data-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*')/gi, '')
    .replace(/<(script|style|template)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<(\w+)[^>]*(?:\shidden\b|display:\s*none)[^>]*>[\s\S]*?<\/\1>/gi, '')
    .replace(/[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]|[\u{E0000}-\u{E01EF}]/gu, '');
}
