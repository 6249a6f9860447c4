import { CheckFailure } from '@agent/rehearsal';
import { askForMessage } from '../ask-user.ts';
import type { Question, RehearsalContext } from '../rehearsal-context.ts';

/** Starts the bot. @returns false if it does not connect */
export function checkStart(context: RehearsalContext): Promise<boolean> {
  const { child, texts, clock } = context.parts;
  return context.check('start', async () => {
    const startedAt = clock.now();
    child.start();
    await untilConnected(context);
    return { status: 'passed', text: texts.started(context.seconds(startedAt)) };
  });
}

/** Waits until the running process has connected. */
export async function untilConnected(context: RehearsalContext): Promise<void> {
  const { child } = context.parts;
  const { life } = child;
  await context.until('start', async () =>
    child.lines.some((line) => line.life === life && line.message === 'connected to Discord') ? true : null,
  );
}

/** Checks that a mention is answered in a thread. @returns false if there is no thread to continue in */
export async function checkMention(context: RehearsalContext): Promise<boolean> {
  const { texts, created, bot, channelName, clock } = context.parts;
  const marker = `${created.id}-1`;
  let question: Question | null = null;
  const isAnswered = await context.check('mention', async () => {
    const text = `<@${bot.id}> ${texts.messages.mention(marker)}`;
    const instruction = texts.steps.mention(channelName, text);
    question = await askForMessage(context, { channelId: created.channelId, marker, instruction });
    const askedAt = clock.now();
    const answer = await untilReceived(context, question);
    if (answer === null) throw await toMissed(context, question);
    if (!hasPosted(context, answer.channel_id))
      throw new CheckFailure(texts.otherProcess, texts.fixesByCause.otherProcess);
    created.threadId = answer.channel_id === question.id ? question.id : null;
    return { status: 'passed', text: texts.answered(context.seconds(askedAt)) };
  });
  if (!isAnswered || question === null) return false;
  const { id } = question as Question;
  await context.check('reaction', async () => {
    const found = await context.waitFor('platform', async () => {
      const message = (await context.listMessages(created.channelId)).find((one) => one.id === id);
      return message?.reactions?.some(({ me, emoji }) => me && emoji.name === '👀') === true ? true : null;
    });
    return found === null
      ? { status: 'failed', text: texts.notReacted }
      : { status: 'passed', text: texts.reacted };
  });
  return context.check('thread', async () =>
    created.threadId === null
      ? { status: 'failed', text: texts.notInThread }
      : { status: 'passed', text: texts.inThread },
  );
}

/** Explains why the bot shows no sign of a message. */
async function toMissed(context: RehearsalContext, question: Question): Promise<Error> {
  const { texts, bot } = context.parts;
  const message = (await context.listMessages(question.channelId)).find(({ id }) => id === question.id);
  return message?.content.includes('<@') === false
    ? new CheckFailure(texts.notMentioned(bot.name), texts.fixesByCause.notMentioned)
    : new Error(texts.notReceived);
}

/** Checks whether the bot of this rehearsal posted a message in a channel or thread. Discord can list it before it answers the request. */
function hasPosted({ parts }: RehearsalContext, channelId: string): boolean {
  return parts.discord.requests.some(
    ({ method, path, status }) =>
      method === 'POST' &&
      (status === null || status < 300) &&
      path.endsWith(`/channels/${channelId}/messages`),
  );
}

/** Waits for the answer; null if the bot shows no sign that it received the message. @throws CheckFailure if it ignores the message, or another process answers */
async function untilReceived(context: RehearsalContext, question: Question) {
  const { child, texts, model } = context.parts;
  const { fixesByCause } = texts;
  const isReceived = await context.waitFor('platform', async () => {
    const isAnswered = (await context.findAnswers(question)).length > 0;
    const isAsked = context.listModelRequests(question.marker).length > 0;
    const logged = child.lines.filter(({ fields }) => fields.messageId === question.id);
    if (logged.some(({ message }) => message === 'skipped message: not on an allow list'))
      throw new CheckFailure(texts.notAllowed, fixesByCause.notAllowed);
    if (isAnswered && model !== null && !isAsked)
      throw new CheckFailure(texts.otherProcess, fixesByCause.otherProcess);
    return isAnswered || isAsked || logged.length > 0 ? true : null;
  });
  return isReceived === null ? null : context.untilAnswered(question);
}

/** Lets the user write in the thread. `number`: of the message in this rehearsal. */
export async function post(
  context: RehearsalContext,
  number: number,
  toText: (marker: string) => string,
): Promise<Question> {
  const { texts, created } = context.parts;
  const marker = `${created.id}-${number}`;
  const instruction = texts.steps.post(toText(marker));
  return askForMessage(context, { channelId: created.threadId ?? created.channelId, marker, instruction });
}

/** Checks that a message in the thread continues the conversation. */
export async function checkConversation(context: RehearsalContext): Promise<void> {
  const { texts, created, model } = context.parts;
  await context.check('conversation', async () => {
    const question = await post(context, 2, texts.messages.conversation);
    await context.untilAnswered(question);
    if (model === null) return { status: 'not-supported', text: texts.noView };
    const last = context.listModelRequests(question.marker).at(-1);
    return last?.body.includes(`Rehearsal ${created.id}-1:`) === true
      ? { status: 'passed', text: texts.conversationKnown }
      : { status: 'failed', text: texts.conversationUnknown };
  });
}
