// @module-tag release
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { listTurns } from '../support/model-requests.ts';
import { sampleOf } from '../support/samples.ts';
import { after, type Moment } from './moment.ts';
import { issue } from './scenarios.ts';
import { openStage, type Stage } from './stage.ts';
import { measureBaseline, readState } from './trial.ts';

let stage: Stage | null = null;
afterEach(async () => {
  await stage?.close();
  stage = null;
});

async function readRunning({ world }: Stage): Promise<string[]> {
  return readdir(join(world.directory, 'contexts', 'running'));
}

/** Who spoke last in the journal of the one run that is left. */
async function readLastRole(at: Stage): Promise<string | undefined> {
  const [uuid = ''] = await readRunning(at);
  const path = join(at.world.directory, 'contexts', 'running', uuid, 'messages.jsonl');
  const lines = (await readFile(path, 'utf8')).split('\n');
  const line = lines.findLast((text) => text.startsWith('{"seq":')) ?? '';
  return (JSON.parse(line) as { message: { role: string } }).message.role;
}

const countModelCalls = ({ world }: Stage): number => listTurns(world.model).length;

const moments: readonly (readonly [string, Moment, number])[] = [
  // The call is made again.
  ['a model call', { kind: 'request', match: 'POST /v1/responses', nth: 2, side: 'meanwhile' }, 7],
  // Its result is kept.
  ['a tool', { ...after('disk', 'write messages.jsonl tool-started'), nth: 3 } as Moment, 6],
];

describe('a shutdown', () => {
  it.each(sampleOf(moments, ([what]) => what === 'a model call'))(
    'during %s ends it, saves the run and posts nothing; the next start resumes it [RL-12]',
    async (_, moment, calls) => {
      const baseline = await measureBaseline(issue);
      stage = await openStage(issue);
      const life = await stage.live(moment, { signal: 'SIGTERM' });
      expect(life.exit).toMatchObject({ code: 143, signal: null });
      expect(countModelCalls(stage)).toBe(2);
      expect(await readRunning(stage)).toHaveLength(1);
      expect(await readLastRole(stage)).toBe('tool');
      expect(stage.world.forge.thread('#1')).toMatchObject({
        comments: [],
        labels: ['coding agent processing'],
      });
      expect(stage.world.forge.threads()).toHaveLength(1);

      expect((await stage.live(null)).exit.code).toBe(0);
      expect(await readState(stage)).toEqual(baseline.state);
      expect(countModelCalls(stage)).toBe(calls);
    },
  );

  it('ends a model call that is never answered; the next start resumes the run [RL-12]', async () => {
    const baseline = await measureBaseline(issue);
    stage = await openStage(issue);
    stage.world.model.misbehave({ kind: 'hang' });
    const daemon = stage.start();
    await daemon.printed(/calling model/);
    daemon.child.kill('SIGINT');
    expect(await daemon.exited).toMatchObject({ code: 130, signal: null });
    expect(stage.world.forge.thread('#1').comments).toEqual([]);
    expect(await readRunning(stage)).toHaveLength(1);

    expect((await stage.live(null)).exit.code).toBe(0);
    expect(await readState(stage)).toEqual(baseline.state);
  });
});
