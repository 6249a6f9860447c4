import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript } from '../support/fix-script.ts';
import { forgesToTry } from '../support/samples.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const seed = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
describe.each(forgesToTry('gitlab'))('a daemon on %s with a repository that is gone', (name) => {
  async function startWithGone(): Promise<World> {
    world = await startWorld({
      script: answerScript,
      forges: [name],
      config: { poll_interval_seconds: 0.2 },
    });
    const config = await readFile(world.configFile, 'utf8');
    await writeFile(world.configFile, config.replace(/^( *)- acme\/shop$/m, '$1- acme/gone\n$1- acme/shop'));
    return world;
  }

  it('works on the others, at the start and later, and says once which it is [NX-26]', {
    tags: ['full'],
  }, async () => {
    const { configFile, forge } = await startWithGone();
    const first = forge.openIssue(seed);
    const daemon = startDaemonProcess(configFile, { flags: [] });
    const isDone = ({ reference }: typeof first) =>
      forge.thread(reference).labels.includes('coding agent done');
    await until('the first issue is done', () => isDone(first));
    const second = forge.openIssue(seed);
    await until('the second issue is done', () => isDone(second));
    daemon.child.kill('SIGTERM');
    const { output } = await daemon.exited;
    expect(output.match(/failed to list tasks of repository/g)).toHaveLength(1);
    expect(output).toContain('acme/gone');
  });

  it('ends with exit code 1 after the others were worked on, with --once [NX-26]', async () => {
    const { configFile, forge } = await startWithGone();
    const issue = forge.openIssue(seed);
    const { code } = await startDaemonProcess(configFile).exited;
    expect(code).toBe(1);
    expect(forge.thread(issue.reference).labels).toContain('coding agent done');
  });
});
