// @module-tag full
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const refusals = {
  github: {
    lines: [
      'error: GH013: Repository rule violations found for refs/heads/agent/1.',
      '- Cannot create ref due to creations being restricted.',
    ],
    rule: 'Cannot create ref due to creations being restricted.',
  },
  gitlab: {
    lines: ["GitLab: Branch name does not follow the pattern '^feature/'"],
    rule: "Branch name does not follow the pattern '^feature/'",
  },
};

describe.each(forgesToTry('github'))('a push that a rule of %s refuses', (name) => {
  it('waits, names the rule on the thread, and is made once the rule is gone [NX-93, NX-251]', {
    tags: ['release'],
  }, async () => {
    world = await startWorld({ script: fixScript, forges: [name] });
    const { forge, configFile } = world;
    const { lines, rule } = refusals[name];
    const hook = join(forge.gitDirectory, 'hooks/pre-receive');
    const says = lines.map((line) => `echo "${line}" >&2`).join('\n');
    await writeFile(hook, `#!/bin/sh\n${says}\nexit 1\n`, { mode: 0o755 });
    forge.openIssue({
      ...{ title: 'The total is wrong', body: 'It forgets the quantity.' },
      labels: ['coding agent'],
    });
    const runOnce = () => startDaemonProcess(configFile, { nodeArguments: quickWaits }).exited;
    await runOnce();
    const bodies = () => forge.thread('#1').comments.map(({ body }) => body);
    expect(bodies().filter((body) => body.includes(rule))).toHaveLength(1);
    expect(bodies().join()).not.toContain('Task failed');
    expect(forge.changeRequests()).toEqual([]);
    await rm(hook);
    expect(await runOnce()).toMatchObject({ code: 0 });
    expect(forge.changeRequests()).toMatchObject([{ changeRequest: { draft: true } }]);
  });
});
