import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../list-pages.ts';
import { describeConfig } from './describe-config.ts';
import { listKeys } from './list-keys.ts';
import { readSettings, toPattern } from './read-settings.ts';

const readme = readFileSync(join(repositoryRoot, 'apps/daemon/README.md'), 'utf8');

it('names every key of the configuration in the table of settings, and no other [NX-385]', () => {
  const patterns = readSettings(readme).flatMap(({ keys }) => keys.map(toPattern));
  const paths = listKeys(describeConfig(readme)).map(({ path }) => path.join('.'));
  expect(paths.length).toBeGreaterThan(150);
  expect(paths.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(patterns.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
});
