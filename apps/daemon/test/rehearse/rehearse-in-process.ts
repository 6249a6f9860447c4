import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProgram } from '../support/daemon-programs.ts';
import { type RehearsalFixture, repository } from './rehearsal-fixture.ts';

/** Signal that a test sends to the command. */
export interface SentSignal {
  /** Output after which it is sent, once. */
  readonly after: RegExp;
  readonly signal: NodeJS.Signals;
}

/** Runs the command in a process, and sends it signals. `code` is null if a signal ended it. */
export async function rehearseInProcess(
  at: RehearsalFixture,
  signals: readonly SentSignal[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { nodeArguments, environment } = findProgram('main');
  const options = ['--repository', repository, '--person-token-env', 'PERSON_TOKEN', '--yes', repository];
  const files = ['--config', at.configFile, '--output', at.directory];
  const child = spawn(process.execPath, [...nodeArguments, 'rehearse', ...options, ...files], {
    env: { ...environment, ...at.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const waiting = [...signals];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (let next = waiting[0]; next?.after.test(output); next = waiting[0]) {
        child.kill(next.signal);
        waiting.shift();
      }
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
