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

const help = `npm start [-- --gitlab | --review | --discord | --agent opencode] [--page] [--keep]

Shows the daemon at work: a simulated GitHub, an issue, what is understood, collected and assumed, a plan that is revised,
verified and shown in one comment that evolves, a pull request. Nothing leaves this machine.

  --gitlab  the same on a simulated GitLab, with a merge request
  --review  what comes after the draft: its check fails, a reviewer asks, and the run answers both until all is green
  --discord another story: a conversation on a simulated Discord that survives a reload of its model and a restart of its bot
  --agent opencode
            the real opencode works on the issue in the place of the daemon's own loop, and hears a comment in the middle;
            fetched from npm once for each clone (184 MB) where it is not installed; it asks a script for a model
  --page    with the page of the daemon, which says where it is and stays until Ctrl-C; on GitHub or with --gitlab
  --keep    leave the run's directory (configuration, journal, worktree) where it is, and say where
  --help    this text

With LLM_BASE_URL and LLM_MODEL set (and LLM_API_KEY, LLM_API=responses|chat where needed), the same demonstration
runs on that model instead of a script; --review, --discord and --agent always play with their script.
`;

/** @returns the exit code: 0 when everything was as promised */
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

/** Ends the story, as SIGTERM does, when whoever reads it has left (`npm start | head`). */
function endWithReader(output: NodeJS.WriteStream): void {
  output.once('error', () => process.kill(process.pid, 'SIGTERM')).on('error', () => {});
}

/** Loads the one story that is told: each brings a world of its own. */
async function tell(
  { agent, discord, review, gitlab, page }: Flags,
  given: Omit<DemonstrationOptions, 'forge' | 'page'>,
): Promise<readonly CheckedPromise[]> {
  const options = { ...given, page };
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
  readonly keep: boolean;
  readonly help: boolean;
}

function readFlags(): Flags {
  const flags = parseFlags();
  const stories = (['gitlab', 'review', 'discord', 'agent'] as const).filter((name) => flags[name]);
  const story = stories.find((name) => name !== 'gitlab');
  if (flags.page && story !== undefined)
    throw new DemoError(`--page goes with the run on GitHub or --gitlab, not with --${story}.\n\n${help}`);
  if (stories.length < 2) return flags;
  const named = stories.map((name) => `--${name}`).join(' and ');
  throw new DemoError(`${named} are ${stories.length} stories; choose one.\n\n${help}`);
}

function parseFlags(): Flags {
  try {
    const options = {
      agent: { type: 'string' },
      gitlab: { type: 'boolean', default: false },
      review: { type: 'boolean', default: false },
      discord: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    } as const;
    const { agent, ...flags } = parseArgs({ options }).values;
    if (agent !== undefined && agent !== 'opencode')
      throw new Error(`The story of --agent is told with opencode, not with "${agent}".`);
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
