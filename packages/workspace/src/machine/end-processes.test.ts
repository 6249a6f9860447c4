import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createMark, endCommandsOf, endLeftovers, markVariable } from './end-processes.ts';

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function start(mark: string): Promise<ChildProcess> {
  const program = "process.stdout.write('up'); setInterval(() => {}, 1000)";
  const env = { PATH: process.env.PATH, [markVariable]: mark };
  const child = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  if (child.stdout !== null) await once(child.stdout, 'data');
  return child;
}

const isEnded = ({ signalCode, exitCode }: ChildProcess): boolean => signalCode !== null || exitCode !== null;

describe('what outlives a daemon that was killed', () => {
  it('is ended by the run that it belongs to, and only that [RL-9]', async () => {
    const [own, other] = await Promise.all([start(createMark('run-1')), start(createMark('run-10'))]);
    await Promise.all([once(own, 'exit'), endCommandsOf('run-1')]);
    expect(own.signalCode).toBe('SIGKILL');
    expect(isEnded(other)).toBe(false);
  });

  it('is ended by its own mark', async () => {
    const [mark, sibling] = [createMark('run-1'), createMark('run-1')];
    const [own, other] = await Promise.all([start(mark), start(sibling)]);
    await Promise.all([once(own, 'exit'), endLeftovers(mark)]);
    expect(isEnded(other)).toBe(false);
  });
});
