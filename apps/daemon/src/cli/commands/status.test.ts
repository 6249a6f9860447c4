import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunFilter } from '@agent/orchestrator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { type KeptRuns, makeKeptRuns } from '../../../test/support/kept-runs.ts';
import { columnsOf } from '../../text/terminal-text.ts';
import { acceptCommand } from './accept.ts';
import { showCommand } from './show.ts';
import { type StatusFlags, statusCommand } from './status.ts';

const running = '11110000-0000-4000-8000-000000000001';
const paused = '22220000-0000-4000-8000-000000000002';
const completed = '44440000-0000-4000-8000-000000000004';
const failed = '33330000-0000-4000-8000-000000000003';
const secret = 'ghp_0123456789abcdefghij0123456789abcdef';

let kept: KeptRuns;
beforeEach(async () => {
  kept = await makeKeptRuns();
});
afterEach(() => kept.close());

describe('status', () => {
  interface StatusOptions {
    readonly json?: boolean;
    readonly columns?: number;
    readonly environment?: Record<string, string>;
    readonly filter?: RunFilter;
    readonly flags?: Pick<StatusFlags, 'limit' | 'since' | 'text'>;
  }
  const status = ({ json, filter, flags, ...options }: StatusOptions = {}) => {
    const { since: _, ...filters } = filter ?? {};
    return runCommand(
      (io) => statusCommand({ config: kept.configFile, json, ...filters, ...flags }, io),
      options,
    );
  };

  /** Has the daemon report these conditions. */
  const report = (conditions: readonly object[], notices: readonly object[] = []) => {
    const about = { number: 1, host: 'here', role: 'both', version: '1.2.3', started_at: 0, concurrency: 2 };
    const reports = [{ ...about, running: 0, conditions, holds: [], notices }];
    return writeFile(join(kept.contexts, 'processes.json'), JSON.stringify(reports));
  };

  it('shows what waits for a daemon, is paused and has ended, with age, id and title', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    await kept.add({ uuid: paused, number: 22, state: 'paused', title: '合計が\u001b[31m違う' });
    await kept.add({ uuid: failed, number: 3, state: 'failed' });
    const { code, output } = await status();
    expect(code).toBe(0);
    expect(output.split('\n')).toEqual([
      'No daemon is running. Start one with: agent-daemon run',
      'Tasks: 1 waiting for the daemon, 1 paused, 1 failed in the last 24 hours.',
      '',
      'TASK          STATE                   SINCE       ID        TITLE',
      'acme/shop#1   waiting for the daemon  1h 00m ago  11110000  The total is wrong',
      'acme/shop#22  paused                  1h 00m ago  22220000  合計が違う',
      'acme/shop#3   failed                  1h 00m ago  33330000  The total is wrong',
    ]);
  });

  it('shows as running what a daemon that is there has begun', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    await kept.own();
    expect((await status()).output).toMatch(/acme\/shop#1 +running +1h/);
  });

  it('says what the daemon cannot rely on, since when and why [NX-17]', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    await kept.own();
    const since = Date.parse('2026-01-01T23:00:00Z');
    await report([
      { part: 'disk', state: 'ok', since, reason: null },
      { part: 'model', state: 'waiting', since, reason: 'ECONNREFUSED' },
    ]);
    const { output } = await status();
    expect(output.split('\n').slice(3, 5)).toEqual([
      'Problem: The model endpoint does not answer (for 1h 00m): ECONNREFUSED',
      '  Check the endpoint. Calls are retried, and runs continue when it answers.',
    ]);
    expect(output).not.toContain('disk');
    expect(JSON.parse((await status({ json: true })).output).service).toMatchObject({
      status: 'not-ready',
      problems: [
        {
          ...{ cause: 'model_away', scope: null, state: 'waiting', since: '2026-01-01T23:00:00.000Z' },
          ...{ reason: 'ECONNREFUSED', processes: [1] },
        },
      ],
      processes: [{ number: 1, pid: process.pid, role: 'both', version: '1.2.3' }],
    });
  });

  it('names three notices in one line, and all as JSON; the state stays as it is [NX-319]', async () => {
    await kept.own();
    const about = { cause: 'finding', area: 'github', remedy: 'Fix it.', since: 0 };
    const texts = ['one', 'two', 'three', 'four', 'five'];
    await report(
      [],
      texts.map((text) => ({ ...about, text })),
    );
    const line = /^(?:Notices|お知らせ): .*$/m;
    const [notices] = line.exec((await status()).output) ?? [];
    expect(notices).toBe('Notices: github: one; github: two; github: three; 2 more (see --json)');
    const inJapanese = await status({ environment: { LANG: 'ja_JP.UTF-8' } });
    expect(inJapanese.output).toContain('お知らせ: github: one、github: two、github: three、ほか 2 件');
    const { service } = JSON.parse((await status({ json: true })).output);
    expect([service.status, service.problems, service.notices.length]).toEqual(['ready', [], 5]);
    expect(service.notices[4]).toEqual({
      ...{ cause: 'finding', area: 'github', since: '1970-01-01T00:00:00.000Z' },
      ...{ what: 'github: five', remedy: 'Fix it.' },
    });
  });

  it('names the repository or task that a problem is about', async () => {
    await kept.own();
    const since = Date.parse('2026-01-01T23:58:00Z');
    const parts = ['place:github/acme/gone', 'outbox:acme/shop#5 (07ad62f9)', 'platform:github'];
    await report(parts.map((part) => ({ part, state: 'waiting', since, reason: '404' })));
    const named = [
      'Cannot read the repository github/acme/gone',
      'Updates of acme/shop#5 (07ad62f9) could not be published yet',
      'Cannot reach github',
    ];
    const { output } = await status();
    for (const what of named) expect(output).toContain(`Problem: ${what} (for 2m 00s): 404`);
  });

  it('names changed MCP tools until they are accepted', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    const tools = {
      'mcp:box/show': { accepted: 'a', refused: 'b' },
      'mcp:box/list': { accepted: 'a', refused: null },
    };
    await writeFile(join(kept.contexts, 'mcp-tools.json'), JSON.stringify(tools));
    const accept = (repository: string) =>
      runCommand((io) => acceptCommand({ config: kept.configFile, repository }, io));
    expect((await status()).output).toContain('Accept it with: agent-daemon accept mcp:box/show');
    expect(JSON.parse((await status({ json: true })).output)).toMatchObject({
      changed_mcp_tools: ['mcp:box/show'],
    });
    expect((await accept('mcp:box/list')).errors).toContain('Waiting: mcp:box/show.');
    expect((await accept('mcp:box/show')).output).toContain('Accepted mcp:box/show');
    expect((await status()).output).not.toContain('mcp:box');
  });

  it('says how to see the queue if the daemon does not listen', async () => {
    await kept.own();
    expect((await status()).output.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^A daemon is running \(process \d+ on .+\)\.$/),
      'Tasks: none running or paused.',
      'To see current steps and the queue here, set http.port in the configuration.',
    ]);
  });

  it.each<[RunFilter, readonly string[]]>([
    [{ state: 'running' }, [running]],
    [{ state: 'ended' }, [completed, failed]],
    [{ state: 'failed' }, [failed]],
    [{ platform: 'GitHub', repository: 'Acme/Shop', state: 'paused' }, [paused]],
    [{ platform: 'gitlab' }, []],
    [{ repository: 'acme/sho' }, []],
    [{ task: 'acme/shop#3' }, [failed]],
    [{ task: 'https://github.com/acme/shop/issues/4' }, [completed]],
    [{ task: '2222' }, [paused]],
  ])('shows only what is asked for: %j [NX-68]', async (filter, expected) => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    await kept.add({ uuid: paused, number: 2, state: 'paused' });
    await kept.add({ uuid: failed, number: 3, state: 'failed' });
    await kept.add({ uuid: completed, number: 4, state: 'completed' });
    const shown = JSON.parse((await status({ json: true, filter })).output);
    const uuids = [...shown.running, ...shown.paused, ...shown.recent].map(({ uuid }) => uuid);
    expect(new Set(uuids)).toEqual(new Set(expected));
    const { output } = await status({ filter });
    if (expected.length === 0) expect(output).toContain('No task matches.');
    for (const uuid of [running, paused, failed, completed])
      expect(output.includes(uuid.slice(0, 8))).toBe(expected.includes(uuid));
  });

  it('keeps every line within the terminal', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running', title: '合計'.repeat(100) });
    for (const columns of [20, 40, 60, 80]) {
      const { output } = await status({ columns });
      const table = output.split('\n').slice(2);
      for (const line of table) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('says the same to programs, and nothing secret', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running', title: `t ${secret}` });
    await kept.add({ uuid: failed, number: 3, state: 'failed' });
    await writeFile(join(kept.contexts, 'pause_signal'), '');
    expect(JSON.parse((await status({ json: true })).output)).toEqual({
      daemon: null,
      service: {
        status: 'stopped',
        problems: [
          {
            ...{ cause: 'paused_all', scope: null, state: 'failed', since: null, until: null, by: null },
            ...{ reason: null, what: 'Everything is paused', processes: [] },
            remedy: 'To continue, run: agent-daemon resume',
          },
        ],
        processes: [],
        conditions: [],
        notices: [],
      },
      patterns: [],
      changed_mcp_tools: [],
      live: { asked: false, reason: null, queued: null },
      ...{ budgets: null, requests: null, searches: null },
      running: [
        {
          uuid: running,
          task: 'acme/shop#1',
          title: 't [REDACTED]',
          url: 'https://github.com/acme/shop/issues/1',
          user: 'alice',
          state: 'running',
          since: '2026-01-01T23:00:00.000Z',
          plan: null,
          preparation: null,
          step: null,
          ...{ asking: null, asking_since: null, attempt: null, tool: null, tool_since: null },
          tokens: null,
          cost_micros: null,
        },
      ],
      paused: [],
      in_review: [],
      recent: [expect.objectContaining({ uuid: failed, status: 'failed', reason: null })],
      has_more: false,
      inheritance: {
        runs: 2,
        inheriting: 0,
        rate: 0,
        tokens: { total: 0, median: null, max: null },
        depth: { 0: 2 },
      },
      damaged: [],
    });
  });

  it('lists as many ended runs as asked for, says that there are more, and gives the reason of a failure', async () => {
    await kept.add({ uuid: completed, number: 4, state: 'completed' });
    await kept.add({ uuid: failed, number: 3, state: 'failed', reason: 'run_command failed: exit code 1' });
    const all = await status();
    expect(all.output).toMatch(/acme\/shop#3 +failed .*\n {2}run_command failed: exit code 1/);
    expect(all.output).not.toContain('There are more');
    const one = await status({ flags: { limit: 1 } });
    expect(one.output).toContain('There are more. List them with --limit');
    expect(JSON.parse((await status({ json: true, flags: { limit: 1 } })).output)).toMatchObject({
      recent: [{ uuid: failed, status: 'failed', reason: 'run_command failed: exit code 1', user: 'alice' }],
      has_more: true,
    });
    expect((await status({ flags: { text: 'EXIT CODE' } })).output).not.toContain('acme/shop#4');
    expect((await status({ flags: { since: 60_000 } })).output).toContain('No task matches.');
    expect((await status({ flags: { since: 7_200_000 } })).output).toContain('acme/shop#3');
  });

  it('counts for programs how runs take over earlier ones [CI-71] [CI-72] [CI-73]', async () => {
    const from = completed;
    await kept.add({
      uuid: running,
      number: 1,
      state: 'running',
      inherited: { from, depth: 2, tokens: 900 },
    });
    await kept.add({ uuid: failed, number: 3, state: 'failed', inherited: { from, depth: 1, tokens: 100 } });
    await kept.add({ uuid: completed, number: 3, state: 'completed' });
    expect(JSON.parse((await status({ json: true })).output).inheritance).toEqual({
      runs: 3,
      inheriting: 2,
      rate: 0.667,
      tokens: { total: 1_000, median: 100, max: 900 },
      depth: { 0: 1, 1: 1, 2: 1 },
    });
  });

  it('reports a directory that cannot be read, and shows the others', async () => {
    await kept.add({ uuid: running, number: 1, state: 'running' });
    await kept.add({ uuid: paused, number: 2, state: 'running' });
    for (const file of ['metadata.json', 'messages.jsonl'])
      await writeFile(join(kept.contexts, 'running', paused, file), '{');
    const { code, output } = await status();
    expect(code).toBe(0);
    expect(output).toContain('acme/shop#1');
    expect(output).toContain(`Cannot read ${paused}: `);
  });

  it('speaks Japanese where the process does, and says when there is nothing', async () => {
    expect((await status({ environment: { LC_ALL: 'ja_JP' } })).output).toContain('タスクはまだありません。');
  });
});

