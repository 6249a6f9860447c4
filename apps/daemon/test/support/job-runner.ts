import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCarriedStorage } from '@agent/run-store/carried';
import { createGitRef } from '@agent/workspace';
import { type DaemonProcess, quickWaits, startDaemonCommand } from './daemon-process.ts';
import { type Forge, type ForgeNews, repository } from './forge.ts';
import { gitHubToken } from './github-forge.ts';
import { gitLabToken } from './gitlab-forge.ts';
import type { World } from './world.ts';

/** Key of the records: the repository of a world is public. */
const recordKey = 'a key of the records in these tests, of enough characters';

/** Machines that run one job each, as GitHub Actions and GitLab CI have them: a new directory, and an event. */
export interface JobRunner {
  /** Starts a job for what happened. */
  readonly start: (news: ForgeNews, options?: JobOptions) => Promise<DaemonProcess>;
  /** Starts a job for an address, as `workflow_dispatch` and a pipeline by hand do. */
  readonly startFor: (thread: string, options?: JobOptions) => Promise<DaemonProcess>;
  /** Prepares a machine for a job that this process runs. */
  readonly prepare: (news: ForgeNews) => Promise<Machine>;
  /** Brings the record of an issue to the directory where runs of a daemon would be. */
  readonly fetchRecord: (issue: number) => Promise<void>;
}

export interface JobOptions {
  readonly flags?: readonly string[];
  readonly environment?: Variables;
}

/** A machine that has run nothing yet. */
export interface Machine {
  /** Path of its configuration. */
  readonly config: string;
  readonly environment: Variables;
}

type Variables = Readonly<Record<string, string>>;

const tokens = { github: gitHubToken, gitlab: gitLabToken };

/** Creates the runners of a world. */
export function createJobRunner({ forge, directory, configFile }: World): JobRunner {
  let count = 0;
  const prepare = async (payload: unknown, variables: Variables): Promise<Machine> => {
    count += 1;
    const machine = join(directory, `job-${count}`);
    const event = join(machine, 'event.json');
    await mkdir(join(machine, 'temp'), { recursive: true });
    await writeFile(event, JSON.stringify(payload));
    const config = join(machine, 'agent.config.yaml');
    await cp(configFile, config);
    const record = { AGENT_RECORD_KEY: recordKey, AGENT_RECORD_LEASE_SECONDS: '1' };
    const temporary = { RUNNER_TEMP: join(machine, 'temp') };
    const environment = {
      ...{ ...forge.environment, PATH: process.env.PATH ?? '' },
      ...{ ...temporary, ...record, ...describeRunner(forge, event), ...variables },
    };
    return { config, environment };
  };
  const run = ({ config, environment }: Machine, options: JobOptions = {}) =>
    startDaemonCommand(['job', '--config', config, ...(options.flags ?? [])], {
      nodeArguments: quickWaits,
      environment: { ...environment, ...options.environment },
    });
  const prepareNews = (news: ForgeNews) => {
    const { headers, body } = forge.composeDelivery(news, 'no secret');
    const name = new Headers(headers as Record<string, string>).get('x-github-event') ?? '';
    const payload: unknown = JSON.parse(body.toString());
    return prepare(payload, forge.name === 'github' ? { GITHUB_EVENT_NAME: name } : {});
  };
  const prepareThread = (thread: string) => {
    if (forge.name === 'gitlab') return prepare({}, { AGENT_THREAD: thread });
    const about = { full_name: repository, html_url: `${forge.url}/${repository}`, private: false };
    const sender = { login: 'github-actions[bot]', type: 'Bot' };
    return prepare(
      { inputs: { thread }, repository: about, sender },
      { GITHUB_EVENT_NAME: 'workflow_dispatch' },
    );
  };
  return {
    prepare: prepareNews,
    start: async (news, options) => run(await prepareNews(news), options),
    startFor: async (thread, options) => run(await prepareThread(thread), options),
    fetchRecord: async (issue) => {
      const medium = createGitRef({
        cloneUrl: `${forge.url}/${repository}.git`,
        ref: `refs/agent/records/issue-${issue}`,
        directory: join(directory, 'fetched-record'),
        username: forge.name === 'github' ? 'x-access-token' : 'oauth2',
        token: () => tokens[forge.name],
      });
      const baseDirectory = join(directory, 'contexts');
      const carried = { medium, baseDirectory, key: recordKey, leaseMs: 0 };
      const storage = createCarriedStorage({ ...carried, redact: (text) => text });
      await (await storage.members.acquire()).release();
    },
  };
}

function describeRunner({ name, url }: Pick<Forge, 'name' | 'url'>, event: string): Variables {
  if (name === 'github')
    return {
      ...{ GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: event, GITHUB_REPOSITORY: repository },
      ...{ GITHUB_SERVER_URL: url, GITHUB_API_URL: url },
      GITHUB_WORKFLOW_REF: `${repository}/.github/workflows/agent.yml@refs/heads/main`,
    };
  return {
    ...{ GITLAB_CI: 'true', TRIGGER_PAYLOAD: event, CI_SERVER_URL: url, CI_DEFAULT_BRANCH: 'main' },
    ...{ CI_PROJECT_PATH: repository, CI_PROJECT_URL: `${url}/${repository}` },
    ...{ CI_PROJECT_VISIBILITY: 'public', CI_JOB_TOKEN: 'token-of-the-job' },
  };
}
