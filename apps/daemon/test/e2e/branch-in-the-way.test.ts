// @module-tag full
import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { examine } from '../support/examination.ts';
import { fixScript } from '../support/fix-script.ts';
import { gitLabToken } from '../support/gitlab-forge.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

describe.each(forgesToTry('gitlab'))('a branch with the name of the prefix on %s', (name) => {
  it('is reported by doctor, and a run uses another name', async () => {
    world = await startWorld({ script: fixScript, forges: [name], config: { branch_prefix: 'bots/agent' } });
    const { forge } = world;
    execFileSync('git', ['branch', 'bots', 'main'], { cwd: forge.gitDirectory });
    const { findings } = await examine(world, { GITLAB_TOKEN: gitLabToken });
    expect(findings).toContainEqual(
      expect.objectContaining({
        ...{ area: name, status: 'warning' },
        text: expect.stringContaining('has a branch "bots", which makes "bots/agent/…" impossible'),
      }),
    );
    const { number } = forge.openIssue({
      ...{ title: 'The total is wrong', body: 'It forgets the quantity.' },
      labels: ['coding agent'],
    });
    expect(await startDaemonProcess(world.configFile).exited).toMatchObject({ code: 0 });
    const head = `bots-agent-issue-${number}-the-total-is-wrong`;
    expect(forge.changeRequests()).toMatchObject([{ changeRequest: { draft: true, head } }]);
  });
});
