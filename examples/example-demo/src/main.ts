import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CheckedPromise } from './checked-promise.ts';
import { chooseModel } from './choose-model.ts';
import { DemoError } from './demo-error.ts';
import type { DemonstrationOptions } from './demonstrate.ts';
import { listenForInterruption } from './interruption.ts';
import { createPrinter } from './printer.ts';

const help = `npm start [-- --gitlab | --review | --discord | --agent opencode] [--page] [--verbose] [--keep]

Runs the real daemon on a simulated GitHub: an issue, a plan that a comment changes, and a tested draft pull request.
Nothing leaves this machine.

  --gitlab  the same on a simulated GitLab, with a merge request
  --review  after the draft: fixes a failing check and answers a reviewer until all checks pass
  --discord another demonstration: a conversation on a simulated Discord, with a model reload and a bot restart
  --agent opencode
            the real opencode works on the issue instead of the daemon's own loop and receives a comment while it works;
            if it is not installed, it is downloaded from npm once (184 MB); a script plays its model
  --page    starts the web UI, which stays until Ctrl-C; on GitHub or with --gitlab
  --verbose prints the daemon's log, every write request, and whole threads
  --keep    keeps the run's directory (configuration, journal, worktree) and prints its path
  --help    this text

Set LLM_BASE_URL and LLM_MODEL (and, if needed, LLM_API_KEY and LLM_API=responses|chat) to run the demonstration with a
real model; --review, --discord and --agent always use their script. LLM_CONTEXT_LENGTH=8192 gives the model a window of that many
tokens, also the script, which then refuses longer requests.
`;

/** @returns the exit code: 0 if all checks passed */
async function main(): Promise<number> {
  const flags = readFlags();
  if (flags.help) {
    process.stdout.write(help);
    return 0;
  }
  const chosen = chooseModel(process.env);
  const start = performance.now();
  const directory = await mkdtemp(join(tmpdir(), 'agent-demo-'));
  const printer = createPrinter({
    write: (text) => void process.stdout.write(text),
    color: process.stdout.isTTY === true && !process.env.NO_COLOR,
    verbose: flags.verbose,
    elapsedMs: () => performance.now() - start,
  });
  const interruption = listenForInterruption();
  endWithReader(process.stdout);
  try {
    const options = { directory, environment: process.env, printer, interruption };
    const promises = await tell(flags, { ...options, chosen });
    const signal = interruption.signal();
    // Ctrl-C is how a page is left.
    if (signal !== null && !(flags.page && promises.length > 0)) return 128 + constants.signals[signal];
    return promises.every(({ kept }) => kept) ? 0 : 1;
  } finally {
    if (flags.keep) printer.block(`Kept: ${directory}`);
    else await rm(directory, { recursive: true, force: true });
  }
}

/** Ends the demonstration, as SIGTERM does, when the reader of its output is gone (`npm start | head`). */
function endWithReader(output: NodeJS.WriteStream): void {
  output.once('error', () => process.kill(process.pid, 'SIGTERM')).on('error', () => {});
}

/** Loads only the demonstration that is asked for. */
async function tell(
  { agent, discord, review, gitlab, page, verbose }: Flags,
  given: Omit<DemonstrationOptions, 'forge' | 'page' | 'verbose'>,
): Promise<readonly CheckedPromise[]> {
  const options = { ...given, page, verbose };
  if (agent) {
    const { demonstrateAgent } = await import('./agent/demonstrate-agent.ts');
    return demonstrateAgent(options);
  }
  if (discord) {
    const { demonstrateDiscord } = await import('./discord/demonstrate-discord.ts');
    return demonstrateDiscord(options);
  }
  if (review) {
    const { demonstrateReview } = await import('./review/demonstrate-review.ts');
    return demonstrateReview(options);
  }
  const { demonstrate } = await import('./demonstrate.ts');
  return demonstrate({ ...options, forge: gitlab ? 'gitlab' : 'github' });
}

interface Flags {
  readonly agent: boolean;
  readonly gitlab: boolean;
  readonly review: boolean;
  readonly discord: boolean;
  readonly page: boolean;
  readonly verbose: boolean;
  readonly keep: boolean;
  readonly help: boolean;
}

function readFlags(): Flags {
  const flags = parseFlags();
  const stories = (['gitlab', 'review', 'discord', 'agent'] as const).filter((name) => flags[name]);
  const story = stories.find((name) => name !== 'gitlab');
  if (flags.page && story !== undefined)
    throw new DemoError(`--page cannot be combined with --${story}.\n\n${help}`);
  if (stories.length < 2) return flags;
  const named = stories.map((name) => `--${name}`).join(' and ');
  throw new DemoError(`${named} cannot be combined; choose one.\n\n${help}`);
}

function parseFlags(): Flags {
  try {
    const options = {
      agent: { type: 'string' },
      gitlab: { type: 'boolean', default: false },
      review: { type: 'boolean', default: false },
      discord: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    } as const;
    const { agent, ...flags } = parseArgs({ options }).values;
    if (agent !== undefined && agent !== 'opencode')
      throw new Error(`--agent supports only opencode, not "${agent}".`);
    return { ...flags, agent: agent !== undefined };
  } catch (error) {
    throw new DemoError(`${(error as Error).message}\n\n${help}`);
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof DemoError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
