// @module-tag release
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
/** A quarter of the real waits: the final check comes after 15 seconds instead of a minute. A busy machine restarts within the lag. */
const environment = { WAIT_SPEED: '4' };
const lagMs = 10_000;

describe.each(forgesToTry('gitlab'))('a run on %s where the list of comments lags', (name) => {
  it.each([
    ['its first comment', 1],
    ['its final comment', 2],
  ])('leaves %s once, although the daemon was killed right after writing it [NX-93]', async (_what, nth) => {
    let daemon: DaemonProcess | null = null;
    let written = 0;
    const at = await startWorld({
      script: fixScript,
      forges: [name],
      onForgeRequest: (label) => {
        if (!/^POST .*\/(?:comments|notes)$/.test(label)) return;
        written += 1;
        if (written === nth) daemon?.child.kill('SIGKILL');
      },
    });
    world = at;
    const { simulator } = at.forge as GitHubForge | GitLabForge;
    const { reference } = at.forge.openIssue(issue);
    simulator.fail({
      ...{ method: 'GET', path: /\/(?:comments|notes)\b/, kind: 'lag', times: 'always', delayMs: lagMs },
    });
    daemon = startDaemonProcess(at.configFile, { alone: true });
    await daemon.exited;
    daemon = null;
    const options = { nodeArguments: quickWaits, environment, alone: true };
    const next = await startDaemonProcess(at.configFile, options).exited;
    expect(next.code, next.output).toBe(0);
    const { comments, statusComments, labels } = at.forge.thread(reference);
    expect(written).toBe(3);
    expect([comments.length, statusComments.length]).toEqual([1, 1]);
    expect(labels).toEqual(['coding agent done']);
  });
});
