// @module-tag full
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { runJob } from '../../src/job/run-job.ts';
import { en } from '../../src/job/texts.en.ts';
import { answerScript } from '../support/fix-script.ts';
import { createJobRunner } from '../support/job-runner.ts';
import { createModelGate } from '../support/model-gate.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

describe.each(forgesToTry('github'))('a job on %s whose time is nearly up', (name) => {
  it('pauses its run and starts the next job, which resumes the run', async () => {
    const gate = createModelGate();
    const here = await startWorld({
      ...{ script: answerScript, forges: [name], onModelRequest: gate.onModelRequest },
    });
    world = here;
    const { forge } = here;
    const jobs = createJobRunner(here);
    const { reference, number } = forge.openIssue(issue);
    const { promise: isNear, resolve: comeNear } = Promise.withResolvers<void>();
    const printed: string[] = [];
    const dispatched: string[] = [];
    const prepared = await jobs.prepare({ reference, label: 'coding agent' });
    const first = runJob(
      { config: prepared.config, record: 'ref', timeLimit: 60 },
      {
        environment: prepared.environment,
        texts: en,
        print: (line) => {
          printed.push(line);
          if (line === en.timeIsUp) gate.letThrough({ forEver: true });
        },
        // The simulated platforms run no jobs of their own.
        fetch: async (input, init) => {
          if (init?.method !== 'POST') return fetch(input, init);
          dispatched.push(`${String(input)} ${String(init.body)}`);
          return new Response(null, { status: 204 });
        },
        output: new Writable({ write: (_chunk, _encoding, done) => done() }),
        shutdown: new AbortController().signal,
        now: Date.now,
        sleep: async (milliseconds, signal) => {
          const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          if (milliseconds === 55 * 60_000) await Promise.race([isNear, ended]);
          else if (milliseconds === 58 * 60_000) await ended;
          else await delay(Math.min(milliseconds, 50), undefined, { signal }).catch(() => {});
        },
      },
    );
    await gate.asked(1);
    comeNear();
    expect(await first).toBe(true);
    expect(printed).toEqual([expect.stringContaining(`${number}`), en.timeIsUp, en.nextStarted]);
    const page = `${forge.url}/acme/shop/${name === 'github' ? 'issues' : '-/issues'}/${number}`;
    expect(decodeURIComponent(dispatched.join())).toContain(page);
    expect(forge.thread(reference).labels).toEqual(['coding agent paused']);
    const next = await (await jobs.startFor(page)).exited;
    expect(next.code, next.output).toBe(0);
    expect(forge.thread(reference).labels).toEqual(['coding agent done']);
  });
});