describe('show', () => {
  const show = (run: string, json = false) =>
    runCommand((io) => showCommand({ config: kept.configFile, run, json }, io));

  it('tells what happened in a run, oldest first, and how it ended', async () => {
    await kept.add({ uuid: failed, number: 3, state: 'completed', says: `I look.\u001b[2J ${secret}` });
    const { code, output } = await show('3333');
    expect(code).toBe(0);
    expect(output).toMatch(/^acme\/shop#3 {2}The total is wrong\ncompleted\n/);
    expect(output).toContain('── 1  2026-01-01 23:00:00  user  with 1 comment\n   Please mend it.');
    expect(output).toContain(
      '── 2  2026-01-01 23:00:00  assistant  100 tokens in, 20 out\n   I look. [REDACTED]',
    );
    expect(output).toContain('✗ 2026-01-01 23:00:00  read_file  12 ms  {"path":"total.js"}\n   no file');
    expect(output).toContain('Started 2026-01-01 23:00:00 UTC, ended 2026-01-01 23:00:00 UTC');
    expect(output).toContain('Answer:\n   I look. [REDACTED]');
    expect(output).toContain('1 model call, 1 tool call, 120 tokens, 1m 05s');
    expect(output).toContain('\nBranch: agent/issue-1-x\n');
    expect(output).not.toMatch(/[^\P{Cc}\n]/u);
    expect(output.indexOf('user')).toBeLessThan(output.indexOf('assistant'));
  });

  it('says the same to programs', async () => {
    await kept.add({ uuid: failed, number: 3, state: 'failed' });
    const shown = JSON.parse((await show(failed, true)).output);
    expect(shown).toMatchObject({ uuid: failed, place: 'completed', outcome: { status: 'failed' } });
    const types = shown.history.map(({ type }: { type: string }) => type);
    expect(types.join()).toBe('message,message,tool,tool');
  });

  it.each([
    ['../../../etc/passwd', 'not the beginning of a run'],
    ['99990000', 'No run begins with'],
  ])('refuses %s and says why', async (run, why) => {
    await kept.add({ uuid: failed, number: 3, state: 'failed' });
    expect(await show(run)).toMatchObject({ code: 1, errors: expect.stringContaining(why) });
  });
});
