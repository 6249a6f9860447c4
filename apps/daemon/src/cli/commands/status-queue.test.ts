import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunFilter, TaskBoard, type WaitingEntry } from '@agent/orchestrator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { serviceOf } from '../../../test/support/service-of.ts';
import { type HttpServer, startHttpServer } from '../../http/start-http-server.ts';
import { controlCommand } from './control.ts';
import { historyCommand } from './history.ts';
import { showCommand } from './show.ts';
import { statusCommand } from './status.ts';

const running = '11110000-0000-4000-8000-000000000001';
const paused = '22220000-0000-4000-8000-000000000002';
const secret = 'ghp_0123456789abcdefghij0123456789abcdef';

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
});
afterEach(() => kept.close());

interface StatusOptions {
  readonly json?: boolean;
  readonly environment?: Record<string, string>;
  readonly filter?: Omit<RunFilter, 'since'>;
}
const status = ({ json, filter, ...options }: StatusOptions = {}) =>
  runCommand((io) => statusCommand({ config: kept.configFile, json, ...filter }, io), options);

describe('status of a daemon that listens', () => {
  const entryOf = (number: number, runId: string | null = null): WaitingEntry => ({
    ...{ key: `github.com github_issue:acme:shop:${number}`, platform: 'github.com', runId },
    ...{ kind: runId === null ? 'new' : 'paused', since: Date.parse('2026-01-01T23:58:00Z') },
    ...{ title: `Task ${number} ${secret}`, url: `https://github.com/acme/shop/issues/${number}` },
  });
  const startServer = async (board: TaskBoard, queued = [entryOf(9)]) => {
    server = await startHttpServer(
      {
        board: () => board.state,
        readService: async () => serviceOf(board),
        queue: {
          waiting: async () => queued,
        },
        history: async () => ({ paused: [], recent: [] }),
        redact: (text) => text,
        startedAt: 0,
        now: () => 0,
        readMetrics: null,
        host: '127.0.0.1',
        allowedHosts: [],
        webhooks: [],
        onError: () => {},
      },
      { port: 0 },
    );
    await appendFile(kept.configFile, `http: { port: ${new URL(server.url).port} }\n`);
  };
  let server: HttpServer | null = null;
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  it('has what it keeps in no file: step, tokens and queue [NX-68]', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    const board = new TaskBoard({ now: () => 0 });
    const task = { uuid: running, name: 'acme/shop#1', title: 't', url: 'http://x/1' };
    board.observe({ type: 'task-begin', task, resumed: false });
    await startServer(board);
    await kept.own();
    expect(JSON.parse((await status({ json: true })).output)).toMatchObject({
      live: {
        asked: true,
        reason: null,
        queued: [{ task: 'acme/shop#9', uuid: null, state: 'queued', title: 'Task 9 [REDACTED]' }],
      },
      running: [{ uuid: running, preparation: null, step: 0, tool: null, tokens: 0 }],
    });
    const { output } = await status();
    expect(output).toContain('\nTasks: 1 running, 1 queued.\n');
    expect(output).toMatch(
      /acme\/shop#9 +queued, number 1 +2m 00s ago .*Task 9\b.*\n {2}Waiting for its turn/,
    );
    expect(output).toMatch(/acme\/shop#1 +running +1h/);
  });

  it('shows the model call or tool of a run with its time', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    let time = Date.parse('2026-01-01T23:56:12Z');
    const board = new TaskBoard({ now: () => time });
    const task = { uuid: running, name: 'acme/shop#1', title: 't', url: 'http://x/1' };
    board.observe({ type: 'task-begin', task, resumed: false });
    board.observe({ type: 'run-event', uuid: running, event: { type: 'step-start', step: 2 } });
    await startServer(board);
    await kept.own();
    expect((await status()).output).toMatch(/acme\/shop#1 +running, step 2, model call, 3m 48s +1h/);
    expect(JSON.parse((await status({ json: true })).output).running).toMatchObject([
      { step: 2, asking: 'model', asking_since: '2026-01-01T23:56:12.000Z', tool: null, tool_since: null },
    ]);
    time = Date.parse('2026-01-01T23:59:00Z');
    const event = { type: 'tool-start', step: 2, tool: 'run_command', toolCallId: 'c1', args: {} } as const;
    board.observe({ type: 'run-event', uuid: running, event });
    expect((await status()).output).toMatch(/acme\/shop#1 +running, step 2, run_command, 1m 00s +1h/);
  });

  /** Has the daemon report that its two slots are busy. */
  const reportBusy = () =>
    writeFile(
      join(kept.contexts, 'processes.json'),
      JSON.stringify([
        {
          ...{ number: 1, host: 'here', role: 'both', version: '1.2.3', started_at: 0, concurrency: 2 },
          ...{ running: 2, conditions: [], holds: [] },
        },
      ]),
    );

  it('shows queued tasks in the order of the queue, and why they wait [NX-68]', async () => {
    await kept.add({ uuid: paused, number: 5, state: 'paused' });
    await startServer(new TaskBoard({ now: () => 0 }), [entryOf(5, paused), entryOf(9)]);
    await kept.own();
    await reportBusy();
    const { output } = await status();
    expect(output).toContain('\nTasks: 2 queued.\n');
    expect(output).toMatch(
      /#5 +queued, number 1 .*\n {2}Resumed, all 2 slots are busy\n.*#9 +queued, number 2 .*\n {2}All 2 slots are busy$/,
    );
    expect(JSON.parse((await status({ json: true })).output)).toMatchObject({
      live: {
        queued: [
          { task: 'acme/shop#5', uuid: paused, position: 1, reason: 'Resumed, all 2 slots are busy' },
          { task: 'acme/shop#9', position: 2, reason: 'All 2 slots are busy' },
        ],
      },
      paused: [],
    });
    const japanese = await status({ environment: { LC_ALL: 'ja_JP' } });
    expect(japanese.output).toContain('2 個の実行枠がすべて使用中です');
  });

  it.each<[RunFilter, readonly string[]]>([
    [{ state: 'queued' }, ['acme/shop#5', 'acme/shop#9']],
    [{ state: 'paused' }, []],
    [{ repository: 'acme/other' }, []],
    [{ repository: 'acme/shop', text: 'task 9' }, ['acme/shop#9']],
    [{ task: '#9' }, ['acme/shop#9']],
  ])('applies the filter %j to queued tasks also [NX-68]', async (filter, expected) => {
    await kept.add({ uuid: paused, number: 5, state: 'paused' });
    await startServer(new TaskBoard({ now: () => 0 }), [entryOf(5, paused), entryOf(9)]);
    await kept.own();
    const { output } = await status({ filter });
    for (const name of ['acme/shop#5', 'acme/shop#9'])
      expect(output.includes(name)).toBe(expected.includes(name));
    const shown = JSON.parse((await status({ json: true, filter })).output);
    expect(shown.live.queued.map(({ task }: { task: string }) => task)).toEqual(expected);
  });

  it('lets show and history say that a task is queued, since when and why [NX-68]', async () => {
    await startServer(new TaskBoard({ now: () => 0 }));
    await kept.own();
    await reportBusy();
    const text = 'Queued since 2026-01-01 23:58 UTC, number 1. All 2 slots are busy. It has no run yet.';
    for (const name of ['acme/shop#9', '#9', '9', 'https://github.com/acme/shop/issues/9']) {
      const shown = await runCommand((io) => showCommand({ config: kept.configFile, run: name }, io));
      expect(shown).toMatchObject({ code: 0, output: expect.stringContaining(text) });
    }
    const past = await runCommand((io) => historyCommand({ config: kept.configFile, task: '#9' }, io));
    expect(past.output).toContain(text);
    const json = await runCommand((io) =>
      showCommand({ config: kept.configFile, run: '#9', json: true }, io),
    );
    expect(JSON.parse(json.output)).toMatchObject({ task: 'acme/shop#9', state: 'queued', position: 1 });
    expect(json.output).not.toContain(secret);
  });

  it.each(['pause', 'resume', 'stop', 'retry'] as const)(
    'refuses to %s a task without a run, and says what to do [RL-5, NX-68]',
    async (verb) => {
      await startServer(new TaskBoard({ now: () => 0 }));
      await kept.own();
      const request = { config: kept.configFile, verb, task: '#9', all: false } as const;
      expect(await runCommand((io) => controlCommand(request, io))).toMatchObject({
        code: 1,
        errors: expect.stringMatching(
          /acme\/shop#9 is queued and has no run yet.* remove the label that gave it to the agent, or close it/,
        ),
      });
    },
  );

  it('refuses to resume a run that is queued, with the reason why it waits [RL-5]', async () => {
    await kept.add({ uuid: paused, number: 5, state: 'paused' });
    await startServer(new TaskBoard({ now: () => 0 }), [entryOf(5, paused)]);
    await kept.own();
    await reportBusy();
    const request = { config: kept.configFile, verb: 'resume', task: '#5', all: false } as const;
    expect(await runCommand((io) => controlCommand(request, io))).toMatchObject({
      code: 1,
      errors: expect.stringContaining(
        'acme/shop#5 is already resumed. It is queued: Resumed, all 2 slots are busy.',
      ),
    });
  });

  it('says that it could not be asked, where it is another one or gives no answer [NX-68]', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    await startServer(new TaskBoard({ now: () => 0 }));
    await kept.own(process.ppid);
    const { live } = JSON.parse((await status({ json: true })).output);
    expect(live).toMatchObject({ asked: false, queued: null });
    expect(live.reason).toContain(`another daemon answers`);
    await server?.close();
    expect((await status()).output).toMatch(/Current steps and queue are unknown: .*ECONNREFUSED/);
    expect((await status()).output).toMatch(/acme\/shop#1 +running +1h/);
  });
});
