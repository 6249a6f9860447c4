import { readFile, writeFile } from 'node:fs/promises';
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

const openIssue = (at: World, title: string) =>
  at.gitHub.openIssue({
    ...{ repo: repository, author: 'alice', title, body: 'It forgets the quantity.' },
    labels: ['coding agent'],
  });

/** Repeats a command until its output matches. */
async function untilPrinted(at: World, args: readonly string[], expected: RegExp): Promise<string> {
  for (;;) {
    const { output } = await runDaemonCommand(at.configFile, args);
    if (expected.test(output)) return output;
  }
}

describe('a task that waits because the only slot is busy', () => {
  it('is shown as queued with since and reason, also after its run was paused and resumed [NX-68, RL-5]', async () => {
    const seen: Record<string, string> = {};
    const say = async (at: World, name: string, args: readonly string[]) => {
      const { output } = await runDaemonCommand(at.configFile, args);
      seen[name] = output;
    };
    let asked = 0;
    let served = '';
    const at = await startWorld({
      script: fixScript,
      config: { poll_interval_seconds: 0.2, concurrency: 1, http: { port: 0, page: { enabled: false } } },
      onModelRequest: async () => {
        asked += 1;
        if (asked === 2) {
          openIssue(at, 'The second');
          seen.queued = await untilPrinted(at, ['status'], /#2 +queued/);
          await say(at, 'filtered', ['status', '--state', 'running']);
          await say(at, 'shown', ['show', '#2']);
          seen.tasks = await (await fetch(`${served}/tasks.json`)).text();
          await say(at, 'paused', ['pause', '#1']);
        }
        if (asked === 3) {
          await say(at, 'resumed', ['resume', '#1']);
          seen.waiting = await untilPrinted(at, ['status'], /#1 +queued/);
          await say(at, 'again', ['resume', '#1']);
        }
      },
    });
    world = at;
    daemon = startDaemonProcess(at.configFile, { flags: ['--log-format', 'json'] });
    await daemon.printed(/serving HTTP endpoints/);
    served = /"url":"(http:[^"]+)","msg":"serving/.exec(daemon.output())?.[1] ?? '';
    const config = await readFile(at.configFile, 'utf8');
    await writeFile(at.configFile, config.replace('port: 0', `port: ${new URL(served).port}`));
    openIssue(at, 'The first');
    await daemon.printed(/finished task(?:.|\n)*finished task/);

    expect(seen.queued).toContain('Tasks: 1 running, 1 queued.');
    expect(seen.queued).toMatch(/#2 +queued, number 1 +\d+s ago .* The second\n {2}The only slot is busy/);
    expect(seen.filtered).not.toContain('#2');
    expect(seen.shown).toMatch(/Queued since .* number 1\. The only slot is busy\. It has no run yet\./);
    expect(JSON.parse(seen.tasks ?? '')).toMatchObject({
      queued: [
        { task: `${repository}#2`, uuid: null, position: 1, reason: 'The only slot is busy', user: 'alice' },
      ],
    });
    expect(seen.resumed).toContain(`${repository}#1 resumes.`);
    expect(seen.waiting).toContain('Tasks: 1 running, 1 queued.');
    expect(seen.waiting).toContain('Resumed, the only slot is busy');
    expect(seen.waiting).not.toContain('paused');
    expect(seen.again).toContain(`${repository}#1 is already resumed.`);
    for (const number of [1, 2]) expect(at.thread(number).labels).toEqual(['coding agent done']);
  });
});
