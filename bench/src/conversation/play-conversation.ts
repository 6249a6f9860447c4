import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type FaultyModelRequest, type ModelReaction, startFaultyModel } from '@agent/simulators/model';
import { z } from 'zod';
import type { Conversation } from './conversation.ts';
import type { ConversationForge } from './conversation-forge.ts';
import type { Kill } from './draw-kills.ts';
import type { ModelCall, Play } from './judge-play.ts';
import { KillSwitch } from './kill-switch.ts';
import type { Place } from './place.ts';
import { startProgram } from './program-life.ts';
import type { MeasuredProgram } from './programs.ts';

/** A play of one conversation with one program. */
export interface PlayOptions {
  readonly program: MeasuredProgram;
  readonly conversation: Conversation;
  readonly kills: readonly Kill[];
  readonly forge: ConversationForge;
  readonly postgresUrl: string | null;
}

/** Milliseconds that the model takes for an answer: seven seconds by the fast clock. */
const modelMs = 140;
const patienceMs = 120_000;

/** Plays a conversation: the program is started as often as it was killed, until it ends by itself. */
export async function playConversation(options: PlayOptions): Promise<Play & { readonly kills: number }> {
  const { program, conversation, forge, postgresUrl } = options;
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'conversation-')));
  const kills = new KillSwitch(options.kills);
  const calls: ModelCall[] = [];
  const doneAt: (number | null)[] = conversation.acts.map(() => null);
  const { thread, act } = forge.openThread(conversation.name, () => kills.onListing());
  const place: Omit<Place, 'baseUrl'> = {
    ...{ forgeUrl: forge.url, token: forge.token, epoch: forge.epoch, thread, directory, postgresUrl },
    ...{ task: conversation.task, turns: conversation.turns, agent: program.agent },
  };
  const answer = async (request: FaultyModelRequest): Promise<ModelReaction> => {
    const { userMessages, turn, isTitle } = readRequest(request);
    if (isTitle) return { kind: 'say', text: 'A title' };
    const index = calls.push({ userMessages }) - 1;
    for (const [at, next] of conversation.acts.entries()) {
      if (doneAt[at] !== null || next.turn > turn) continue;
      doneAt[at] = index;
      act(next);
    }
    kills.onCall(turn);
    await wait(modelMs);
    kills.onAnswer();
    return turn < conversation.turns ? callTool(request, index) : { kind: 'say', text: 'All of it is done.' };
  };
  try {
    for (let end = 'killed'; end === 'killed'; ) end = await live({ program, place, kills, answer });
    return { calls, doneAt, kills: kills.done };
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Lets one process live, with an endpoint of its own: what is left of it can ask nobody once it was killed. */
async function live({
  program,
  place,
  kills,
  answer,
}: {
  readonly program: MeasuredProgram;
  readonly place: Omit<Place, 'baseUrl'>;
  readonly kills: KillSwitch;
  readonly answer: (request: FaultyModelRequest) => Promise<ModelReaction>;
}): Promise<'done' | 'killed'> {
  let isOver = false;
  const model = await startFaultyModel(async (request) => (isOver ? { kind: 'hang' } : answer(request)));
  const life = startProgram(program.file, { ...place, baseUrl: model.baseUrl });
  kills.aim(() => {
    isOver = true;
    life.kill();
  });
  let isLate = false;
  const patience = setTimeout(() => {
    isLate = true;
    life.kill();
  }, patienceMs);
  try {
    const end = await life.ended;
    if (isLate) throw new Error(`${program.name} did not end within ${patienceMs} ms.`);
    return end;
  } finally {
    clearTimeout(patience);
    kills.disarm();
    await model.close();
  }
}

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().nullish() }))]).nullish();
const requestSchema = z.object({
  messages: z.array(z.object({ role: z.string(), content })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
});

/** A request's turn is told by what it holds, so that one which is repeated after a kill is of the same turn. */
function readRequest({ body, written }: FaultyModelRequest) {
  const { messages } = requestSchema.parse(body);
  const texts = messages
    .filter(({ role }) => role === 'user')
    .map(({ content: said }) =>
      typeof said === 'string' ? said : (said ?? []).map(({ text }) => text ?? '').join('\n'),
    );
  const turn = 1 + messages.filter(({ role }) => role === 'assistant').length;
  return { userMessages: texts, turn, isTitle: written.includes('title generator') };
}

function callTool({ body }: FaultyModelRequest, index: number): ModelReaction {
  const names = (requestSchema.parse(body).tools ?? []).map((tool) => tool.function.name);
  // opencode has a shell, all others a tool that does nothing; the scripted agent follows its script.
  const name = names.includes('bash') ? 'bash' : (names[0] ?? null);
  if (name === null) return { kind: 'say', text: 'Go on.' };
  const input = name === 'bash' ? { command: 'true', description: 'Does nothing' } : {};
  return { kind: 'call', calls: [{ id: `call-${index}`, name, arguments: JSON.stringify(input) }] };
}
