import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CheckResult, RepositoryCheck } from '@agent/rehearsal';
import {
  type Script,
  type ScriptedModel,
  startScriptedModel,
  withFinalSummaries,
} from '@agent/simulators/model';
import { type HttpProxy, type ProxyHandler, startHttpProxy } from '@agent/simulators/trials';
import { stringify } from 'yaml';
import { type RehearseFlags, rehearseCommand } from '../../src/cli/commands/rehearse.ts';
import type { Prompt } from '../../src/init/ask-answers.ts';
import type { RehearseOptions } from '../../src/rehearse/rehearse.ts';
import { type CommandResult, runCommand } from '../support/command.ts';
import { findProgram } from '../support/daemon-programs.ts';
import { type ForgeName, repository } from '../support/forge.ts';
import { type GitHubForge, startGitHubForge } from '../support/github-forge.ts';
import { type GitLabForge, startGitLabForge } from '../support/gitlab-forge.ts';
import { projectFiles } from '../support/world.ts';
import { createRehearsalScript } from './rehearsal-script.ts';

export { repository };

const personTokens = {
  github: 'ghp_ThisIsTheTokenOfAliceInTests00001',
  gitlab: 'glpat-ThisIsAlicesTokenInTests00001',
};

/** Options of a fixture. */
export interface RehearsalBedOptions {
  readonly forge: ForgeName;
  /** Changes requests and answers on their way. Default: passes all on. */
  readonly handle?: ProxyHandler | undefined;
  /** Sections of the configuration that differ. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Variables that differ. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Replaces the model that follows the story. */
  readonly script?: Script | undefined;
}

/** A simulated forge behind a proxy, a scripted model, and a configuration, for one rehearsal. */
export interface RehearsalFixture {
  readonly forge: GitHubForge | GitLabForge;
  readonly model: ScriptedModel;
  readonly directory: string;
  readonly configFile: string;
  /** Variables with the tokens of the agent and of the person. */
  readonly environment: Readonly<Record<string, string>>;
  readonly checks: readonly CheckResult<RepositoryCheck>[];
  readonly statusOf: (name: RepositoryCheck) => CheckResult<RepositoryCheck>['status'] | undefined;
  readonly checkOf: (name: RepositoryCheck) => CheckResult<RepositoryCheck> | undefined;
  readonly rehearse: (
    flags?: Partial<RehearseFlags>,
    overrides?: Partial<RehearseOptions> & { readonly prompt?: Prompt | null },
  ) => Promise<CommandResult>;
  /** Files beside the configuration. */
  readonly listFiles: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const start = { github: startGitHubForge, gitlab: startGitLabForge };

export async function startRehearsalFixture(options: RehearsalBedOptions): Promise<RehearsalFixture> {
  const { forge: name, handle, config } = options;
  const forge: GitHubForge | GitLabForge = await start[name]({ files: projectFiles });
  addPersonToken(forge);
  const proxy: HttpProxy = await startHttpProxy(forge.url, handle ?? (({ forward }) => forward()));
  const checks: CheckResult<RepositoryCheck>[] = [];
  const has = (one: RepositoryCheck): boolean => checks.some((check) => check.name === one);
  const script = options.script ?? createRehearsalScript({ isReady: () => has('deletion') && has('crash') });
  const model = await startScriptedModel({
    script: withFinalSummaries(script),
    // Steps that take no time would leave none for a user.
    onRequest: () => delay(300),
  });
  const directory = await mkdtemp(join(tmpdir(), 'rehearsal-fixture-'));
  const configFile = join(directory, 'agent.config.yaml');
  await writeFile(
    configFile,
    stringify({
      platforms: { [name]: { ...forge.config, base_url: proxy.url } },
      llm: { base_url: model.baseUrl, model: 'scripted-model', api: 'responses', max_retries: 0 },
      tools: { run_command: { allow: ['node'], sandbox: 'off', allow_root: true } },
      planning: { enabled: false },
      limits: { max_steps: 1_000 },
      ...config,
    }),
  );
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env;
  const environment = {
    PATH,
    HOME,
    ...(TMPDIR && { TMPDIR }),
    TZ: 'UTC',
    ...forge.environment,
    ...options.environment,
  };
  const program = findProgram('main');
  return {
    ...{ forge, model, directory, configFile, checks },
    environment: { PERSON_TOKEN: personTokens[name], ...environment },
    statusOf: (one) => checks.find((check) => check.name === one)?.status,
    checkOf: (one) => checks.find((check) => check.name === one),
    rehearse: (flags = {}, overrides = {}) => {
      checks.length = 0;
      const { signal = new AbortController().signal, onResult, prompt = null, ...others } = overrides;
      return runCommand(
        (io) =>
          rehearseCommand(
            {
              config: configFile,
              repository,
              personTokenEnv: 'PERSON_TOKEN',
              yes: repository,
              output: directory,
              ...flags,
            },
            {
              io: { ...io, now: Date.now },
              prompt,
              signal,
              overrides: {
                command: [process.execPath, ...program.nodeArguments],
                childEnvironment: { ...environment, ...program.environment },
                pollSeconds: 1,
                // Bounds of a busy machine: a rehearsal that passes never waits that long.
                waitLimits: {
                  ...{ platformMs: 180_000, startMs: 180_000, modelMs: 240_000 },
                  ...{ intervalMs: 100, freshMs: 2_000 },
                },
                ...others,
                onResult: (result) => {
                  checks.push(result);
                  io.print(
                    `${result.status} ${result.name}: ${result.text}${result.fix === null ? '' : ` → ${result.fix}`}`,
                  );
                  onResult?.(result);
                },
              },
            },
          ),
        { environment: { PERSON_TOKEN: personTokens[name], ...environment } },
      );
    },
    listFiles: async () => (await readdir(directory)).sort(),
    close: async () => {
      await proxy.close();
      await Promise.all([forge.shutDown(), model.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function addPersonToken({ simulator }: GitHubForge | GitLabForge): void {
  if ('openPullRequest' in simulator) simulator.addToken({ token: personTokens.github, login: 'alice' });
  else simulator.addToken({ token: personTokens.gitlab, username: 'alice' });
}
