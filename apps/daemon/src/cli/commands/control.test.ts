import { access, readdir, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createAuditLog } from '@agent/orchestrator/watch';
import { createFileStorage } from '@agent/run-store/file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { type ControlRequest, controlCommand } from './control.ts';

const running = '11110000-0000-4000-8000-000000000001';
const paused = '22220000-0000-4000-8000-000000000002';
const ended = '33330000-0000-4000-8000-000000000003';

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
});
afterEach(() => kept.close());

const addAll = async (): Promise<void> => {
  await kept.add({ uuid: running, number: 1, state: 'running' });
  await kept.add({ uuid: paused, number: 2, state: 'paused' });
  await kept.add({ uuid: ended, number: 3, state: 'completed' });
};
const ask = (
  verb: ControlRequest['verb'],
  task: string | null = null,
  { all = false, environment = {} }: { all?: boolean; environment?: Record<string, string> } = {},
) => runCommand((io) => controlCommand({ config: kept.configFile, verb, task, all }, io), { environment });
const controls = () => readdir(join(kept.contexts, 'control')).catch(() => []);
const signalFile = () => join(kept.contexts, 'pause_signal');

describe('pause and resume without a task', () => {
  it('make and remove the pause signal, and say how to undo it [RL-2]', async () => {
    const made = await ask('pause');
    expect(made).toMatchObject({ code: 0, errors: '' });
    expect(made.output).toContain(`${signalFile()}\nTo resume: agent-daemon resume`);
    await access(signalFile());
    expect((await ask('resume')).output).toContain(`Removed the pause signal: ${signalFile()}\n`);
    await expect(access(signalFile())).rejects.toThrow('ENOENT');
    expect(await ask('resume')).toMatchObject({ code: 0 });
  });

  it('speak Japanese where the process does', async () => {
    const made = await ask('pause', null, { environment: { LANG: 'ja_JP.UTF-8' } });
    expect(made.output).toContain('再開するには: agent-daemon resume');
  });

  it('say that pausing is switched off', async () => {
    await writeFile(
      kept.configFile,
      'platforms: { github: { repositories: [acme/shop] } }\npause_resume: { enabled: false }\n',
    );
    expect(await ask('pause')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('pause_resume.enabled'),
    });
  });
});

describe('pause, resume and stop of one task', () => {
  beforeEach(addAll);

  it('are in the audit log under the name of the account, with the task and the run', async () => {
    await ask('stop', 'acme/shop#1');
    await ask('pause');
    const storage = createFileStorage({ baseDirectory: kept.contexts });
    const logger = { info: () => {} };
    const entries = await createAuditLog(storage.notes, { logger }).list({ limit: 10 });
    const actor = userInfo().username;
    expect(entries).toMatchObject([
      { actor, via: 'cli', action: 'pause-all', target: null, run: null, outcome: 'accepted' },
      { actor, via: 'cli', action: 'stop', target: 'acme/shop#1', run: running, outcome: 'accepted' },
    ]);
    expect(await storage.controls.list()).toMatchObject([{ uuid: running, verb: 'stop', by: null }]);
  });

  it('drop a control file that a daemon reads at its next checkpoint [RL-2]', async () => {
    expect(await ask('pause', 'acme/shop#1')).toMatchObject({ code: 0 });
    expect(await controls()).toEqual([`${running}.pause`]);
    expect(await ask('resume', '1111')).toMatchObject({ code: 0 });
    expect(await controls()).toEqual([`${running}.resume`]);
    expect(await ask('stop', 'https://github.com/acme/shop/issues/2')).toMatchObject({ code: 0 });
    expect(await controls()).toEqual([`${running}.resume`, `${paused}.stop`]);
  });

  it('say whether a daemon is there to obey', async () => {
    expect((await ask('pause', running)).output).toContain('No daemon is running.');
    await kept.own();
    expect((await ask('pause', running)).output).toContain(`A daemon is running (process ${process.pid}`);
  });

  it('refuse what cannot be done, in words that say why', async () => {
    expect((await ask('stop', 'acme/shop#3')).errors).toBe(
      'agent-daemon: acme/shop#3 is already finished (completed).',
    );
    expect((await ask('resume', 'acme/shop#1')).errors).toContain('it is running');
    expect((await ask('stop')).errors).toContain('--all');
    expect((await ask('pause', 'acme/shop#1', { all: true })).errors).toContain('not both');
    expect(await controls()).toEqual([]);
  });

  it('list the tasks that there are when one is unknown, or could be several', async () => {
    const unknown = await ask('pause', '../../etc');
    expect(unknown.code).toBe(1);
    expect(unknown.errors).toContain('There is no task ../../etc.');
    expect(unknown.errors).toContain('11110000  acme/shop#1  running  The total is wrong');
    await kept.add({ uuid: '1111aaaa-0000-4000-8000-000000000004', number: 4, state: 'running' });
    expect((await ask('pause', '1111')).errors).toContain('more than one task');
  });

  it('stop everything that runs or is paused with --all', async () => {
    expect(await ask('stop', null, { all: true })).toMatchObject({ code: 0 });
    expect((await controls()).sort()).toEqual([`${running}.stop`, `${paused}.stop`]);
    await rm(kept.contexts, { recursive: true });
    expect((await ask('stop', null, { all: true })).errors).toContain('There is no task to stop.');
  });
});
