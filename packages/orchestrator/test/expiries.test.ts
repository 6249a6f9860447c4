import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Doorbell } from '@agent/platforms/sources';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../src/index.ts';
import { connectConfiguredPlatforms } from '../src/platforms/index.ts';
import { type ExpiriesBed, longRun, repository, startExpiriesBed } from './expiries-bed.ts';

const hourMs = 61 * 60_000;
const key = { type: 'github_issue', owner: 'octo', repo: 'hello', number: 1 } as const;
const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};

type Content = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>['content'];

/** A model that does one thing in each step, before which something happens. */
function createStepModel(steps: number, before: (step: number) => void) {
  const prompts: string[] = [];
  let step = 0;
  const call = (toolName: string, input: object): Content => [
    { type: 'tool-call', toolCallId: `call-${step}`, toolName, input: JSON.stringify(input) },
  ];
  const decide = (): Content => {
    if (step > steps) return [{ type: 'text', text: 'All of it is done.' }];
    if (step % 10 === 0) return call('run_command', { command: 'printenv', args: [] });
    return call('write_file', { path: `notes/${step}.md`, content: `note ${step}\n` });
  };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      step += 1;
      prompts.push(JSON.stringify(prompt));
      if (step <= steps) before(step);
      const content = decide();
      const reason = content[0]?.type === 'text' ? 'stop' : 'tool-calls';
      return { content, finishReason: { unified: reason, raw: reason }, usage, warnings: [] };
    },
  });
  return { model, prompts };
}

/** All 50 of them in `npm run test:full`. */
const expiries = process.env.TEST_FULL === '1' ? 50 : 12;

/** Starts what works on the labeled issue; its bell rings as webhooks ring it. */
function startWork(bed: ExpiriesBed, model: MockLanguageModelV4) {
  let bell: Doorbell | undefined;
  const { directories, settings, secrets, environment, logger, now } = bed;
  const orchestrator = createOrchestrator({
    platforms: (at) => {
      bell = at.doorbell;
      return connectConfiguredPlatforms(settings, { logger, now, ...at });
    },
    ...{
      model,
      directory: directories,
      settings: longRun,
      secrets: secrets.values,
      environment,
      logger,
      now,
    },
  });
  const ring = () => bell?.ring({ key, commentId: null, updatedAt: null, deleted: false });
  return { orchestrator, ring };
}

it('a run goes across the ends of its token, hears everybody, and leaves the tokens nowhere [NX-207, NX-206, NX-205]', async () => {
  const bed = await startExpiriesBed();
  onTestFinished(bed.close);
  const { gitHub, pass, issued } = bed;
  gitHub.openIssue({ repo: repository, author: 'alice', title: 'Write notes', labels: ['coding agent'] });
  const { model, prompts } = createStepModel(expiries, (step) => {
    pass(hourMs);
    gitHub.comment({ repo: repository, number: 1, author: 'alice', body: `Remark ${step} of mine.` });
    ring();
  });
  const { orchestrator, ring } = startWork(bed, model);
  expect(await orchestrator.run({ once: true })).toBe(true);

  expect(orchestrator.board.state.counts.runsEnded.completed).toBe(1);
  const { labels, comments } = gitHub.thread(repository, 1);
  expect(labels).toEqual(['coding agent done']);
  const last = prompts.at(-1) ?? '';
  for (let step = 1; step <= expiries; step += 1) {
    expect(last.split(`=====\\nRemark ${step} of mine.`), `remark ${step}`).toHaveLength(2);
  }
  const own = comments.filter(({ author }) => author === 'my-agent[bot]');
  expect(own.length + expiries).toBe(comments.length);
  expect(own.at(-1)?.body).toContain('All of it is done.');
  const [draft] = gitHub.threads(repository).filter(({ number }) => number !== 1);
  expect(draft).toMatchObject({ state: 'open', labels: [] });

  expect(new Set(issued.map(({ value }) => value)).size).toBeGreaterThan(expiries);
  // git asks without a login first.
  const refused = gitHub.requests.filter(({ status, path }) => status === 401 && !path.includes('.git/'));
  expect(refused).toEqual([]);
  expect(bed.secrets.values().length).toBeLessThanOrEqual(33);
  expect(await bed.findLeaks()).toEqual([]);
  for (const { value } of issued) expect(prompts.join('\n')).not.toContain(value);
});

it('git, GraphQL and REST go across ends and revocations of the same token, one after the other [NX-207, NX-204, NX-202]', async () => {
  const bed = await startExpiriesBed();
  onTestFinished(bed.close);
  const { gitHub, pass, issued, directories, now } = bed;
  gitHub.openIssue({ repo: repository, author: 'alice', title: 'Write notes' });
  const { observe, signal } = { observe: () => {}, signal: new AbortController().signal };
  const surroundings = { logger: bed.logger, now, observe, signal };
  const [connected] = await connectConfiguredPlatforms(bed.settings, surroundings);
  if (connected === undefined) throw new Error('the platform is not connected');
  const { platform, workspaces } = connected;
  const { comments, writer, labelEvents } = platform.openThread(key);
  const cloneUrl = `${gitHub.url}/${repository}.git`;
  const task = { uuid: 'run-1', host: platform.host, repositoryPath: repository, cloneUrl };
  const branch = { branch: 'agent/notes', baseBranch: 'main' };
  for (let count = 1; count <= expiries; count += 1) {
    // Ended, or taken away from one request to the next.
    if (count % 2 === 0) pass(hourMs);
    else pass(60_000);
    if (count % 2 === 1) gitHub.revokeToken(issued.at(-1)?.value ?? '');
    const workspace = await workspaces.open({ ...task, ...branch });
    await writeFile(join(workspace.path, `${count}.md`), `note ${count}\n`);
    await workspace.commitAll(() => `Note ${count}`);
    if (count % 3 === 0) {
      pass(60_000);
      gitHub.revokeToken(issued.at(-1)?.value ?? '');
    }
    await workspace.push();
    gitHub.addLabels(repository, 1, [`label-${count}`], { by: 'alice' });
    expect((await labelEvents?.lastLabeled(`label-${count}`))?.actor?.login).toBe('alice');
    await writer.ensureComment({ topic: 'notes', body: `${count} notes` });
    expect((await comments.listComments({ since: null })).comments).toHaveLength(1);
  }
  expect(gitHub.thread(repository, 1).comments[0]).toMatchObject({ author: 'my-agent[bot]' });
  const log = execFileSync(
    'git',
    ['--git-dir', gitHub.gitDirectory(repository), 'log', '--format=%an <%ae>', 'agent/notes'],
    { encoding: 'utf8' },
  );
  const bot = (await platform.identity.whoAmI()).id;
  const [author] = log.split('\n');
  expect(author).toBe(`my-agent[bot] <${bot}+my-agent[bot]@users.noreply.${new URL(gitHub.url).hostname}>`);
  expect(log.split('\n').filter((line) => line === author)).toHaveLength(expiries);
  expect(issued.length).toBeGreaterThan(expiries);
  expect(directories.workspaces).toBe(bed.settings.workspaces.directory);
  expect(await bed.findLeaks()).toEqual([]);
}, 120_000);
