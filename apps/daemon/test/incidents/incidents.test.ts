import { readFile } from 'node:fs/promises';
import { requirePlaces } from '@agent/simulators/trials';
import { describe, expect, it } from 'vitest';
import { incidentBugs } from './incident-bugs.ts';
import { incidents } from './incidents.ts';

const table = await readFile(new URL('../../../../docs/security/incidents.md', import.meta.url), 'utf8');

describe('the list of incidents', () => {
  it('has 30 entries, 12 or more of them of 2026, each with its own name and entry point', () => {
    expect(incidents).toHaveLength(30);
    expect(incidents.filter(({ year }) => year === 2026).length).toBeGreaterThanOrEqual(12);
    expect(new Set(incidents.map(({ name }) => name)).size).toBe(30);
    expect(new Set(incidents.map(({ entryPoint }) => entryPoint)).size).toBe(30);
  });

  it.each(incidents)('documents $name', ({ name, title, year, source, entryPoint, stoppedBy }) => {
    const row = table.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
    const origin = source === null ? 'no public report found' : `${title} (${year})`;
    for (const words of [title, origin, source ?? '', entryPoint, stoppedBy]) expect(row).toContain(words);
  });

  it('contains every incident that a seeded bug is replayed with', () => {
    const names = incidents.map(({ name }) => name);
    const replayed = incidentBugs.flatMap(({ trials }) => trials().map(({ incident }) => incident));
    expect(replayed.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(incidentBugs)('has a place in the sources for the seeded bug $name', async ({ changes }) => {
    await expect(requirePlaces(changes)).resolves.toBeUndefined();
  });
});
