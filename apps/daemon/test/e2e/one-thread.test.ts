import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import type { Forge } from '../support/forge.ts';
import { createModelGate } from '../support/model-gate.ts';
import { forgesToTry, itInFullInFiles } from '../support/samples.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

async function open(options: Partial<WorldOptions> = {}) {
  const at = await startWorld({ script: answerScript, ...options });
  world = at;
  const run = (thread: string, environment: Record<string, string> = {}) =>
    startDaemonProcess(at.configFile, { flags: ['--thread', thread], nodeArguments: quickWaits, environment })
      .exited;
  return { at, forge: at.forge, run };
}

const pages = { github: ['issues', 'pull'], gitlab: ['-/issues', '-/merge_requests'] } as const;

/** Address of the page of an issue, or of a pull or merge request. */
function pageOf({ name, url }: Forge, number: number, kind: 0 | 1 = 0): string {
  return `${url}/acme/shop/${pages[name][kind]}/${number}`;
}

describe.each(forgesToTry('github'))('agent-daemon run --thread on %s', (name) => {
  it('runs one of two waiting issues, by its address, and polls for no others', async () => {
    const lists: string[] = [];
    const { forge, run } = await open({
      ...{ forges: [name], script: fixScript },
      onForgeRequest: (label) => void (/\/issues\?.*labels=/.test(label) && lists.push(label)),
    });
    const [other, meant] = [forge.openIssue(issue), forge.openIssue(issue)];
    const { code, output } = await run(`${pageOf(forge, meant.number)}#comment-1`);
    expect(code, output).toBe(0);
    expect(forge.thread(meant.reference).labels).toEqual(['coding agent done']);
    expect(forge.thread(other.reference)).toMatchObject({ labels: ['coding agent'], comments: [] });
    expect([forge.changeRequests().length, lists]).toEqual([1, []]);
  });

  it('says why nothing was done, and exits with 3', async () => {
    const { forge, run } = await open({ forges: [name] });
    const { reference, number } = forge.openIssue({ ...issue, labels: [] });
    const idle = await run(`acme/shop#${number}`);
    expect(idle, idle.output).toMatchObject({ code: 3 });
    expect(idle.output).toContain(
      `acme/shop#${number} is not waiting for the agent. Nothing was done. To give it to the agent, add the label "coding agent".`,
    );
    forge.addLabels(reference, ['coding agent processing']);
    const processing = await run(pageOf(forge, number).replace('://', '://alice:hunter2@'));
    expect(processing, processing.output).toMatchObject({ code: 3 });
    expect(processing.output).toContain('It has the label "coding agent processing". Nothing was done.');
    expect(processing.output).not.toContain('hunter2');
    forge.removeLabel(reference, 'coding agent processing');
    forge.addLabels(reference, ['coding agent']);
    forge.close(reference);
    const closed = await run(pageOf(forge, number), { LANG: 'ja_JP.UTF-8' });
    expect(closed, closed.output).toMatchObject({ code: 3 });
    expect(closed.output).toContain('は閉じています');
    expect(forge.thread(reference).comments).toEqual([]);
  });

  it('refuses what it cannot find, and exits with 1', { tags: ['full'] }, async () => {
    const { forge, run } = await open({ forges: [name] });
    const other = await forge.addRepository('acme/other');
    const { number } = other.openIssue(issue);
    for (const [thread, why] of [
      ['42', 'names no issue, pull request or merge request'],
      ['https://elsewhere.example.com/acme/shop/issues/1', 'is not a host of the configured platforms'],
      ['acme/other#1', 'acme/other is not a repository of this configuration'],
      [pageOf(forge, number).replace('/shop/', '/other/'), 'is not in a repository of this configuration'],
      [pageOf(forge, 4711), 'acme/shop'],
    ] as const) {
      const { code, output } = await run(thread);
      expect([code, output]).toEqual([1, expect.stringContaining(why)]);
    }
    expect(other.thread(`#${number}`).comments).toEqual([]);
  });

  it('resumes the interrupted run of that issue and no other', { tags: ['full'] }, async () => {
    const gate = createModelGate();
    const { at, forge, run } = await open({
      ...{ forges: [name], config: { concurrency: 2 }, onModelRequest: gate.onModelRequest },
    });
    const [other, meant] = [forge.openIssue(issue), forge.openIssue(issue)];
    const first = startDaemonProcess(at.configFile, { nodeArguments: quickWaits, flags: [], alone: true });
    await gate.asked(2);
    first.child.kill('SIGKILL');
    await first.exited;
    gate.letThrough({ forEver: true });
    const { code, output } = await run(pageOf(forge, meant.number));
    expect(code, output).toBe(0);
    expect(forge.thread(meant.reference).labels).toEqual(['coding agent done']);
    expect(forge.thread(other.reference)).toMatchObject({
      labels: ['coding agent processing'],
      comments: [],
    });
    expect(await at.runs.list('running')).toHaveLength(1);
  });

  it('leaves a run paused that a user paused, and resumes it after that', { tags: ['full'] }, async () => {
    const gate = createModelGate();
    const { at, forge, run } = await open({ forges: [name], onModelRequest: gate.onModelRequest });
    const { reference, number } = forge.openIssue(issue);
    const first = startDaemonProcess(at.configFile, { nodeArguments: quickWaits });
    await gate.asked(1);
    await runDaemonCommand(at.configFile, ['pause', `acme/shop#${number}`]);
    expect((await first.exited).code).toBe(1);
    gate.letThrough({ forEver: true });
    const paused = await run(pageOf(forge, number));
    expect(paused, paused.output).toMatchObject({ code: 3 });
    expect(paused.output).toContain('stays paused until a user acts');
    await runDaemonCommand(at.configFile, ['resume', `acme/shop#${number}`]);
    const resumed = await run(pageOf(forge, number));
    expect(resumed, resumed.output).toMatchObject({ code: 0 });
    expect(forge.thread(reference).labels).toEqual(['coding agent done']);
  });

  it('continues the task of an issue by the address of its draft', { tags: ['release'] }, async () => {
    const { at, forge, run } = await open({
      ...{ forges: [name], script: fixScript, config: { comment_detection: { enabled: true } } },
    });
    const { number } = forge.openIssue(issue);
    const first = await run(pageOf(forge, number));
    expect(first, first.output).toMatchObject({ code: 0 });
    const [draft] = forge.changeRequests();
    await forge.reviewLine(draft?.reference ?? '', {
      ...{ author: 'alice', body: 'Please round the total.', path: 'total.js', line: 1 },
    });
    const turns = at.model.requests.length;
    const second = await run(pageOf(forge, draft?.number ?? 0, 1));
    expect(second.output).not.toContain('is not waiting for the agent');
    expect(at.model.requests.length, second.output).toBeGreaterThan(turns);
    expect(forge.changeRequests()).toHaveLength(1);
  });

  it('runs a pull or merge request, and begins by a mention in a repository that it never polled', {
    tags: ['full'],
  }, async () => {
    const { forge, run } = await open({ forges: [name], section: { trigger: 'mention' } });
    const opened = await forge.openChangeRequest({
      ...{ title: 'Count quantities', body: 'Work in progress.', labels: [] },
      ...{ headBranch: 'count', files: { 'total.js': 'export const total = () => 0;\n' } },
    });
    const address = pageOf(forge, opened.number, 1);
    expect(await run(address)).toMatchObject({ code: 3 });
    forge.comment(opened.reference, { author: 'alice', body: '@robot please look into this.' });
    const begun = await run(address);
    expect(begun, begun.output).toMatchObject({ code: 0 });
    expect(forge.thread(opened.reference).comments).toHaveLength(2);
    const again = await run(address);
    expect(again, again.output).toMatchObject({ code: 3 });
  });
});

describe('agent-daemon run --thread', () => {
  it('refuses a role before it starts', async () => {
    const { at } = await open();
    const flags = ['--thread', 'acme/shop#1', '--role', 'poll'];
    const { code, output } = await startDaemonProcess(at.configFile, { flags }).exited;
    expect([code, output]).toEqual([
      1,
      'agent-daemon: With --thread, one process polls and works. Omit --role.\n',
    ]);
  });

  itInFullInFiles('reports a thread that is configured on two platforms', async () => {
    const { forge, run } = await open({ forges: ['github', 'gitlab'] });
    const { number } = forge.openIssue(issue);
    const { code, output } = await run(`acme/shop#${number}`);
    expect([code, output]).toEqual([1, expect.stringContaining('Pass the URL')]);
    expect((await run(pageOf(forge, number))).code).toBe(0);
  });
});
