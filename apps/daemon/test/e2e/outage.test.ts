// @module-tag full
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { gitHubToken } from '../support/github-forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { itInFullInFiles, sampleOf } from '../support/samples.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issueSeed = {
  repo: repository,
  author: 'alice',
  title: 'The total is wrong',
  body: 'It forgets the quantity.',
  labels: ['coding agent'],
};
const pulls = (at: World) => at.gitHub.threads(repository).filter(({ pullRequest }) => pullRequest !== null);

describe('an outage of the platform', () => {
  const moments = [
    ['a fetch', { path: /git-upload-pack/, kind: 'server-error', times: 2 }],
    ['a push', { path: /git-receive-pack/, kind: 'server-error', times: 2 }],
    ['the pull request', { method: 'POST', path: /\/pulls$/, kind: 'server-error', times: 4 }],
  ] as const;
  it.each(sampleOf(moments, ([what]) => what === 'a push'))(
    'in the middle of %s is outlasted and costs nothing of the work [RL-9]',
    { tags: ['release'] },
    async (_what, failure) => {
      world = await startWorld({ script: fixScript });
      const { number } = world.gitHub.openIssue(issueSeed);
      world.gitHub.fail(failure);
      const exit = await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited;
      expect(exit.output).toContain('retrying after transient failure');
      expect(exit.code).toBe(0);
      expect(world.thread(number).labels).toEqual(['coding agent done']);
      expect(world.thread(number).comments).toHaveLength(1);
      expect(pulls(world)).toHaveLength(1);
      expect(listTurns(world.model)).toHaveLength(5);
    },
  );

  it('a token that dies in the middle of a run fails no task: the next start with a good one goes on [NX-26, RL-9]', async () => {
    let asked = 0;
    world = await startWorld({
      script: fixScript,
      onModelRequest: () => {
        asked += 1;
        if (asked === 2) world?.gitHub.revokeToken(gitHubToken);
      },
    });
    const { number } = world.gitHub.openIssue(issueSeed);
    const first = await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited;
    expect(first.code).toBe(1);
    expect(first.output).toContain('GitHub refused the token');
    expect(world.thread(number)).toMatchObject({ labels: ['coding agent processing'], comments: [] });
    world.gitHub.addToken({ token: gitHubToken, login: 'robot' });
    expect((await startDaemonProcess(world.configFile, { nodeArguments: quickWaits }).exited).code).toBe(0);
    expect(world.thread(number).labels).toEqual(['coding agent done']);
    expect(world.thread(number).comments).toHaveLength(1);
    expect(pulls(world)).toHaveLength(1);
  });

  itInFullInFiles(
    'that lasts leaves the end of the run open, which is shown once it is over [RL-9, RL-14, NX-93]',
    { tags: ['release'] },
    async () => {
      world = await startWorld({ script: fixScript, config: { poll_interval_seconds: 20 } });
      const { number } = world.gitHub.openIssue(issueSeed);
      // The label cannot be changed at the end: five attempts a round, and the first round is not enough.
      const label = {
        method: 'DELETE',
        path: /labels\/coding%20agent%20processing/,
        kind: 'server-error',
      } as const;
      world.gitHub.fail({ ...label, times: 6 });
      const daemon = startDaemonProcess(world.configFile, { flags: [], nodeArguments: quickWaits });
      await daemon.printed(/failed to publish run result/);
      expect(world.gitHub.threads(repository)).toHaveLength(2);
      await daemon.printed(/finished task/);
      daemon.child.kill('SIGTERM');
      await daemon.exited;
      expect(world.thread(number).labels).toEqual(['coding agent done']);
      expect(world.thread(number).comments).toHaveLength(1);
      expect(pulls(world)).toHaveLength(1);
      expect(daemon.output().match(/started task/g)).toHaveLength(1);
    },
  );
});
