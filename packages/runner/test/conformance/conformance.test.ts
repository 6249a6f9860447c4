import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  listKnownAnswers,
  readServers,
  startModelServer,
  usualOutcomes,
} from '@agent/simulators/model-servers';
import { describe, expect, it } from 'vitest';
import { formatModelsPage, listCounting } from './format-models-page.ts';
import { tryRow } from './try-row.ts';

const servers = readServers();
const known = servers.flatMap(listKnownAnswers);

describe.each(servers)('a run whose model is at $name', ({ rows, rules }) => {
  it.each(rows)('takes the answer "$kind" as it is meant', async (row) => {
    const { outcome, calls, finalText, recovers } = await tryRow(row, rules);
    expect(outcome).toBe(row.expected ?? usualOutcomes[row.kind]);
    if (['waits', 'retried', 'too long'].includes(outcome)) expect(recovers).toBe(true);
    if (row.kind === 'tool call') expect(calls).toBe(1);
    if (row.kind === 'parallel calls') expect(calls).toBeGreaterThan(1);
    if (row.kind === 'reasoning') expect(finalText).not.toBe('');
  });

  it('receives each answer byte for byte', async () => {
    await using server = await startModelServer({ rows });
    for (const { text, status = 200, contentType = 'application/json' } of rows) {
      const response = await fetch(server.baseUrl, { method: 'POST', body: '{"messages":[]}' });
      expect([response.status, response.headers.get('content-type')]).toEqual([status, contentType]);
      expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(text))).toBe(true);
    }
  });
});

describe('an answer from a public source', () => {
  it.each(known.filter(({ blob }) => blob !== undefined))(
    'is the whole file at $source',
    ({ text, blob }) => {
      const head = `blob ${Buffer.byteLength(text)}\0`;
      expect(createHash('sha1').update(head).update(text).digest('hex')).toBe(blob);
    },
  );

  it.each(known)('has an address and a date: $source', ({ source, date }) => {
    expect(source).toMatch(/^https:\/\/\S+$/);
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  it('counts for at least 15 servers, each with one that is exact', () => {
    expect(listCounting(servers).length).toBeGreaterThanOrEqual(15);
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
});
