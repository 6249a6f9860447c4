import { describe, expect, it } from 'vitest';
import { environmentsSchema } from './environment-schemas.ts';
import { createProtection } from './protection.ts';

describe('createProtection', () => {
  const environments = environmentsSchema.parse([
    {
      repositories: ['acme/shop'],
      protected_paths: { '.npmrc': 'allow', 'infra/**': 'hold' },
      repository_file: false,
    },
  ]);
  const protect = createProtection(environments, { '.npmrc': 'draft', 'docs/**': 'draft' });

  it('puts the rules of a repository after those of all, so that they count', () => {
    const { rules, readsFile } = protect('Acme/Shop');
    expect(Object.entries(rules)).toEqual([
      ['docs/**', 'draft'],
      ['.npmrc', 'allow'],
      ['infra/**', 'hold'],
    ]);
    expect(readsFile).toBe(false);
  });

  it('has the rules of all for every other repository, and lets their files narrow them', () => {
    expect(protect('acme/other')).toEqual({
      rules: { '.npmrc': 'draft', 'docs/**': 'draft' },
      readsFile: true,
    });
  });
});
