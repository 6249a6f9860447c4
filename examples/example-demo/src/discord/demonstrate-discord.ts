import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createLogTail } from '@agent/simulators/demo/parts';
import { toErrorMessage } from '@agent/text';
import type { CheckedPromise } from '../checked-promise.ts';
import type { Interruption } from '../interruption.ts';
import type { Printer } from '../printer.ts';
import { showOutcome } from '../show-outcome.ts';
import { checkDiscordPromises } from './check-discord-promises.ts';
import { collectDiscordFacts } from './collect-discord-facts.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { openStage, type Stage } from './open-stage.ts';
import { playConversation } from './play-conversation.ts';
import { type BotProcess, startBotProcess, writeEnvironmentFile } from './start-bot-process.ts';

/** An answer on loopback takes milliseconds; nobody should wait for one that never comes. */
const patienceMs = 60_000;

export interface DiscordDemonstrationOptions {
  /** An empty directory for the bot's settings. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly printer: Printer;
  readonly interruption: Interruption;
  /** Prints the whole thread and the last request to the model. */
  readonly verbose: boolean;
}

const next = 'apps/discord/README.md   # how to run the bot on your own server';

/**
 * Shows a conversation in Discord that survives a reload of its model and a restart of its bot.
 *
 * @returns what was promised and what was kept; nothing when it was interrupted
 */
export async function demonstrateDiscord(options: DiscordDemonstrationOptions): Promise<CheckedPromise[]> {
  const { directory, printer, interruption } = options;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(patienceMs)]);
  const answers = new EventEmitter();
  const log = createLogTail();
  const token = `demo_${randomBytes(16).toString('hex')}`;
  const stage: Stage = await openStage(token, (input, answer) => talk.modelAnswers(input, answer));
  const talk: Conversation = createConversation(printer, {
    stage: () => stage,
    logged: () => once(answers, 'answered', { signal }),
    signal,
  });
  const bots: BotProcess[] = [];
  try {
    const envFile = await writeEnvironmentFile(directory, stage);
    introduce(printer, stage, envFile);
    printer.heading('What happens');
    const startBot = async (): Promise<BotProcess> => {
      const bot = startBotProcess(envFile, {
        environment: options.environment,
        onLine: (line) => {
          // The timeline has a clock of its own.
          const said = line.replace(/^\d\d:\d\d:\d\d\s+/, '');
          log.add(said);
          printer.detail('log', said);
          if (said.startsWith('answered message')) answers.emit('answered');
        },
      });
      bots.push(bot);
      // One that never connects is not waited for either.
      signal.addEventListener('abort', () => bot.signal('SIGTERM'));
      interruption.passTo((name) => {
        if (over.signal.aborted) bot.signal(name);
        else over.abort();
      });
      await bot.ready;
      return bot;
    };
    const played = playConversation({ stage, talk, printer, startBot });
    const exitCodes = await played.catch((error: unknown) => giveUp(error, { signal, printer }));
    if (interruption.signal() !== null) return [];
    if (options.verbose) showThread(printer, stage);
    const promises = checkDiscordPromises(collectDiscordFacts(stage, exitCodes));
    return showOutcome(promises, { printer, log: log.lines(), next });
  } finally {
    interruption.passTo(null);
    for (const bot of bots) bot.signal('SIGTERM');
    await Promise.allSettled(bots.map(({ ended }) => ended));
    await stage.close();
  }
}

/** What was not said in time is found missing below. */
function giveUp(
  error: unknown,
  { signal, printer }: { readonly signal: AbortSignal; readonly printer: Printer },
): readonly number[] {
  if (!signal.aborted) printer.block(`\n${toErrorMessage(error)}`);
  return [];
}

function introduce(printer: Printer, { discord, lmStudio }: Stage, envFile: string): void {
  printer.heading('The stage');
  printer.block(
    [
      `A simulated Discord at ${discord.apiUrl}, with the channel #general and the bot suzume.`,
      `A simulated LM Studio at ${lmStudio.baseUrl}. A script plays the model and knows only what its input contains.`,
      `The real bot: agent-discord --env ${envFile}`,
      'It stores nothing: for each answer it reads the thread again. --verbose prints its log and its requests.',
    ].join('\n'),
  );
}

function showThread(printer: Printer, { discord, lmStudio }: Stage): void {
  const [thread] = discord.threads();
  printer.heading('The thread');
  const starter = discord.lastMessages(discord.generalId).find(({ id }) => id === thread?.id);
  const inThread = thread === undefined ? [] : discord.lastMessages(thread.id);
  const said = [...(starter === undefined ? [] : [starter]), ...inThread].filter(
    ({ type }) => type === 0 || type === 19,
  );
  const parts = said.map(({ author, content }) => `@${author.username}:\n${quote(content, discord.bot)}`);
  printer.block(parts.join('\n\n'));
  printer.heading('The last request to the model');
  printer.block(lmStudio.inputs().at(-1) ?? 'Nothing.');
}

/** A mention is shown by its name, as people see it. */
function quote(content: string, bot: Stage['discord']['bot']): string {
  return content.replaceAll(`<@${bot.id}>`, `@${bot.username}`).replaceAll(/^/gm, '│ ');
}
