import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuditLog } from '@agent/orchestrator/watch';
import { createFileStorage } from '@agent/run-store/file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { storageCommand } from './storage.ts';

const [ended, running, paused] = [
  '11110000-0000-4000-8000-000000000001',
  '22220000-0000-4000-8000-000000000002',
  '33330000-0000-4000-8000-000000000003',
] as const;

const toId = (address: string) => createHash('sha256').update(address).digest('hex').slice(0, 16);

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
  await kept.add({ uuid: ended, number: 1, state: 'completed' });
  await kept.add({ uuid: running, number: 2, state: 'running' });
  await kept.add({ uuid: paused, number: 3, state: 'paused' });
});
afterEach(() => kept.close());

const check = (environment = {}) =>
  runCommand((io) => storageCommand({ config: kept.configFile, action: 'check' }, io), { environment });

describe('storage check', () => {
  it('verifies runs of every state, also beside a daemon [NX-422]', async () => {
    await kept.own();
    const { code, output } = await check();
    expect(output).toMatch(/^Verified 4 records in .*: none is damaged\.$/);
    expect(code).toBe(0);
  });

  it('names damaged runs with their place, and ends with exit code 1 [NX-422]', async () => {
    const record = join(kept.contexts, 'completed', ended, 'messages.jsonl');
    await writeFile(record, (await readFile(record, 'utf8')).replace('Please mend it.', 'Please break it.'));
    await rm(join(kept.contexts, 'running', running, 'messages.jsonl'));
    const { code, output } = await check();
    expect(output).toMatch(new RegExp(`^${ended}  ended  Line 2 of ".*" is not as it was written`, 'm'));
    expect(output).toMatch(new RegExp(`^${running}  running  The first line of ".*" is missing`, 'm'));
    expect(output).toMatch(/: 2 damaged\.$/);
    expect(output).not.toContain(paused);
    expect(code).toBe(1);
    expect((await check({ LANG: 'ja_JP.UTF-8' })).output).toContain('破損: 2 件。');
  });

  it('names entries of the audit log and pictures that are damaged, with what to do [NX-422]', async () => {
    const storage = createFileStorage({ baseDirectory: kept.contexts });
    await createAuditLog(storage.notes, { logger: { info: () => {} } }).write({
      ...{ id: '1', at: Date.parse('2026-01-01'), actor: 'alice', via: 'web', action: 'pause' },
      ...{ target: 'acme/shop#1', run: ended, outcome: 'accepted', reason: null },
    });
    const picture = { media_type: 'image/png', width: 1, height: 1, bytes: 3 };
    const directory = join(kept.contexts, 'completed', ended);
    await writeFile(join(directory, 'pictures.json'), JSON.stringify({ 'https://host/1.png': picture }));
    await mkdir(join(directory, 'pictures'));
    const bytes = join(directory, 'pictures', toId('https://host/1.png'));
    await writeFile(bytes, Buffer.from('abc').toString('base64'));
    expect((await check()).code).toBe(0);
    await writeFile(bytes, Buffer.from('ab').toString('base64'));
    await storage.notes.write('audit/2026-01', [{ id: '1' }]);
    const { code, output } = await check();
    expect(code).toBe(1);
    expect(output).toMatch(
      new RegExp(`^${ended}  ended  The picture "pictures/\\w+" of run .* Restore it from a backup\\.$`, 'm'),
    );
    expect(output).toMatch(
      /^not in a run {2}Entry 1 of the audit log ".*" is not valid \(at\)\. Restore it/m,
    );
    expect(output).toMatch(/: 2 damaged\.$/);
  });

  it('explains its arguments', async () => {
    const given = { config: kept.configFile, action: 'chek' };
    const { code, errors } = await runCommand((io) => storageCommand(given, io));
    expect(code).toBe(1);
    expect(errors).toContain('agent-daemon storage check');
  });
});
