import { describe, expect, it } from 'vitest';
import { formatRunFile } from '../src/index.ts';
import { createClient } from './support/client.ts';
import { createRow, createRun } from './support/views.ts';

const uuid = '00000000-0000-4000-8000-000000000000';

describe('the page of a run', () => {
  it('of a run shows the way of its comments, its plan and what it cost [NX-333]', async () => {
    const client = createClient();
    await client.logIn();
    const html = await client.text(`/runs/${uuid}`);
    for (const word of [
      'Posted',
      'Detected',
      'Delivered in request 7',
      'Model responded',
      'Confirmed',
      '80%',
      'task_4 dropped',
      '<svg',
    ])
      expect(html).toContain(word);
    const earlier = /href="([^"]+\?from=\d+)"/.exec(html)?.[1] ?? '';
    expect(await client.text(earlier)).toContain('id="entry-1"');
  });

  it('of a failed run shows the failed step with its output and a link to it', async () => {
    const client = createClient();
    await client.logIn();
    const row = client.world.rows.find(({ status }) => status === 'failed');
    const html = await client.text(`/runs/${row?.uuid}`);
    const [head = ''] = html.split('id="actions"');
    expect(head).toContain('Failed step: step 11, <code>');
    expect(head).toContain('not ok 2');
    expect(head).toContain('<a href="#entry-32">Jump to failure</a>');
    expect(html).toMatch(/id="entry-32" class="kind-tool failed">[\s\S]*?<details open><summary>Output/);
    expect(html).not.toContain('id="entry-10"');
    const comments = await client.text(`/runs/${row?.uuid}?show=comments`);
    expect(comments).toContain(`<a href="/runs/${row?.uuid}#entry-32">Jump to failure</a>`);
  });

  it('of a run filters its timeline by links, in parts', async () => {
    const client = createClient();
    await client.logIn();
    const html = await client.text(`/runs/${uuid}?show=tools&from=5`);
    expect(html).toContain(
      '<a href="/runs/00000000-0000-4000-8000-000000000000?show=errors">Errors</a> (10)',
    );
    expect(html).toMatch(/\?show=tools" aria-current="true">/);
    expect(html).toContain('?show=tools&amp;from=0');
    expect([...html.matchAll(/<li id="entry-\d+" class="kind-(\w+)/g)].map(([, kind]) => kind)).toEqual(
      Array.from({ length: 13 }, () => 'tool'),
    );
    expect(html).not.toContain('class="kind-message');
  });

  it('of a run at work says at its top what it does: phase, step, tool, elapsed time, cost', async () => {
    const client = createClient({ now: () => Date.UTC(2026, 10, 28, 1, 1, 30) });
    await client.logIn();
    const html = (await client.text(`/runs/${uuid}`)).replaceAll(/<[^>]+>/g, '');
    expect(html).toContain(
      'Phase: execution 2/7 · step 14 of 100 · tool run_tests, 1 min 30 s · elapsed 40 min 0 s · Cost',
    );
  });

  it('shows how long a model call has taken, on the board and of the run', async () => {
    const start = Date.UTC(2026, 10, 28, 1, 0);
    const client = createClient({ now: () => start + 228_000 });
    await client.logIn();
    const [row] = client.world.rows;
    if (row === undefined) throw new Error('no row');
    const asked = { ...row, tool: null, toolSince: null, asking: 'model', askingSince: start } as const;
    client.world.rows[0] = asked;
    client.world.runs.set(uuid, createRun(asked));
    expect(await client.text('/')).toContain('step 14 · model call, 3 min 48 s');
    expect(await client.text(`/runs/${uuid}`)).toContain(' · model call, 3 min 48 s · ');
    expect(await client.text(`/runs/${uuid}?lang=ja`)).toContain('モデル呼び出し, 3 min 48 s');
  });

  it('of a run without a plan names its phase all the same', () => {
    const run = createRun({ ...createRow(0, 40), progress: null });
    expect(formatRunFile({ ...run, plan: null })).toContain('Phase: working · step 14');
  });

  it('of a paused run says when it was paused and how to resume it', async () => {
    const client = createClient();
    await client.logIn();
    const paused = {
      ...createRow(0, 40),
      state: 'paused',
      reason: 'Paused by bob until it is resumed',
    } as const;
    const run = { ...createRun(paused), controls: ['resume', 'stop'] as const };
    const pause = { at: Date.UTC(2026, 10, 28, 1, 0), by: 'bob', waitsFor: null };
    client.world.runs.set(uuid, { ...run, pause });
    const html = await client.text(`/runs/${uuid}`);
    expect(html).toContain(
      'Paused at</dt><dd><time datetime="2026-11-28T01:00:00.000Z">2026-11-28 01:00:00 UTC',
    );
    expect(html).toContain('<code>agent-daemon resume acme/shop#40</code> or comment <code>/resume</code>');
  });

  it('of a run with held changes lists them with their patches and what releases them, and offers to resume it last', async () => {
    const client = createClient();
    await client.logIn();
    const run = createRun({ ...createRow(0, 40), state: 'needs_input' });
    const held = [
      {
        ...{ id: 'H1', path: '.github/workflows/ci.yml', text: '.github/workflows/ci.yml is protected.' },
        ...{ patch: '+ run: <script>', allow: '/allow H1' },
      },
      { id: 'H2', path: 'a.env', text: 'a.env, line 3: github-token.', patch: null, allow: null },
    ];
    const pause = { at: 0, by: null, waitsFor: 'held' } as const;
    client.world.runs.set(uuid, { ...run, held, pause, controls: ['resume', 'stop', 'budget'] });
    const html = await client.text(`/runs/${uuid}`);
    expect(html).toContain('<code>/allow H1</code>');
    expect(html).toMatch(/<details><summary>Patch of [\s\S]*?\+ run: &lt;script&gt;/);
    expect(html).toContain('Resuming the run does not release it.');
    expect(html.match(/id="act-\w+"/g)).toEqual(['id="act-stop"', 'id="act-budget"', 'id="act-resume"']);
    expect(await client.text(`/runs/${uuid}?lang=ja`)).toContain('保留中の変更');
  });

  it('of a comment with a command says that the command was applied, and nothing of an answer', () => {
    const run = createRun(createRow(0, 40));
    const [comment] = run.comments;
    if (comment === undefined) throw new Error('no comment');
    const command = { name: '/pause', outcome: 'obeyed', at: 0 } as const;
    const html = formatRunFile({ ...run, comments: [{ ...comment, command }] });
    expect(html).toContain('<li class="done">/pause: applied');
    expect(html).not.toContain('Model responded');
  });

  it('shows the reason of a run that ended once', () => {
    const row = { ...createRow(10, 40), status: 'failed', reason: 'exit code 7' } as const;
    const html = formatRunFile({ ...createRun(row), outcome: { reason: 'exit code 7', text: null } });
    expect(html.split('exit code 7')).toHaveLength(2);
    expect(html).toContain(`agent-daemon retry ${row.name}</code>`);
  });

  it('folds prompts and long texts of a timeline', () => {
    const run = createRun(createRow(0, 40));
    const [first, second, ...rest] = run.timeline;
    if (first === undefined || second === undefined) throw new Error('no entries');
    const prompt = { ...first, kind: 'message', name: 'system', text: 'You are an agent.' } as const;
    const html = formatRunFile({ ...run, timeline: [prompt, second, ...rest] });
    expect(html).toContain('<details><summary><bdi>You are an agent.</bdi></summary>');
  });
});
