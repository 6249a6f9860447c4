import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPastExecutions } from '@agent/run-store';
import { createFileRunLines, createFileTaskIndex } from '@agent/run-store/file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillPlannings } from './fill-plannings.ts';
import { host, toHash } from './sample-run.ts';
import { scanPlannings } from './scan-plannings.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'index-bench-test-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the scan of all plans', () => {
  it('finds the very entries that ours finds through the index', async () => {
    await fillPlannings(directory, { runs: 20, ofTask: 3 });
    const index = createFileTaskIndex({ baseDirectory: directory });
    const lines = createFileRunLines({ baseDirectory: directory });
    const task = { taskKeyHash: toHash(0), host };
    const ours = await readPastExecutions(task, { lines, index });
    const scanned = scanPlannings(directory, '0');
    expect(scanned).toHaveLength(15);
    expect(ours.map(({ timestamp }) => timestamp)).toEqual(scanned.map(({ timestamp }) => timestamp));
  });
});
