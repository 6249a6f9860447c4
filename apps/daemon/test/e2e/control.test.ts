import { userInfo } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

/** Runs a command in another process, as somebody at another terminal does. */
async function command(at: World, args: readonly string[]): Promise<string> {
  const { code, output } = await runDaemonCommand(at.configFile, args);
  expect(code, output).toBe(0);
  return output;
}

/** A daemon at work; while its model is asked for the second time, `during` happens. */
async function startAtWork(during: (at: World) => Promise<unknown>) {
  let asked = 0;
  const at = await startWorld({
    script: fixScript,
    config: { poll_interval_seconds: 0.2 },
    onModelRequest: async () => {
      asked += 1;
      if (asked === 2) await during(at);
    },
  });
  world = at;
  const { number } = at.gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: ['coding agent'],
  });
  daemon = startDaemonProcess(at.configFile, { flags: [] });
  return { at, number, running: daemon, task: `${repository}#${number}` };
}

describe('commands beside a running daemon', () => {
  it('pause one task by its name, show it as paused, and let it go on [RL-2, RL-4, RL-5]', async () => {
    let said = '';
    const { at, number, running, task } = await startAtWork(async (here) => {
      said = await command(here, ['pause', `${repository}#1`]);
    });
    await running.printed(/paused task/);
    expect(said).toContain(`${task} pauses.`);
    expect(said).toContain('A daemon is running (process');
    expect(at.thread(number).labels).toEqual(['coding agent paused']);
    const status = JSON.parse(await command(at, ['status', '--json']));
    expect(status).toMatchObject({
      daemon: { pid: running.child.pid },
      running: [],
      paused: [{ task, paused_by: userInfo().username }],
    });
    expect(await command(at, ['status'])).toContain(`paused by ${userInfo().username}`);

    expect(await command(at, ['resume', status.paused[0].uuid.slice(0, 6)])).toContain(`${task} resumes.`);
    await running.printed(/finished task/);
    expect(at.thread(number).labels).toEqual(['coding agent done']);
    const shown = await command(at, ['show', status.paused[0].uuid]);
    expect(shown).toContain('\ncompleted\n');
    expect(shown).toMatch(/✓ .* edit_file {2}\d+ ms/);
  });

  it('let an interrupted run go on when the daemon was started while everything was paused [RL-2, RL-5, RL-12, X16]', {
    tags: ['full'],
  }, async () => {
    const { at, number, running } = await startAtWork(async () => running.child.kill('SIGTERM'));
    expect((await running.exited).code).toBe(143);
    await command(at, ['pause']);
    daemon = startDaemonProcess(at.configFile, { flags: [] });
    await daemon.printed(/pause signal is set/);
    expect(await command(at, ['resume'])).toContain('Tasks resume.');
    await daemon.printed(/finished task/);
    expect(at.thread(number).labels).toEqual(['coding agent done']);
  });

  it('stop a task by the address of its thread [RL-7]', { tags: ['full'] }, async () => {
    const { at, number, running } = await startAtWork((here) =>
      command(here, ['stop', `${here.gitHub.url}/${repository}/issues/1`]),
    );
    await running.printed(/finished task/);
    expect(at.thread(number).labels).toEqual(['coding agent stopped']);
    expect(await command(at, ['status'])).toMatch(new RegExp(`${repository}#${number} +stopped`));
  });
});
