import { expect, it } from 'vitest';
import { parsePinnedVersions, readPinnedVersions } from './pinned-versions.ts';

it('reads what the lockfile holds once', () => {
  const lockfile = `lockfileVersion: '9.0'

packages:

  '@a/b@1.2.3':
    resolution: {integrity: x}
    engines: {node: '>=18'}

  c@1.0.0:
    resolution: {integrity: x}

  c@2.0.0:
    resolution: {integrity: x}

  d@0.1.0-beta.1:
    resolution: {integrity: x}

snapshots:

  e@1.0.0: {}
`;
  expect(parsePinnedVersions(lockfile)).toEqual({ '@a/b': '1.2.3', d: '0.1.0-beta.1' });
});

it('understands the lockfile of this repository', () => {
  const { zod, '@types/node': types } = readPinnedVersions();
  expect(zod).toMatch(/^\d+\.\d+\.\d+$/);
  expect(types).toMatch(/^\d+\.\d+\.\d+$/);
});
