import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatTaskKey } from '@agent/platforms';
import { hashTaskKey } from '@agent/run-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePastBed, type PastBed } from '../../test/past-bed.ts';
import { createUpkeep } from './upkeep.ts';

const dayMs = 86_400_000;
let bed: PastBed;
beforeEach(async () => {
  bed = await makePastBed();
});
afterEach(() => bed.close());

const removals: number[] = [];

const makeUpkeep = (retentionDays = 90) =>
  createUpkeep({
    storage: bed.openStorage(),
    retentionDays,
    now: () => bed.clock.ms,
    removeEndedWork: async (before) => removals.push(before),
    logger: bed.logger,
  });

const listCompleted = () => readdir(join(bed.contexts, 'completed'));

describe('the upkeep of the directory of runs', () => {
  it('removes what ended too long ago, once a day, and never what may be inherited from [CI-57] [X8]', async () => {
    await bed.addRun();
    const upkeep = makeUpkeep();
    bed.clock.ms += 60 * dayMs;
    upkeep.begin();
    await upkeep.settle();
    expect(await listCompleted()).toHaveLength(1);

    const kept = await bed.addRun();
    bed.clock.ms += 32 * dayMs;
    upkeep.begin();
    await upkeep.settle();
    expect(await listCompleted()).toEqual([kept]);
    const { index } = bed.openStorage();
    const thread = { taskKeyHash: hashTaskKey(formatTaskKey(bed.key)), host: bed.platform.host };
    expect((await index.find(thread)).map(({ uuid }) => uuid)).toEqual([kept]);

    // Within a day of that nothing is looked at again.
    bed.clock.ms += dayMs - 1;
    await rm(join(bed.contexts, 'index'), { recursive: true });
    upkeep.begin();
    await upkeep.settle();
    expect(await readdir(bed.contexts)).not.toContain('index');
  });

  it('keeps runs longer where the configuration says so', async () => {
    removals.splice(0);
    await bed.addRun();
    bed.clock.ms += 100 * dayMs;
    const upkeep = makeUpkeep(365);
    upkeep.begin();
    await upkeep.settle();
    expect(await listCompleted()).toHaveLength(1);
    // Worktrees and branches of ended runs go by the same age.
    expect(removals).toEqual([bed.clock.ms - 365 * dayMs]);
  });

  it('builds an index that was deleted by hand anew, at a start', async () => {
    const uuid = await bed.addRun();
    await rm(join(bed.contexts, 'index'), { recursive: true });
    const upkeep = makeUpkeep();
    upkeep.begin();
    await upkeep.settle();
    expect(bed.logged('info').map(({ msg }) => msg)).toContain('added missing runs to index');
    expect((await bed.begin()).lineage.fromUuid).toBe(uuid);
  });

  it('says what it could not do, and harms nothing', async () => {
    await bed.addRun();
    await rm(join(bed.contexts, 'index'), { recursive: true });
    await writeFile(join(bed.contexts, 'index'), 'in the way');
    const upkeep = makeUpkeep();
    upkeep.begin();
    await upkeep.settle();
    expect(bed.logged('error').map(({ msg }) => msg)).toEqual([
      'failed to check run index',
      'failed to remove expired runs',
    ]);
    expect(await listCompleted()).toHaveLength(1);
  });
});
