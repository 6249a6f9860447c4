import { expect, it } from 'vitest';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { readPinnedVersions } from './pinned-versions.ts';
import { readPublishedRanges, toLowestVersion } from './published-ranges.ts';

it('publishes ranges that include what was tested here [NX-53]', () => {
  const ranges = readPublishedRanges();
  const dependencies = listPublishablePackages()
    .filter(({ folder }) => !folder.startsWith('apps/'))
    .flatMap(({ manifest: { dependencies = {}, peerDependencies = {} } }) =>
      Object.entries({ ...dependencies, ...peerDependencies }),
    )
    .filter(([, range]) => range === 'catalog:published')
    .map(([name]) => name)
    .filter((name) => !name.startsWith('@agent/'));
  expect(Object.keys(ranges).sort()).toEqual([...new Set(dependencies)].sort());
  const pinned = readPinnedVersions();
  for (const [name, range] of Object.entries(ranges)) {
    expect(range, name).toMatch(/^\^\d+\.\d+\.\d+$/);
    if (pinned[name] === undefined) continue;
    const [low, tested] = [toLowestVersion(range), pinned[name]].map((text) => text.split('.').map(Number));
    expect(tested?.[0], name).toBe(low?.[0]);
    expect(
      tested?.join('.').localeCompare(low?.join('.') ?? '', 'en', { numeric: true }),
      name,
    ).toBeGreaterThanOrEqual(0);
  }
});

it('reads the lowest version of a range', () => {
  expect(['^4.1.8', '>=22.12', '^6.0.0 || ^7.0.154'].map(toLowestVersion)).toEqual([
    '4.1.8',
    '22.12.0',
    '7.0.154',
  ]);
});
