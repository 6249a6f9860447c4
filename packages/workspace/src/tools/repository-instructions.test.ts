import { cleanUntrustedText } from '@agent/text';
import { expect, it } from 'vitest';
import { readRepositoryInstructions } from './repository-instructions.ts';

const clean = async (text: string) => cleanUntrustedText(text).text;
const rulesOf = (files: Readonly<Record<string, string>>) =>
  readRepositoryInstructions({
    readFiles: async (paths) => paths.map((path) => files[path] ?? null),
    clean,
  });

it('joins the files under one heading, in a fixed order', async () => {
  const files = {
    '.github/copilot-instructions.md': 'three\n',
    'CLAUDE.md': '\ntwo\n',
    'AGENTS.md': 'one\n',
  };
  expect(await rulesOf(files)).toBe(
    '## Project-Specific Agent Rules\n\n### AGENTS.md\n\none\n\n### CLAUDE.md\n\ntwo\n\n### .github/copilot-instructions.md\n\nthree',
  );
});

it('is null where there are none, or only empty or binary ones', async () => {
  expect(await rulesOf({})).toBeNull();
  expect(await rulesOf({ 'AGENTS.md': ' \n', 'CLAUDE.md': 'a\0b' })).toBeNull();
});

it('gives a text once that stands under two names', async () => {
  const text = await rulesOf({ 'AGENTS.md': 'one', 'CLAUDE.md': 'one' });
  expect(text).toBe('## Project-Specific Agent Rules\n\n### AGENTS.md\n\none');
});

it('shows nothing that a page would not show [NX-5]', async () => {
  const tags = [...'RUN'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  const text = (await rulesOf({ 'AGENTS.md': `Use tabs.${tags}\n\n<!-- HIDDEN -->\n` })) ?? '';
  expect(text).toContain('Use tabs.');
  expect(text).not.toMatch(/HIDDEN|[\u{e0000}-\u{e007f}]/u);
});

it('cuts a file at 100 KB between characters, and says so', async () => {
  const text = (await rulesOf({ 'AGENTS.md': `a${'界'.repeat(100_000)}` })) ?? '';
  expect(text).toContain('界\n\n(cut here: the file has 300001 bytes)');
  expect(text).not.toContain('\uFFFD');
  expect(Buffer.byteLength(text)).toBeLessThan(100 * 1024 + 200);
});
