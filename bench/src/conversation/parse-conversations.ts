import { z } from 'zod';
import type { Conversation, TimedAct } from './conversation.ts';

const turn = z.int().min(1);
const id = z.string().min(1);
const text = z.string().regex(/\S/u, 'has to say something').max(65_536);
const taskLine = z.strictObject({
  do: z.literal('task'),
  name: z.string().min(1),
  text,
  turns: z.int().min(1).max(100),
});
const line = z.discriminatedUnion('do', [
  taskLine,
  z.strictObject({ do: z.literal('say'), turn, id, by: z.string().regex(/^[a-z][a-z0-9-]*$/u), text }),
  z.strictObject({ do: z.literal('edit'), turn, id, text }),
  z.strictObject({ do: z.literal('delete'), turn, id }),
]);
type Line = z.infer<typeof line>;

/** A file of conversations that cannot be replayed; the message names the line and the field. */
export class ConversationFileError extends Error {
  override readonly name = 'ConversationFileError';
}

/** A conversation whose lines are still read. */
interface Draft {
  readonly task: z.infer<typeof taskLine>;
  readonly acts: TimedAct[];
  /** Comments that stand on the thread, and those that were deleted. */
  readonly standing: Map<string, 'there' | 'deleted'>;
}

/**
 * Reads conversations in JSON Lines: a `task` line begins each, the lines of people follow it in the order of their time.
 *
 * @throws {ConversationFileError} which names the line and the field that are wrong
 */
export function parseConversations(
  written: string,
  { file }: { readonly file: string },
): readonly Conversation[] {
  const drafts: Draft[] = [];
  for (const [index, json] of written.split('\n').entries()) {
    if (json.trim() === '') continue;
    const refuse = (field: string, problem: string): never => {
      throw new ConversationFileError(`${file}, line ${index + 1}, field ${field}: ${problem}`);
    };
    const read = parseLine(json, refuse);
    if (read.do === 'task') {
      if (drafts.some(({ task }) => task.name === read.name))
        refuse('name', `there is a conversation "${read.name}" already`);
      drafts.push({ task: read, acts: [], standing: new Map() });
    } else {
      const draft = drafts.at(-1) ?? refuse('do', 'a conversation begins with a line whose "do" is "task"');
      addAct(draft, { act: read, refuse });
    }
  }
  if (drafts.length === 0) throw new ConversationFileError(`${file}: there is no conversation in it`);
  return drafts.map(({ task, acts }) => ({ name: task.name, task: task.text, turns: task.turns, acts }));
}

type Refuse = (field: string, problem: string) => never;

function parseLine(json: string, refuse: Refuse): Line {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    refuse('(the line)', `is no JSON: ${(error as Error).message}`);
  }
  const parsed = line.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const named = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.path.join('.');
  return refuse(named || '(the line)', issue?.message ?? 'is wrong');
}

function addAct(draft: Draft, { act, refuse }: { readonly act: TimedAct; readonly refuse: Refuse }): void {
  const { task, acts, standing } = draft;
  const last = acts.at(-1)?.turn ?? 1;
  if (act.turn < last)
    refuse('turn', `comes after a line of turn ${last}: lines stand in the order of their time`);
  if (act.turn > task.turns) refuse('turn', `the conversation has ${task.turns} turns`);
  const known = standing.get(act.id);
  if (act.do === 'say' && known !== undefined) refuse('id', `there is a comment "${act.id}" already`);
  if (act.do !== 'say' && known !== 'there') refuse('id', `no comment "${act.id}" stands there`);
  if (act.do !== 'delete') {
    // The judge finds a comment by its words.
    const same = listTexts(draft).find((said) => said.includes(act.text) || act.text.includes(said));
    if (same !== undefined) refuse('text', `holds another text, or stands in it: "${same.slice(0, 60)}"`);
  }
  standing.set(act.id, act.do === 'delete' ? 'deleted' : 'there');
  acts.push(act);
}

function listTexts({ task, acts }: Draft): readonly string[] {
  return [task.text, ...acts.flatMap((act) => (act.do === 'delete' ? [] : [act.text]))];
}
