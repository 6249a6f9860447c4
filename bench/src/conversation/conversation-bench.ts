import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findOpencode, installOpencode, opencodeVersion } from '@agent/simulators/acp';
import { startPostgres } from '@agent/simulators/postgres';
import { toErrorMessage } from '@agent/text';
import type { Bench } from '../report.ts';
import type { Conversation } from './conversation.ts';
import { startConversationForge } from './conversation-forge.ts';
import { type JudgedPlay, toConversationReport } from './conversation-report.ts';
import { drawKills } from './draw-kills.ts';
import { judgePlay } from './judge-play.ts';
import { parseConversations } from './parse-conversations.ts';
import { type PlayOptions, playConversation } from './play-conversation.ts';
import { listPrograms, type MeasuredProgram } from './programs.ts';
import { scriptConversation } from './script-conversation.ts';

const killCounts = [0, 1, 3];
const scriptedCount = 2;
const recorded = fileURLToPath(new URL('./recorded/threads.jsonl', import.meta.url));

/** What becomes of what people say while an agent works, over kills: our ways to hear beside others'. */
export const conversationBench: Bench = {
  name: 'conversation',
  fromSources: true,
  takesArguments: true,
  run: async ({ onProgress, args }) => {
    const options = readArguments(args);
    const conversations = await listConversations(options);
    const programs = await choosePrograms(options);
    const postgres = programs.some(({ needsPostgres }) => needsPostgres) ? await tryPostgres() : null;
    const forge = await startConversationForge();
    const surroundings = { forge, postgresUrl: postgres?.url ?? null };
    const able = programs.filter(({ needsPostgres }) => !needsPostgres || postgres !== null);
    const tasks = listTasks(able, { ...options, conversations });
    const plays: JudgedPlay[] = [];
    const work = async (): Promise<void> => {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
        onProgress(
          `${task.program.name}, ${task.drawn} kills, ${task.conversation.name} (${tasks.length} left)`,
        );
        plays.push(await playTask(task, { ...surroundings, onProgress }));
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
    } finally {
      await forge.close();
      await postgres?.remove();
    }
    const order = new Map(able.map(({ name }, index) => [name, index]));
    plays.sort((a, b) => (order.get(a.program.name) ?? 0) - (order.get(b.program.name) ?? 0));
    return toConversationReport(plays, {
      notes: [
        ...listNotes(options, plays),
        ...(able.length < programs.length
          ? ['LangGraph is left out: no PostgreSQL could be started here.']
          : []),
      ],
    });
  },
};

interface Arguments {
  readonly seed: number;
  readonly rounds: number;
  readonly file: string | null;
  readonly opencode: boolean;
  readonly only: string | null;
}

function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '1' },
      file: { type: 'string' },
      only: { type: 'string' },
      opencode: { type: 'boolean', default: false },
    },
  });
  const [seed, rounds] = [Number(values.seed), Number(values.rounds)];
  if (!Number.isSafeInteger(seed) || seed < 0) throw new TypeError('--seed takes a whole number from 0.');
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    throw new TypeError('--rounds takes a whole number from 1.');
  const { file = null, only = null, opencode } = values;
  return { seed, rounds, file, opencode, only };
}

async function listConversations({ file, seed, rounds }: Arguments): Promise<readonly Conversation[]> {
  if (file !== null) return parseConversations(await readFile(file, 'utf8'), { file });
  const scripted = Array.from({ length: scriptedCount * rounds }, (_, index) =>
    scriptConversation(seed * 1_000 + index),
  );
  return [...parseConversations(await readFile(recorded, 'utf8'), { file: recorded }), ...scripted];
}

async function choosePrograms({ opencode, only }: Arguments): Promise<readonly MeasuredProgram[]> {
  const command = opencode ? await installOpencode(process.env) : findOpencode(process.env);
  const programs = listPrograms({ opencode: command });
  const chosen = programs.filter(({ name }) => only === null || name.includes(only));
  if (chosen.length > 0) return chosen;
  throw new TypeError(
    `--only ${only} names no program; there are: ${programs.map(({ name }) => name).join('; ')}.`,
  );
}

async function tryPostgres() {
  return startPostgres({ settings: { max_connections: '100' } }).catch(() => null);
}

interface Task extends Pick<PlayOptions, 'program' | 'conversation' | 'kills'> {
  readonly drawn: number;
}

/** All programs get the same conversations and the same kills. */
function listTasks(
  programs: readonly MeasuredProgram[],
  { conversations, seed, rounds }: Arguments & { readonly conversations: readonly Conversation[] },
): Task[] {
  return programs.flatMap((program) =>
    killCounts.flatMap((drawn) =>
      conversations.flatMap((conversation, index) =>
        // Without kills a round is like the other.
        Array.from({ length: drawn === 0 ? 1 : rounds }, (_, round) => {
          const from = {
            seed: (seed * 1_000 + index) * 1_000 + drawn * 100 + round,
            turns: conversation.turns,
          };
          return { program, conversation, drawn, kills: drawKills(drawn, from) };
        }),
      ),
    ),
  );
}

async function playTask(
  { drawn, ...task }: Task,
  {
    onProgress,
    ...surroundings
  }: Pick<PlayOptions, 'forge' | 'postgresUrl'> & { readonly onProgress: (message: string) => void },
): Promise<JudgedPlay> {
  const { program, conversation, kills } = task;
  const play = await playConversation({ ...task, ...surroundings }).catch((error) => {
    const told = `${program.name}, "${conversation.name}", kills ${JSON.stringify(kills)}`;
    throw new Error(`${told}: ${toErrorMessage(error)}`, { cause: error });
  });
  const judgement = judgePlay(conversation, play);
  const { lost, duplicated, outOfOrder, edits, deletions } = judgement;
  const late = judgement.late.filter(({ calls }) => calls > 1);
  const isFlawless =
    [lost, duplicated, outOfOrder, late].every(({ length }) => length === 0) &&
    [edits, deletions].every(({ heard, of }) => heard === of);
  if (program.kind === 'ours' && !isFlawless)
    onProgress(
      `FAULT: ${program.name}, "${conversation.name}", kills ${JSON.stringify(kills)}: ${JSON.stringify(judgement)}`,
    );
  return { program, drawn, killed: play.kills, judgement };
}

function listNotes({ seed, rounds, file }: Arguments, plays: readonly JudgedPlay[]): readonly string[] {
  const drawn = plays.reduce((sum, play) => sum + play.drawn, 0);
  const killed = plays.reduce((sum, play) => sum + play.killed, 0);
  return [
    `--seed ${seed} --rounds ${rounds}${file === null ? '' : ` --file ${file}`}: ${plays.length} plays, ${killed} of ${drawn} kills before the program had ended.`,
    'Lost and duplicated: comments in none, or more than one, of the messages of the user in the last request. Late: requests after a comment or an edit that lacked it, before the first that has it; a request that a kill broke off is one, and its repetition another.',
    'The clocks of the forge and of the programs are 100 times as fast; the model answers after 40 ms, which are 4 s by them.',
    `opencode ${opencodeVersion} is measured where it is installed, or with --opencode.`,
  ];
}
