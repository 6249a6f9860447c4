import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Abandonment, type CheckResult, type ServerCheck } from '@agent/rehearsal';
import { type DiscordSimulator, startDiscordSimulator } from '@agent/simulators/discord';
import { type LmStudio, startLmStudio } from '@agent/simulators/lm-studio';
import { type HttpProxy, type ProxyHandler, startHttpProxy } from '@agent/simulators/trials';
import { type RehearseFlags, rehearseCommand } from '../../src/cli/rehearse-command.ts';
import type { RehearseOptions } from '../../src/rehearse/rehearse.ts';
import { createPerson, type Person } from './person.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** Options of a fixture. */
export interface RehearsalFixtureOptions {
  /** Changes requests and answers between the rehearsal and Discord. Default: passes all on. */
  readonly handle?: ProxyHandler | undefined;
  /** Settings that differ. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** A simulated Discord, a simulated model server and a user, for one rehearsal. */
export interface RehearsalFixture {
  readonly discord: DiscordSimulator;
  readonly lmStudio: LmStudio;
  readonly person: Person;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly checks: readonly CheckResult<ServerCheck>[];
  readonly checkOf: (name: ServerCheck) => CheckResult<ServerCheck> | undefined;
  readonly listNames: (status: CheckResult['status']) => readonly ServerCheck[];
  readonly rehearse: (
    flags?: RehearseFlags,
    overrides?: Partial<RehearseOptions>,
    settings?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly code: number; readonly output: string }>;
  readonly listFiles: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** Starts everything that a rehearsal needs. */
export async function startRehearsalFixture(
  options: RehearsalFixtureOptions = {},
): Promise<RehearsalFixture> {
  const discord = await startDiscordSimulator();
  const lmStudio = await startLmStudio({ script: answerRehearsal });
  const { origin, pathname } = new URL(discord.apiUrl);
  const proxy: HttpProxy = await startHttpProxy(origin, options.handle ?? (({ forward }) => forward()));
  const directory = await mkdtemp(join(tmpdir(), 'discord-rehearsal-'));
  const checks: CheckResult<ServerCheck>[] = [];
  const person = createPerson(discord);
  const { PATH = '' } = process.env;
  const environment = {
    ...{ PATH, LANG: 'en_US.UTF-8', DISCORD_TOKEN: discord.token, DISCORD_API_URL: proxy.url + pathname },
    ...{ LM_BASE_URL: lmStudio.baseUrl, ...options.environment },
  };
  return {
    ...{ discord, lmStudio, person, directory, environment, checks },
    checkOf: (name) => checks.find((check) => check.name === name),
    listNames: (status) => checks.filter((check) => check.status === status).map(({ name }) => name),
    rehearse: async (flags = {}, { signal, onResult, tell, ...overrides } = {}, settings = {}) => {
      checks.length = 0;
      const lines: string[] = [];
      const print = (text: string): void => void lines.push(text);
      const code = await rehearseCommand(
        {
          ...{ channel: discord.generalId, yes: discord.guildId },
          ...{ output: directory, ...flags },
        },
        {
          io: { environment: { ...environment, ...settings }, print, warn: print },
          prompt: null,
          signal: signal ?? new AbortController().signal,
          abandonment: new Abandonment(),
          overrides: {
            command: [process.execPath, '--conditions=@agent/source', main, 'run'],
            waitLimits: {
              // Bounds of a busy machine: a rehearsal that passes never waits that long.
              ...{ platformMs: 60_000, startMs: 60_000, modelMs: 60_000, stepMs: 60_000 },
              ...{ intervalMs: 50, freshMs: 2_000 },
            },
            tell: (text) => {
              print(text);
              tell?.(text);
              person.follow(text);
            },
            ...overrides,
            onResult: (result) => {
              checks.push(result);
              print(`${result.status} ${result.name}: ${result.text}`);
              onResult?.(result);
            },
          },
        },
      );
      return { code, output: lines.join('\n') };
    },
    listFiles: async () => (await readdir(directory)).sort(),
    close: async () => {
      await Promise.all([proxy.close(), lmStudio.close(), discord.close()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Answers the newest message, at length if it asks for numbers. */
function answerRehearsal(input: string): string {
  const last = input.slice(input.lastIndexOf('Rehearsal '));
  if (!last.includes('from 1 to 600')) return `An answer to: ${last.slice(0, 24)}`;
  const rows = Array.from({ length: 60 }, (_, row) =>
    Array.from({ length: 10 }, (__, column) => row * 10 + column + 1).join(' '),
  );
  return rows.join('\n');
}
