import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@agent/simulators/postgres';
import { findOpencode, installOpencode, opencodeVersion } from '@agent/simulators/real-agents';
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
import { type ConversationArguments, readArguments } from './read-arguments.ts';
import { scriptConversation } from './script-conversation.ts';

const killCounts = [0, 1, 3];
const scriptedCount = 2;
/** Conversations that a program plays which starts slowly. */
const slowCount = 2;
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
      // Most of a play is waiting for the model.
      await Promise.all(Array.from({ length: 1 + availableParallelism() }, work));
    } finally {
      tasks.splice(0);
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

async function listConversations({
  file,
  seed,
  rounds,
}: ConversationArguments): Promise<readonly Conversation[]> {
  if (file !== null) return parseConversations(await readFile(file, 'utf8'), { file });
  const scripted = Array.from({ length: scriptedCount * rounds }, (_, index) =>
    scriptConversation(seed * 1_000 + index),
  );
  return [...parseConversations(await readFile(recorded, 'utf8'), { file: recorded }), ...scripted];
}

async function choosePrograms({
  opencode,
  only,
}: ConversationArguments): Promise<readonly MeasuredProgram[]> {
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
  {
    conversations,
    seed,
    rounds,
  }: ConversationArguments & { readonly conversations: readonly Conversation[] },
): Task[] {
  return programs.flatMap((program) =>
    killCounts.flatMap((drawn) =>
      conversations.slice(0, program.isSlow ? slowCount : undefined).flatMap((conversation, index) =>
        // Without kills a round is like the other.
        Array.from({ length: drawn === 0 ? 1 : rounds }, (_, round) => {
          const own = (seed * 1_000 + index) * 1_000 + drawn * 100 + round;
          return { program, conversation, drawn, kills: drawKills(drawn, { seed: own, conversation }) };
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

function listNotes(
  { seed, rounds, file }: ConversationArguments,
  plays: readonly JudgedPlay[],
): readonly string[] {
  const drawn = plays.reduce((sum, play) => sum + play.drawn, 0);
  const killed = plays.reduce((sum, play) => sum + play.killed, 0);
  return [
    `--seed ${seed} --rounds ${rounds}${file === null ? '' : ` --file ${file}`}: ${plays.length} plays, ${killed} of ${drawn} kills before the program had ended.`,
    'Lost and duplicated: comments in none, or more than one, of the messages of the user in the last request. Late: requests after a comment or an edit that lacked it, before the first that has it; a request that a kill broke off is one, and its repetition another.',
    'The clocks of the forge and of the programs are 50 times as fast; the model answers after 140 ms, which are 7 s by them.',
    `opencode ${opencodeVersion} is measured where it is installed, or with --opencode; it starts slowly and plays ${slowCount} of the conversations.`,
  ];
}
