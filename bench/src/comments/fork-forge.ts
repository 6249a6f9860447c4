import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ThreadForge } from './thread-forge.ts';

/** What the process is asked to do. */
export interface ForgeQuestion {
  readonly id: number;
  readonly name: keyof ThreadForge;
  readonly argument: unknown;
}

/** What came of it. */
export interface ForgeAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

const entry = fileURLToPath(new URL('./forge-process.ts', import.meta.url));

/** A forge in a process of its own, so that the processor time of this one is its client's alone. */
export function forkForge(): ThreadForge {
  const child = fork(entry, { execArgv: ['--conditions=@agent/source'] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  child.on('message', ({ id, result, error }: ForgeAnswer) => {
    const answer = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(error));
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The forge ended with ${code}.`));
  });
  const ask =
    <Name extends keyof ThreadForge>(name: Name) =>
    (argument?: unknown) => {
      asked += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(asked, answer);
      child.send({ id: asked, name, argument } satisfies ForgeQuestion);
      return answer.promise as ReturnType<ThreadForge[Name]>;
    };
  return {
    describe: ask('describe'),
    openThread: ask('openThread'),
    newToken: ask('newToken'),
    comment: ask('comment'),
    edit: ask('edit'),
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
