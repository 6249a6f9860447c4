import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { startDaemonProcess } from './daemon-process.ts';
import { answerScript } from './fix-script.ts';
import { startWorld, type World } from './world.ts';

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function openWorld(): Promise<World> {
  const world = await startWorld({ script: answerScript, config: { poll_interval_seconds: 0.1 } });
  worlds.push(world);
  return world;
}

describe('a process that runs one daemon after the other', () => {
  it('never runs two in one directory, and shows each what the other never printed', async () => {
    const [one, other] = [await openWorld(), await openWorld()];
    const first = startDaemonProcess(one.configFile);
    expect(await first.exited).toMatchObject({ code: 0, signal: null });
    const elsewhere = startDaemonProcess(other.configFile);
    const again = startDaemonProcess(one.configFile);
    const pids = [first, elsewhere, again].map(({ child }) => child.pid);
    expect(new Set(pids.slice(0, 2)).size).toBe(1);
    expect(pids[2]).not.toBe(pids[0]);
    const { output } = await elsewhere.exited;
    expect(output).toContain(other.directory);
    expect(output).not.toContain(one.directory);
    expect(first.output()).not.toContain(other.directory);
    expect((await again.exited).code).toBe(0);
  });

  it('shows nothing of what a command would print after its end', async () => {
    const [one, other] = [await openWorld(), await openWorld()];
    const adapter = `export default () => {
      const cry = () => process.stdout.write('I am still here.');
      cry();
      setInterval(cry, 2).unref();
      throw new Error('There is no board.');
    };`;
    await writeFile(join(one.directory, 'board.mjs'), adapter);
    const config = parse(await readFile(one.configFile, 'utf8'));
    const platforms = { board: { module: './board.mjs' } };
    await writeFile(one.configFile, stringify({ ...config, platforms }));
    const first = startDaemonProcess(one.configFile);
    expect(await first.exited).toMatchObject({
      code: 1,
      output: expect.stringContaining('I am still here.'),
    });
    const next = startDaemonProcess(other.configFile);
    expect(next.child.pid).toBe(first.child.pid);
    expect((await next.exited).output).not.toContain('I am still here.');
  });

  it('tells how each ended, by itself, by a signal it hears and by one it does not', async () => {
    const world = await openWorld();
    const ends = [];
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const daemon = startDaemonProcess(world.configFile, { flags: [] });
      await daemon.printed(/ready/);
      expect(daemon.child.kill(signal)).toBe(true);
      const { code, signal: heard } = await daemon.exited;
      ends.push([code, heard]);
      expect(daemon.child.kill(signal)).toBe(false);
    }
    expect(ends).toEqual([
      [143, null],
      [null, 'SIGKILL'],
    ]);
    const nothing = await startDaemonProcess(`${world.configFile}.missing`).exited;
    expect(nothing).toMatchObject({ code: 1, output: expect.stringContaining('missing') });
  });
});
