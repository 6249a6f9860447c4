import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStorage } from '@agent/run-store/testing';
import { startGitHubSimulator } from '@agent/simulators/github';
import { createOutgoingGate } from '@agent/text/outgoing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError } from '../config/config-error.ts';
import { silentLogger } from '../ports.ts';
import { connectConfiguredPlatforms } from './connect-configured-platforms.ts';
import { platformsSchema } from './table.ts';

const token = 'token-of-agent';

async function startGitHub() {
  const gitHub = await startGitHubSimulator();
  onTestFinished(() => gitHub.close());
  for (const login of ['octo', 'agent', 'alice']) gitHub.addUser({ login });
  gitHub.addToken({ token, login: 'agent' });
  await gitHub.addRepository({
    owner: 'octo',
    name: 'hello',
    collaborators: { agent: 'write', alice: 'write' },
  });
  return gitHub;
}

/** Connects as a configuration with these sections does. */
function connect(sections: unknown, { environment = { GITHUB_TOKEN: token }, trust = 'collaborators' } = {}) {
  return connectConfiguredPlatforms(
    {
      sections: platformsSchema.parse(sections),
      trust,
      locale: null,
      workspaces: { directory: tmpdir(), authorName: null, authorEmail: null },
      mentions: { notes: createMemoryStorage().notes, runsHear: true },
      gate: createOutgoingGate({ secrets: [token], places: [], allow: { paths: [], fingerprints: [] } }),
      environment,
      directory: tmpdir(),
    },
    { logger: silentLogger, observe: () => {}, signal: new AbortController().signal },
  );
}

describe('connectConfiguredPlatforms', () => {
  it('finds the tasks that the trigger of the section names', async () => {
    const gitHub = await startGitHub();
    const [wanted] = [['do it'], []].map((labels) =>
      gitHub.openIssue({ repo: 'octo/hello', author: 'alice', title: 'Hello', labels }),
    );
    const section = { base_url: gitHub.url, repositories: ['octo/hello'], bot_label: 'do it' };
    const [connected, ...others] = await connect({ github: section });
    const { tasks } = (await connected?.trigger.listWaiting({})) ?? { tasks: [] };
    expect(tasks.map(({ key }) => key)).toMatchObject([{ type: 'github_issue', number: wanted?.number }]);
    expect(connected).toMatchObject({
      botName: null,
      confidentialIssues: 'refuse',
      trust: { collaborators: true },
    });
    expect(others).toEqual([]);
  });

  it('says which variable holds the token, before anything is asked', async () => {
    const sections = { github: { repositories: ['octo/hello'] } };
    await expect(connect(sections, { environment: { GITHUB_TOKEN: ' ' } })).rejects.toThrow(
      /^GITHUB_TOKEN is not set\. It holds the GitHub token/,
    );
  });

  it('refuses two platforms of one host, to either of which a run could belong', async () => {
    const gitHub = await startGitHub();
    const adapter = `export default () => ({
      host: '${new URL(gitHub.url).host}',
      tasks: { listTasks: async () => ({ tasks: [], failures: [] }) },
      openThread: () => ({ reader: { readThread() {} }, comments: { listComments() {} }, writer: { ensureComment() {} } }),
    });`;
    const directory = await mkdtemp(join(tmpdir(), 'adapter-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const module = join(directory, 'board.mjs');
    await writeFile(module, adapter);
    const sections = { github: { base_url: gitHub.url, repositories: ['octo/hello'] }, board: { module } };
    const error = await connect(sections).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toMatch(/platforms\.github and platforms\.board both say that their host is/);
  });
});
