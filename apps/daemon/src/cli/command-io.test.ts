import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { processIo } from './command-io.ts';

const source = new URL('./command-io.ts', import.meta.url).href;

it('goes on to its own end, without a word, when whoever reads its output stops early', async () => {
  const program = `
    const { processIo } = await import(${JSON.stringify(source)});
    const io = processIo(new AbortController().signal);
    process.stdin.resume().once('end', () => {
      for (let line = 0; line < 10; line += 1) io.print('x'.repeat(100_000));
      setImmediate(() => { process.exitCode = 3; });
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'pipe' });
  child.stdout.destroy();
  child.stdin.end();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect({ errors, code }).toEqual({ errors: '', code: 3 });
});

it('listens once, however many commands one process carries out', () => {
  const ended = new AbortController().signal;
  processIo(ended);
  const listeners = process.stdout.listenerCount('error');
  for (let command = 0; command < 20; command += 1) processIo(ended);
  expect(process.stdout.listenerCount('error')).toBe(listeners);
});

it('ends by its code a moment after its command, whatever still holds the process [NX-346, RL-12]', async () => {
  const program = `
    const { endWhateverIsOpen } = await import(${JSON.stringify(source)});
    process.exitCode = 3;
    // As a timer of an adapter does, or a request that nobody answers.
    setInterval(() => {}, 1_000);
    endWhateverIsOpen(process, { afterMs: 1 });`;
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: 'ignore',
    env: { PATH },
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(3);
});
