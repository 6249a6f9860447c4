import { readFileSync } from 'node:fs';
import { readServers, usualOutcomes } from '@agent/simulators/model-servers';
import { describe, expect, it } from 'vitest';
import { formatModelsPage } from './format-models-page.ts';
import { tryRow } from './try-row.ts';

const servers = readServers();

describe.each(servers)('a run whose model is at $name', ({ rows, rules }) => {
  it.each(rows)('takes the answer "$kind" as it is meant', async (row) => {
    const { outcome, calls, finalText, recovers } = await tryRow(row, rules);
    expect(outcome).toBe(row.expected ?? usualOutcomes[row.kind]);
    if (outcome === 'waits' || outcome === 'retried') expect(recovers).toBe(true);
    if (row.kind === 'tool call') expect(calls).toBe(1);
    if (row.kind === 'parallel calls') expect(calls).toBeGreaterThan(1);
    if (row.kind === 'reasoning') expect(finalText).not.toBe('');
  });
});

describe('docs/reference/models.md', () => {
  it('is what the rows say; `npm run test:unit -- packages/runner/test/conformance --update=all` writes it', async () => {
    const before = JSON.parse(
      readFileSync(new URL('failed-before.json', import.meta.url), 'utf8'),
    ) as string[];
    const page = formatModelsPage(servers, { failedBefore: new Set(before) });
    await expect(page).toMatchFileSnapshot('../../../../docs/reference/models.md');
  });

  it('shows at least 15 servers with an answer that was taken from a public source', () => {
    const known = servers.filter(({ rows }) => rows.some(({ source }) => source !== null));
    expect(known.length).toBeGreaterThanOrEqual(15);
    for (const { source, date } of servers.flatMap(({ rows }) => rows))
      expect(source === null).toBe(date === null);
  });
});
