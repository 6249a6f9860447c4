// @module-tag full
import { followSteps } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import { listTurns } from '../support/model-requests.ts';
import { itInFullInFiles, sampleOf } from '../support/samples.ts';
import { until } from '../support/until.ts';
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
const unavailable = { kind: 'status', status: 503 } as const;
const nodeArguments = quickWaits;

describe('a model that is away', () => {
  it('in the middle of the work is waited for, and nothing of the work is lost [NX-41]', {
    tags: ['full'],
  }, async () => {
    let asked = 0;
    world = await startWorld({
      script: fixScript,
      onModelRequest: () => {
        asked += 1;
        if (asked === 4) world?.model.misbehave(unavailable, { times: 3 });
      },
    });
    const { number } = world.gitHub.openIssue(issueSeed);
    // It gives up after a minute: that of a clock which runs a hundred times faster is over before a busy machine has asked four times.
    const environment = { WAIT_SPEED: '10' };
    const exit = await startDaemonProcess(world.configFile, { nodeArguments, environment }).exited;
    expect(exit.output).toContain('model is not reachable');
    expect(exit.output).toContain('model is available again');
    expect(exit.code).toBe(0);
    expect(world.thread(number).labels).toEqual(['coding agent done']);
    expect(world.thread(number).comments).toHaveLength(1);
  });

  it('takes no further task and fails none; what is begun is left for later, and the command says so [NX-41, NX-47]', async () => {
    world = await startWorld({
      script: answerScript,
      llm: { base_url: 'http://127.0.0.1:9/v1' },
      config: { concurrency: 2 },
    });
    const issues = Array.from({ length: 10 }, () => world?.gitHub.openIssue(issueSeed).number ?? 0);
    const exit = await startDaemonProcess(world.configFile, { nodeArguments }).exited;
    expect(exit.code).toBe(1);
    const threads = issues.map((number) => world?.thread(number));
    expect(threads.flatMap((thread) => thread?.comments)).toEqual([]);
    const labels = threads.map((thread) => thread?.labels.join());
    expect(labels.filter((label) => label === 'coding agent')).toHaveLength(8);
    expect(labels.filter((label) => label === 'coding agent processing')).toHaveLength(2);
    expect(exit.output.match(/"started task"/g)).toHaveLength(2);
  });

  itInFullInFiles(
    'with a page of another server at its address fails no task, and says so [NX-42]',
    { tags: ['release'] },
    async () => {
      world = await startWorld({ script: answerScript, config: { concurrency: 2 } });
      const issues = Array.from({ length: 6 }, () => world?.gitHub.openIssue(issueSeed).number ?? 0);
      world.model.misbehave({ kind: 'html' }, { times: 1_000 });
      const exit = await startDaemonProcess(world.configFile, { nodeArguments }).exited;
      expect(exit.code).toBe(1);
      expect(exit.output).toContain('model is not usable; not starting tasks');
      const threads = issues.map((number) => world?.thread(number));
      expect(threads.flatMap((thread) => thread?.comments)).toEqual([]);
      world.model.behave();
      expect((await startDaemonProcess(world.configFile, { nodeArguments }).exited).code).toBe(0);
      const labels = issues.map((number) => world?.thread(number).labels.join());
      expect(new Set(labels)).toEqual(new Set(['coding agent done']));
    },
  );

  itInFullInFiles(
    'is no comment of its own, however long it takes, over a restart and when it is back [NX-41, NX-254]',
    async () => {
      world = await startWorld({ script: fixScript, config: { poll_interval_seconds: 20 } });
      const { number } = world.gitHub.openIssue(issueSeed);
      world.model.misbehave(unavailable, { times: 1_000 });
      const first = startDaemonProcess(world.configFile, { flags: [], nodeArguments });
      await first.printed(/(?:calling model[\s\S]*){16}/);
      const status = await runDaemonCommand(world.configFile, ['status', '--json']);
      const reason = expect.stringContaining('HTTP 503');
      expect(JSON.parse(status.output).service.conditions).toContainEqual(
        expect.objectContaining({ part: 'model', state: 'waiting', reason }),
      );
      first.child.kill('SIGTERM');
      await first.exited;
      expect(world.thread(number).comments).toEqual([]);
      expect(world.thread(number).labels).toEqual(['coding agent processing']);
      world.model.behave();
      const second = startDaemonProcess(world.configFile, { flags: [], nodeArguments });
      await second.printed(/finished task/);
      second.child.kill('SIGTERM');
      await second.exited;
      expect(world.thread(number).comments.map(({ body }) => body)).toEqual([
        expect.stringContaining('✅ Task completed'),
      ]);
      const { statusComments } = world.forge.thread(`#${number}`);
      expect(statusComments.map(({ body }) => body)).toEqual([
        expect.not.stringContaining('the model, unavailable since'),
      ]);
    },
  );

  it('with a key that is refused takes no task and says so, until it is let in [NX-42]', {
    tags: ['full'],
  }, async () => {
    world = await startWorld({ script: fixScript, config: { poll_interval_seconds: 20, concurrency: 1 } });
    const first = world.gitHub.openIssue(issueSeed);
    const second = world.gitHub.openIssue(issueSeed);
    world.model.misbehave({ kind: 'status', status: 401, message: 'no such key' }, { times: 1_000 });
    const daemon = startDaemonProcess(world.configFile, { flags: [], nodeArguments });
    await daemon.printed(/model is not usable; not starting tasks/);
    const { configFile } = world;
    await until('status says so', async () =>
      (await runDaemonCommand(configFile, ['status'])).output.includes('refused the API key'),
    );
    expect(listTurns(world.model).length).toBeLessThan(10);
    expect([first, second].map(({ number }) => world?.thread(number).comments)).toEqual([[], []]);
    world.model.behave();
    await daemon.printed(/finished task[\s\S]*finished task/);
    daemon.child.kill('SIGTERM');
    await daemon.exited;
    for (const { number } of [first, second]) {
      expect(world.thread(number).labels).toEqual(['coding agent done']);
    }
  });

  const unusable = [
    [400, 'Your credit balance is too low to access the API.', 'has no credit left'],
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools', 'cannot call tools'],
    [404, 'The model `m` does not exist or you do not have access to it.', 'does not know the model'],
  ] as const;
  it.each(sampleOf(unusable, ([status]) => status === 404))(
    'holds the queue and names in the status comment what the operator has to fix (HTTP %d: %s)',
    { tags: ['release'], timeout: 120_000 },
    async (status, message, words) => {
      world = await startWorld({ script: fixScript, config: { poll_interval_seconds: 20, concurrency: 1 } });
      const first = world.gitHub.openIssue(issueSeed);
      const second = world.gitHub.openIssue(issueSeed);
      world.model.misbehave({ kind: 'status', status, message }, { times: 1_000 });
      const daemon = startDaemonProcess(world.configFile, { flags: [], nodeArguments });
      await daemon.printed(/model is not usable; not starting tasks/);
      const { forge } = world;
      const readStatus = (): string =>
        [first, second]
          .flatMap(({ number }) => forge.thread(`#${number}`).statusComments.map(({ body }) => body))
          .join('\n');
      await until('the status comment names it', () => readStatus().includes(words), { timeoutMs: 90_000 });
      expect(readStatus()).toMatch(/the operator of the agent, since \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      const labels = [first, second].map(({ number }) => world?.thread(number).labels.join());
      expect(labels.toSorted()).toEqual(['coding agent', 'coding agent processing']);
      world.model.behave();
      await daemon.printed(/finished task[\s\S]*finished task/);
      daemon.child.kill('SIGTERM');
      await daemon.exited;
      for (const { number } of [first, second])
        expect(world.thread(number).labels).toEqual(['coding agent done']);
    },
  );

  it.each(sampleOf([500, 403], (status) => status === 500))(
    'for the request of the only run (HTTP %d) and for nothing else is no outage: the run ends with its work, and says why [NX-41]',
    { tags: ['full'] },
    async (status) => {
      let ofWork = 0;
      world = await startWorld({
        script: fixScript,
        config: { concurrency: 1 },
        onModelRequest: ({ body }) => {
          if (!JSON.stringify(body).includes('"tools":[{')) return;
          ofWork += 1;
          if (ofWork >= 4) world?.model.misbehave({ kind: 'status', status, retryAfterMs: 1 });
        },
      });
      const { number } = world.gitHub.openIssue(issueSeed);
      const exit = await startDaemonProcess(world.configFile, { nodeArguments }).exited;
      expect(exit.code).toBe(1);
      expect(ofWork).toBeLessThan(25);
      const { labels, comments } = world.thread(number);
      expect(labels).toEqual(['coding agent failed']);
      expect(comments.at(-1)?.body).toContain('the endpoint answers others');
      expect(await world.forge.branches()).toHaveLength(2);
    },
  );

  it('is left at once by a stop on the command line [NX-41]', { tags: ['full'] }, async () => {
    world = await startWorld({
      script: followSteps([{ text: 'never' }]),
      config: { poll_interval_seconds: 20 },
    });
    const { number } = world.gitHub.openIssue(issueSeed);
    world.model.misbehave(unavailable, { times: 1_000 });
    const daemon = startDaemonProcess(world.configFile, { flags: [], nodeArguments });
    await daemon.printed(/model is not reachable/);
    await runDaemonCommand(world.configFile, ['stop', '--all']);
    await daemon.printed(/finished task/);
    daemon.child.kill('SIGTERM');
    await daemon.exited;
    expect(world.thread(number).labels).toEqual(['coding agent stopped']);
  });
});
