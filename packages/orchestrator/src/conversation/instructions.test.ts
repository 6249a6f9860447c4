import { expect, it } from 'vitest';
import { readRepositoryRules } from './instructions.ts';

const clean = async (text: string) => text;

it('does not take rules that cannot be read for none', async () => {
  const failing = { readBaseFiles: () => Promise.reject(new Error('down')) };
  await expect(readRepositoryRules({ workspace: failing, clean })).rejects.toThrow('down');
  const rules = { readBaseFiles: async () => ['Rules of the base branch', null, null] };
  expect(await readRepositoryRules({ workspace: rules, clean })).toContain('Rules of the base branch');
  expect(await readRepositoryRules({ workspace: null, clean })).toBe('');
});
