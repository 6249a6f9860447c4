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
import { en } from '../../src/rehearse/texts.en.ts';
import { type CommandResult, runCommand } from '../support/command.ts';
import { findProgram } from '../support/daemon-programs.ts';
import { type Forge, type ForgeName, repository } from '../support/forge.ts';
import { type GitHubForge, startGitHubForge } from '../support/github-forge.ts';
import { type GitLabForge, startGitLabForge } from '../support/gitlab-forge.ts';
import { projectFiles } from '../support/world.ts';
import { createRehearsalScript, type StoryProgress } from './rehearsal-script.ts';

export { repository };

const personTokens = {
  github: 'ghp_ThisIsTheTokenOfAliceInTests00001',
  gitlab: 'glpat-ThisIsAlicesTokenInTests00001',
};

/** Options of a fixture. */
export interface RehearsalFixtureOptions {
  readonly forge: ForgeName;
  /** Changes requests and answers on their way. Default: passes all on. */
  readonly handle?: ProxyHandler | undefined;
  /** Sections of the configuration that differ. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Variables that differ. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Creates a model that replaces the one that follows the story. */
  readonly createScript?: ((progress: StoryProgress) => Script) | undefined;
  /** Milliseconds of each step of the model. Default 300: steps that take no time would leave none for a user. */
  readonly stepMs?: number | undefined;
  /** True: the model never answers once it is asked for the work that the user stops. Default false. */
  readonly hangs?: boolean | undefined;
}

/** A platform behind a proxy, a scripted model, and a configuration, for one rehearsal. */
export interface PlatformFixture {
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

/** A fixture whose platform is one of our simulators. */
export interface RehearsalFixture extends PlatformFixture {
  readonly forge: GitHubForge | GitLabForge;
}

const start = { github: startGitHubForge, gitlab: startGitLabForge };

export async function startRehearsalFixture(options: RehearsalFixtureOptions): Promise<RehearsalFixture> {
  const { forge: name, ...others } = options;
  const forge: GitHubForge | GitLabForge = await start[name]({ files: projectFiles });
  addPersonToken(forge);
  const { url, config, environment, shutDown } = forge;
  const personToken = personTokens[name];
  const opened = await openFixture({ name, url, config, environment, personToken, shutDown }, others);
  return { forge, ...opened };
}

/** Platform of a fixture, and the accounts on it. */
export interface RehearsedPlatform extends Pick<Forge, 'name' | 'url' | 'config' | 'environment'> {
  readonly personToken: string;
  readonly shutDown: () => Promise<void>;
}

/** Opens the fixture of a platform, which it closes at the end. */
export async function openFixture(
  platform: RehearsedPlatform,
  options: Omit<RehearsalFixtureOptions, 'forge'>,
): Promise<PlatformFixture> {
  const { name, personToken } = platform;
  const { handle, config } = options;
  const longWork = Promise.withResolvers<void>();
  const pass: ProxyHandler = handle ?? (({ forward }) => forward());
  const proxy: HttpProxy = await startHttpProxy(platform.url, async (exchange) => {
    // The command arrives while the model works, and not just before.
    if (options.hangs === true && exchange.method === 'POST' && exchange.body.includes('"/stop"'))
      await longWork.promise;
    return pass(exchange);
  });
  const checks: CheckResult<RepositoryCheck>[] = [];
  const has = (one: RepositoryCheck): boolean => checks.some((check) => check.name === one);
  const { createScript = createRehearsalScript } = options;
  const script = createScript({ isReady: () => has('deletion') && has('crash') });
  const model = await startScriptedModel({
    script: withFinalSummaries(script),
    onRequest: ({ body }) => {
      if (options.hangs !== true || !asksForLongWork(body)) return delay(options.stepMs ?? 300);
      longWork.resolve();
      return delay(600_000, undefined, { ref: false });
    },
  });
  const directory = await mkdtemp(join(tmpdir(), 'rehearsal-fixture-'));
  const configFile = join(directory, 'agent.config.yaml');
  await writeFile(
    configFile,
    stringify({
      platforms: { [name]: { ...platform.config, base_url: proxy.url } },
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
    ...platform.environment,
    ...options.environment,
  };
  const program = findProgram('main');
  return {
    ...{ model, directory, configFile, checks },
    environment: { PERSON_TOKEN: personToken, ...environment },
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
                  ...{ intervalMs: 100, freshMs: 2_000, stopMs: 60_000 },
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
        { environment: { PERSON_TOKEN: personToken, ...environment } },
      );
    },
    listFiles: async () => (await readdir(directory)).sort(),
    close: async () => {
      await proxy.close();
      await Promise.all([platform.shutDown(), model.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Checks whether a step is about the work that the user stops. */
function asksForLongWork(body: unknown): boolean {
  const { tools } = (body ?? {}) as { readonly tools?: readonly unknown[] };
  return (tools ?? []).length > 0 && JSON.stringify(body).includes(en.longWorkComment);
}

function addPersonToken({ simulator }: GitHubForge | GitLabForge): void {
  if ('openPullRequest' in simulator) simulator.addToken({ token: personTokens.github, login: 'alice' });
  else simulator.addToken({ token: personTokens.gitlab, username: 'alice' });
}
