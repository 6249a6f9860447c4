import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileStorage } from '@agent/run-store/file';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepConditions, readConditions } from './conditions.ts';
import { TaskBoard } from './task-board.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'conditions-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const logger = pino({ level: 'silent' });
const openStorage = () => createFileStorage({ baseDirectory: directory });

describe('keepConditions', () => {
  it('keeps for another process what was seen last, without secrets [NX-17]', async () => {
    const board = new TaskBoard({ now: () => 5 });
    const redact = (text: string) => text.replace('secret', '…');
    const stop = keepConditions(board, { storage: openStorage(), member: 7, redact, logger });
    board.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
    board.observe({ type: 'condition', part: 'model', state: 'waiting', reason: 'secret: refused' });
    await stop();
    board.observe({ type: 'condition', part: 'model', state: 'ok', reason: null });
    expect(await readConditions(openStorage())).toEqual([
      { part: 'model', state: 'waiting', since: 5, reason: '…: refused', member: 7 },
    ]);
  });

  it('is nothing where no daemon kept any, and no good sign where the file is damaged', async () => {
    expect(await readConditions(openStorage())).toEqual([]);
    await writeFile(join(directory, 'conditions.json'), '{"part":');
    await expect(readConditions(openStorage())).rejects.toThrow();
  });
});
