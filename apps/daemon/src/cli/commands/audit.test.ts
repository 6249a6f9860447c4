import { writeFile } from 'node:fs/promises';
import { type AuditEntry, createAuditLog } from '@agent/orchestrator/watch';
import { createFileStorage } from '@agent/run-store/file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { type AuditFlags, auditCommand } from './audit.ts';

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns('time_zone: Asia/Tokyo\n');
  const { notes } = createFileStorage({ baseDirectory: kept.contexts, now: Date.now });
  const log = createAuditLog(notes, { logger: { info: () => {} } });
  for (const entry of entries) await log.write(entry);
});
afterEach(() => kept.close());

const stop = { action: 'stop', target: 'acme/shop#5', run: '33330000-0000-4000-8000-000000000003' };
const entries: readonly AuditEntry[] = [
  {
    ...{ id: '1', at: Date.parse('2025-12-30T10:00:00Z'), actor: 'operator', via: 'cli' },
    ...{ action: 'token-create', target: 'alice', run: null, outcome: 'accepted', reason: null },
  },
  {
    ...{ id: '2', at: Date.parse('2026-01-01T16:30:00Z'), actor: 'alice', via: 'web' },
    ...{ ...stop, outcome: 'refused', reason: 'The run has\u001b[31m ended.' },
  },
  {
    ...{ id: '3', at: Date.parse('2026-01-01T17:00:00Z'), actor: '@Bob', via: 'comment' },
    ...{ ...stop, action: 'pause', outcome: 'accepted', reason: null },
  },
];

const audit = (given: Partial<AuditFlags> = {}, environment: Record<string, string> = {}) =>
  runCommand((io) => auditCommand({ config: kept.configFile, ...given }, io), { environment });

const listIds = async (given: Partial<AuditFlags>) =>
  JSON.parse((await audit({ ...given, json: true })).output).entries.map(({ id }: AuditEntry) => id);

describe('agent-daemon audit', () => {
  it('lists who did what when, with date and zone, the latest first [NX-325]', async () => {
    expect(await audit()).toMatchObject({ code: 0, errors: '' });
    expect((await audit()).output).toMatchInlineSnapshot(`
      "TIME                       USER      VIA           ACTION        TASK OR OBJECT  RESULT    REASON
      2026-01-02 02:00:00 GMT+9  @Bob      comment       pause         acme/shop#5     accepted
      2026-01-02 01:30:00 GMT+9  alice     web UI        stop          acme/shop#5     refused   The run has ended.
      2025-12-30 19:00:00 GMT+9  operator  command line  token-create  alice           accepted"
    `);
    expect((await audit({}, { LANG: 'ja_JP.UTF-8' })).output).toContain('コマンドライン');
  });

  it.each<[string, Partial<AuditFlags>, readonly string[]]>([
    ['user', { user: 'ALICE' }, ['2']],
    ['user with an @', { user: '@bob' }, ['3']],
    ['task', { task: 'Acme/shop#5' }, ['3', '2']],
    ['run', { task: '3333' }, ['3', '2']],
    ['age', { since: 24 * 3_600_000 }, ['3', '2']],
    ['number', { limit: 1 }, ['3']],
    ['user and task', { user: 'operator', task: 'acme/shop#5' }, []],
  ])('filters by %s [NX-325]', async (_, given, ids) => {
    expect(await listIds(given)).toEqual(ids);
  });

  it('says that there are more, or that nothing matches', async () => {
    expect((await audit({ limit: 1 })).output).toContain('There are more.');
    expect((await audit({ user: 'nobody' })).output).toBe('No action matches.');
  });

  it('works with mistakes in the configuration, and warns of them [NX-421]', async () => {
    await writeFile(kept.configFile, 'time_zone: Mars/Base\nconcurency: 3\n');
    const { code, output, errors } = await audit();
    expect(code).toBe(0);
    expect(errors).toContain('Warning: ');
    expect(output).toContain('2026-01-01 17:00:00 UTC');
  });
});
