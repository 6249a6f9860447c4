import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type InitFlags, type InitParts, initCommand } from '../../src/cli/commands/init.ts';
import type { Prompt } from '../../src/init/ask-answers.ts';
import { type CommandResult, runCommand } from './command.ts';

/** There is no model server on this machine. */
export const serverless: typeof globalThis.fetch = async () => {
  throw new TypeError('fetch failed');
};

/** Runs `init` in a directory of its own. */
export interface InitBed {
  readonly directory: () => string;
  readonly configFile: () => string;
  readonly init: (
    flags: Omit<InitFlags, 'config'>,
    parts?: Partial<InitParts> & { readonly environment?: Readonly<Record<string, string>> },
  ) => Promise<CommandResult>;
}

/** Creates a directory for each test of a file. */
export function useInitBed(): InitBed {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'daemon-init-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const configFile = () => join(directory, 'agent.config.yaml');
  return {
    directory: () => directory,
    configFile,
    init: (flags, { environment = {}, ...parts } = {}) =>
      runCommand(
        (io) =>
          initCommand({ config: configFile(), ...flags }, { prompt: null, fetch: serverless, ...parts, io }),
        { environment },
      ),
  };
}

/** Answers questions one after the other, and records them. */
export function answering(answers: readonly string[]): { prompt: Prompt; asked: string[] } {
  const asked: string[] = [];
  const left = [...answers];
  const prompt: Prompt = async (question) => {
    asked.push(question);
    const answer = left.shift();
    if (answer === undefined) throw new Error(`nobody answers: ${question}`);
    return answer;
  };
  return { prompt, asked };
}
