// @module-tag full
import { PassThrough } from 'node:stream';
import { BroadcastChannel } from 'node:worker_threads';
import { createTextWorker } from '@agent/text/worker';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemon } from '../../src/start-daemon.ts';
import { answerScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** A text worker that an endless text holds until the test has looked around. */
function startHeldWorker(lookAround: () => Promise<void>) {
  const deadlines = new Set<AbortController>();
  const channel = new BroadcastChannel('endless-texts');
  let held = 0;
  const pass = (): void => {
    for (const deadline of deadlines) deadline.abort();
    deadlines.clear();
  };
  channel.onmessage = async () => {
    held += 1;
    await lookAround();
    // At the first deadline it is seen that the text was begun, at the second that it has not ended.
    pass();
    setImmediate(pass);
  };
  const timeoutSignal = (): AbortSignal => {
    const deadline = new AbortController();
    deadlines.add(deadline);
    return deadline.signal;
  };
  const module = new URL('../support/endless-texts.ts', import.meta.url);
  const textWorker = createTextWorker({ inlineChars: 0, module, timeoutSignal });
  return { textWorker, held: () => held, close: () => channel.close() };
}

describe('a comment that no cleaner gets to the end of', () => {
  it('leaves the daemon answerable, is not shown and not tried again, and the run goes on without it [NX-17, NX-18]', async () => {
    const at = await startWorld({
      script: answerScript,
      config: { http: { port: 0, page: { enabled: false } }, comment_detection: { enabled: true } },
    });
    world = at;
    const issue = at.forge.openIssue({ title: 'Total', body: 'It is wrong.', labels: ['coding agent'] });
    at.forge.comment(issue.reference, { author: 'bob', body: 'ENDLESS /stop' });
    let log = '';
    const output = new PassThrough().setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    const answers: unknown[] = [];
    const { textWorker, held, close } = startHeldWorker(async () => {
      const url = /"url":"(http:[^"]+)","msg":"serving/.exec(log)?.[1];
      const health = await fetch(`${url}/healthz`);
      const tasks = await fetch(`${url}/tasks.json`);
      answers.push(health.status, await health.json(), tasks.status);
    });
    const done = await startDaemon({
      configFile: at.configFile,
      environment: at.forge.environment,
      logFormat: 'json',
      output,
      once: true,
      live: false,
      shutdown: new AbortController().signal,
      now: Date.now,
      sleep: async () => {},
      textWorker,
    });
    close();
    expect(done).toBe(true);
    expect(answers).toEqual([200, expect.objectContaining({ status: 'ok' }), 200]);
    expect(held()).toBe(1);
    const [told = ''] = listTurns(at.model);
    expect(told).toContain('could not be cleaned in time');
    expect(told).toMatch(/Users can read it at http:\S+#issuecomment-\d+/);
    expect(told).not.toContain('ENDLESS');
    expect(log).toContain('withheld text: cleaning timed out');
    expect(at.forge.thread(issue.reference).labels).toContain('coding agent done');
  });
});
