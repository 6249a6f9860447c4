import { CheckFailure, RehearsalEnd } from '@agent/rehearsal';
import type { Question, RehearsalContext } from './rehearsal-context.ts';

/** A message that the user is asked to write. */
export interface MessageToWrite {
  readonly channelId: string;
  readonly marker: string;
  /** Shown to the user. */
  readonly instruction: string;
}

/** Asks the user to write a message, and waits until Discord lists it. @throws RehearsalEnd, CheckFailure if the bot received it and it is never listed */
export async function askForMessage(
  context: RehearsalContext,
  { channelId, marker, instruction }: MessageToWrite,
): Promise<Question> {
  const { tell, texts, clock, waitLimits, created, results, advise } = context.parts;
  created.isAsked = true;
  tell(instruction);
  const seenAt = (): number | null => context.listModelRequests(marker)[0]?.at ?? null;
  const isLate = (): boolean => clock.now() - (seenAt() ?? clock.now()) > waitLimits.freshMs;
  let lateSince: number | null = null;
  const found = await context.waitFor('step', async () => {
    const listed = await findMessage(context, channelId, marker);
    if (listed !== null) return listed;
    if (!isLate()) return null;
    const lateMs = clock.now() - (seenAt() ?? 0);
    lateSince ??= clock.now();
    const text = texts.listLate((lateMs / 1_000).toFixed(1));
    results.add('fresh-list', advise('fresh-list', { status: 'failed', text }));
    // A list that is only late shows it after a while.
    return clock.now() - lateSince > waitLimits.platformMs ? 'never' : null;
  });
  if (found === 'never') {
    // The first message was listed in time, so that the result of the list has passed.
    if (results.passed('fresh-list'))
      throw new CheckFailure(
        texts.listLate((waitLimits.platformMs / 1_000).toFixed(1)),
        texts.fixes['fresh-list'],
      );
    throw new RehearsalEnd(texts.notReached);
  }
  if (found === null) throw new CheckFailure(texts.stepNotSeen, texts.fixesByCause.step);
  const question = { id: found.id, channelId, marker };
  created.questions.push(question);
  const receivedAt = seenAt();
  const lag = receivedAt === null ? 0 : Math.max(0, clock.now() - receivedAt);
  if (created.questions.length === 1)
    results.add('fresh-list', { status: 'passed', text: texts.listFresh((lag / 1_000).toFixed(1)) });
  return question;
}

/** Asks the user to edit the last message, and waits until Discord lists the new text. */
export async function askForEdit(
  context: RehearsalContext,
  question: Question,
  { marker, instruction }: Pick<MessageToWrite, 'marker' | 'instruction'>,
): Promise<void> {
  context.parts.tell(instruction);
  await context.until('step', async () => {
    const found = await findMessage(context, question.channelId, marker);
    return found?.id === question.id ? true : null;
  });
}

/** Asks the user to delete the last message, and waits until Discord no longer lists it. */
export async function askForDeletion(context: RehearsalContext, question: Question): Promise<void> {
  const { tell, texts, created } = context.parts;
  tell(texts.steps.remove);
  await context.until('step', async () => {
    const all = await context.listMessages(question.channelId);
    return all.some(({ id }) => id === question.id) ? null : true;
  });
  created.questions.splice(created.questions.indexOf(question), 1);
}

async function findMessage(context: RehearsalContext, channelId: string, marker: string) {
  const { bot } = context.parts;
  const all = await context.listMessages(channelId);
  return all.find(({ author, content }) => author.id !== bot.id && content.includes(`${marker}:`)) ?? null;
}
