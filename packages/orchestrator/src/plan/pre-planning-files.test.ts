import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRunState } from '@agent/run-store/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunLogger } from '../host/ports.ts';
import { noCost } from './metering.ts';
import {
  createPrePlanningFiles,
  type KeptPrePlanning,
  readKeptPrePlanning,
  readPrePlanningCost,
} from './pre-planning-files.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pre-planning-files-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const warned: string[] = [];
const logger = { warn: (_: object, message: string) => void warned.push(message) } as unknown as RunLogger;
const author = { id: '1', login: 'alice', kind: 'person' as const };
const comment = { id: '7', author, createdAt: '2026-03-01T10:00:00Z', updatedAt: null };
const kept = (step: number): KeptPrePlanning => ({
  knownComments: [{ comment, hash: 'abc' }],
  cost: { ...noCost, modelCalls: step, tools: { read_file: 2 } },
  state: { step },
});

describe('what is kept of a run that pre-plans', () => {
  const files = () => createPrePlanningFiles(openRunState(directory));
  const read = () => readKeptPrePlanning(openRunState(directory), logger);

  it('comes back as it was, the last that was saved [PP-57]', async () => {
    warned.length = 0;
    expect(await read()).toBeNull();
    const { save } = files();
    await Promise.all([1, 2, 3].map((step) => save(kept(step))));
    expect(await read()).toEqual(kept(3));
    expect(await readPrePlanningCost(openRunState(directory), logger)).toEqual(kept(3).cost);
    expect(warned).toEqual([]);
    expect(await readdir(directory)).toEqual(['pre_planning_state.json']);
  });

  it.each(['', '{"known_comments":[{"id":"7"', '{"known_comments":[]}', '[]', '\0\0\0'])(
    'begins anew, with a warning, where the file is torn: %j [PP-58]',
    async (torn) => {
      warned.length = 0;
      await writeFile(join(directory, 'pre_planning_state.json'), torn);
      expect(await read()).toBeNull();
      expect(warned).toEqual(['failed to read pre-planning progress']);
      await files().save(kept(1));
      expect(await read()).toEqual(kept(1));
    },
  );

  it('goes on being saved after a save that failed', async () => {
    const { save } = files();
    const circle: { self?: object } = {};
    circle.self = circle;
    await expect(save({ ...kept(1), state: circle })).rejects.toThrow();
    await save(kept(2));
    expect(await read()).toEqual(kept(2));
  });

  it('has long details in files of their own, also for ids that only case tells apart [E15]', async () => {
    const ids = ['total', 'Total', 'TOTAL', 'info_1'];
    for (const id of ids) await files().details.save(id, `of ${id}`);
    const folder = join(directory, 'planning', 'pre_planning');
    const names = await readdir(folder);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(4);
    expect(names).toEqual(expect.arrayContaining(['total.json', 'info_1.json']));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    expect(
      texts.map((text) => JSON.parse(text)).toSorted((a, b) => a.info_id.localeCompare(b.info_id)),
    ).toEqual(ids.toSorted((a, b) => a.localeCompare(b)).map((id) => ({ info_id: id, details: `of ${id}` })));
  });
});
