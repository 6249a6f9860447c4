import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileStorage } from '@agent/run-store/file';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createHandoverRecords } from './handover-records.ts';

it('keeps why the agent put a label back, one cause for each thread, until a run has begun [NX-21]', async () => {
  const warned: string[] = [];
  const logger = pino(
    { level: 'warn', base: null },
    { write: (line) => void warned.push(JSON.parse(line).msg) },
  );
  const directory = await mkdtemp(join(tmpdir(), 'handovers-'));
  try {
    const records = createHandoverRecords(createFileStorage({ baseDirectory: directory }).notes, { logger });
    const [one, other] = ['one', 'other'].map((taskKeyText) => ({ host: 'git.example', taskKeyText }));
    if (one === undefined || other === undefined) throw new Error('no threads');
    expect(await records.read(one)).toBe(null);
    const by = { id: '1', login: 'alice', kind: 'person' } as const;
    await records.keep(one, { by, since: '2026-03-01T10:00:00Z', commentId: null });
    const restored = { by, since: '2026-03-01T11:00:00Z', commentId: '7' };
    await records.keep(one, restored);
    expect(await records.read(one)).toEqual(restored);
    expect(await records.read(other)).toBe(null);
    await records.forget(one);
    expect([await records.read(one), await readdir(join(directory, 'handovers'))]).toEqual([null, []]);
    await records.keep(one, restored);
    const [file = ''] = await readdir(join(directory, 'handovers'));
    expect(warned).toEqual([]);
    await writeFile(join(directory, 'handovers', file), '{}');
    expect(await records.read(one)).toBe(null);
    expect(warned).toEqual(['failed to read handover record; label must be added again']);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
