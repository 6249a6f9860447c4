// @module-tag full
import { afterEach, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

it('a draft is opened into the new default branch if that was renamed during the run [NX-93]', async () => {
  let isRenamed = false;
  const onModelRequest = () => {
    if (!isRenamed) simulator.renameDefaultBranch('acme/shop', 'trunk');
    isRenamed = true;
  };
  world = await startWorld({ script: fixScript, forges: ['github'], onModelRequest });
  const { simulator } = world.forge as GitHubForge;
  world.forge.openIssue({
    ...{ title: 'The total is wrong', body: 'It forgets the quantity.' },
    labels: ['coding agent'],
  });
  expect(await startDaemonProcess(world.configFile).exited).toMatchObject({ code: 0 });
  expect(world.forge.changeRequests()).toMatchObject([{ changeRequest: { draft: true, base: 'trunk' } }]);
});
