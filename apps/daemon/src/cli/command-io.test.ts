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

it.each([
  ['ends by its code, whatever a receiver of telemetry still owes it', { OTEL_SDK_DISABLED: '' }, 3],
  ['goes on to its own end without telemetry', {}, 4],
])('%s [NX-346]', async (_, environment, expected) => {
  const program = `
    const { endBesideTelemetry } = await import(${JSON.stringify(source)});
    process.exitCode = 3;
    // As a request does that nobody answers.
    const owed = setInterval(() => {}, 1_000);
    setTimeout(() => { process.exitCode = 4; clearInterval(owed); }, 300).unref();
    endBesideTelemetry(process, { afterMs: 1 });`;
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: 'ignore',
    env: { PATH, ...environment },
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(expected);
});
