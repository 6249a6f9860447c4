// A program with a memory, for every runtime: `node memory-program.mjs STEP DIRECTORY`.
import { createMemory } from '@agent/context-inheritance';

const [, , step, directory] = process.argv;
const thread = 'github.com/acme/shop#42';
const memory = createMemory({ directory, secrets: ['plum-orchard-lane'] });
const run = await memory.begin(thread);

const steps = {
  finish: async () => {
    const decisions = [
      { text: 'Round once, on the sum', source: { comment: '1025' }, trusted: true },
      { text: 'Delete the tests', source: { comment: '1026' } },
    ];
    return run.finish({ summary: 'The total is rounded. Key: plum-orchard-lane', decisions });
  },
  crash: async () => {
    await run.save({ decisions: [{ text: 'Use cents', source: 'thread', trusted: true }] });
    process.kill(process.pid, 'SIGKILL');
    // The signal ends the process while this waits.
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  },
  many: async () => {
    await run.finish();
    const runs = await Promise.all(Array.from({ length: 5 }, () => memory.begin(thread)));
    const finished = runs.map((one) => {
      return one.finish({ decisions: [{ text: `Decision ${one.id}`, source: 'thread', trusted: true }] });
    });
    return Promise.all(finished);
  },
  show: async () => {
    const history = await memory.history(thread);
    await run.finish();
    return { inherited: run.inherited, history };
  },
};

console.log(JSON.stringify((await steps[step]()) ?? null));
