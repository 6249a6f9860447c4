import { globSync, readFileSync } from 'node:fs';
import { estimateTokens } from '@agent/text';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';

const texts = {
  English: readAll('docs/guides/*.md'),
  Japanese: readAll('docs/ja/*.md'),
  code: readAll('packages/text/src/*.ts'),
};

test.for(Object.entries(texts))('count the tokens of %s', async ([, text], { bench }) => {
  await bench.compare(
    bench('estimateTokens', () => {
      estimateTokens(text);
    }),
    bench('gpt-tokenizer, o200k_base', () => {
      countTokens(text, { disallowedSpecial: new Set() });
    }),
    { iterations: 10 },
  );
  const ratio = estimateTokens(text) / countTokens(text, { disallowedSpecial: new Set() });
  console.log(`estimate / count: ${ratio.toFixed(2)}`);
  expect(ratio).toBeGreaterThanOrEqual(1);
});

function readAll(pattern: string): string {
  const files = globSync(pattern).sort();
  return files
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .slice(0, 65_536);
}
