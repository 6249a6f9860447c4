// @module-tag full
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
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

/** One answer with so many commands, each of which takes a tenth of a second. */
const manyCalls =
  (count: number): Script =>
  (view) =>
    view.turns > 0
      ? { text: 'All of them ran.' }
      : {
          toolCalls: Array.from({ length: count }, (_, index) => ({
            name: 'run_command',
            input: { command: 'node', args: ['-e', `setTimeout(() => console.log(${index}), 100)`] },
          })),
        };

describe('an answer with many calls', () => {
  it('is ended between two of them by a stop on the thread [NX-44, RL-2]', async () => {
    world = await startWorld({
      script: manyCalls(60),
      config: { comment_detection: { enabled: true, check_interval: 1 } },
    });
    const { number } = world.gitHub.openIssue(issueSeed);
    const daemon = startDaemonProcess(world.configFile, { nodeArguments: quickWaits });
    await daemon.printed(/"ran tool"[\s\S]*"ran tool"/);
    world.gitHub.comment({ repo: repository, number, author: 'alice', body: '/stop' });
    const exit = await daemon.exited;
    expect(world.thread(number).labels).toEqual(['coding agent stopped']);
    expect(exit.output.match(/"ran tool"/g)?.length).toBeLessThan(60);
  });

  it('of four thousand of them is cut to what one answer may make, and the run goes on [NX-44]', async () => {
    world = await startWorld({ script: manyCalls(4_000), config: { limits: { max_calls_per_answer: 5 } } });
    const { number } = world.gitHub.openIssue(issueSeed);
    const exit = await startDaemonProcess(world.configFile).exited;
    expect(exit.code).toBe(0);
    expect(world.thread(number).labels).toEqual(['coding agent done']);
    expect(exit.output.match(/"ran tool"/g)).toHaveLength(5);
    expect(JSON.stringify(world.model.requests)).toContain('the other 3995 were refused');
  });
});
