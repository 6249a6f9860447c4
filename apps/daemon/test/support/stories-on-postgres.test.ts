import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { storiesInFiles, storiesOnPostgres, storiesOnPostgresInRelease } from './stories-on-postgres.ts';

it('every story is told with runs in a real PostgreSQL, too, or says why not [NX-167]', async () => {
  const files = await readdir(new URL('../e2e', import.meta.url));
  const stories = files.map((file) => file.replace(/\.test\.ts$/, ''));
  expect(
    [...storiesOnPostgres, ...storiesOnPostgresInRelease, ...Object.keys(storiesInFiles)].sort(),
  ).toEqual(stories.sort());
});
