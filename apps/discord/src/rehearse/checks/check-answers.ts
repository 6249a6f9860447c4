import { CheckFailure, type Verdict } from '@agent/rehearsal';
import { isUnfinished } from '@agent/thread-context/chat';
import { askForDeletion, askForEdit, askForMessage } from '../ask-user.ts';
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
  await context.until('platform', async () =>
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
    if (answer === null) throw new Error(texts.notReceived);
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

/** Waits for the answer; null if the bot shows no sign that it received the message. @throws CheckFailure if it ignores the message, or another process answers */
async function untilReceived(context: RehearsalContext, question: Question) {
  const { child, texts, model } = context.parts;
  const has = (message: string): boolean =>
    child.lines.some((line) => line.message === message && line.fields.messageId === question.id);
  const { fixesByCause } = texts;
  const isReceived = await context.waitFor('platform', async () => {
    if (has('skipped message: not on an allow list'))
      throw new CheckFailure(texts.notAllowed, fixesByCause.notAllowed);
    const isAnswered = (await context.findAnswers(question)).length > 0;
    if (isAnswered && model !== null && context.listModelRequests(question.marker).length === 0)
      throw new CheckFailure(texts.otherProcess, fixesByCause.otherProcess);
    const isAsked = context.listModelRequests(question.marker).length > 0;
    return isAnswered || isAsked || child.lines.some(({ fields }) => fields.messageId === question.id)
      ? true
      : null;
  });
  return isReceived === null ? null : context.untilAnswered(question);
}

/** Writes in the thread, and waits for the answer. */
async function post(
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
    const last = context.listModelRequests(question.marker).at(-1);
    return model === null || last?.body.includes(`Rehearsal ${created.id}-1:`) === true
      ? { status: 'passed', text: texts.conversationKnown }
      : { status: 'failed', text: texts.conversationUnknown };
  });
}

/** Makes a check while requests to the model wait. */
async function checkHeld(
  context: RehearsalContext,
  name: 'edit' | 'deletion' | 'queue' | 'crash',
  make: () => Promise<Verdict>,
): Promise<boolean> {
  const { model, texts } = context.parts;
  return context.check(name, async () => {
    if (model === null) return { status: 'not-supported', text: texts.noHold };
    model.hold();
    try {
      return await make();
    } finally {
      model.release();
    }
  });
}

/** Waits until the model was asked for the answer to a message. */
async function untilAsked(context: RehearsalContext, marker: string): Promise<void> {
  await context.until('platform', async () => (context.listModelRequests(marker).length > 0 ? true : null));
}

/** Checks that a message edited before its answer is answered with its new text. */
export async function checkEdit(context: RehearsalContext): Promise<void> {
  const { texts, created, model } = context.parts;
  await checkHeld(context, 'edit', async () => {
    const question = await post(context, 3, texts.messages.original);
    await untilAsked(context, question.marker);
    const marker = `${created.id}-4`;
    const instruction = texts.steps.edit(texts.messages.edited(marker));
    await askForEdit(context, question, { marker, instruction });
    const isAsked = await context.waitFor('platform', async () =>
      context.listModelRequests(marker).length > 0 ? true : null,
    );
    model?.release();
    await context.untilAnswered(question);
    return isAsked === null
      ? { status: 'failed', text: texts.editIgnored }
      : { status: 'passed', text: texts.editApplied };
  });
}

/** Checks that a message deleted before its answer is not answered. */
export async function checkDeletion(context: RehearsalContext): Promise<void> {
  const { texts } = context.parts;
  await checkHeld(context, 'deletion', async () => {
    const question = await post(context, 5, texts.messages.deleted);
    await untilAsked(context, question.marker);
    await askForDeletion(context, question);
    const isAbandoned = await context.waitFor('platform', async () =>
      context.listModelRequests(question.marker).every(({ state }) => state === 'abandoned') ? true : null,
    );
    return isAbandoned === null
      ? { status: 'failed', text: texts.deletionIgnored }
      : { status: 'passed', text: texts.deletionApplied };
  });
}

/** Checks that messages that arrive while the model works are each answered once, in their order. */
export async function checkQueue(context: RehearsalContext): Promise<void> {
  const { texts, model } = context.parts;
  await checkHeld(context, 'queue', async () => {
    const first = await post(context, 6, texts.messages.first);
    await untilAsked(context, first.marker);
    const second = await post(context, 7, texts.messages.second);
    model?.release();
    const answers = [await context.untilAnswered(first), await context.untilAnswered(second)];
    const counts = [first, second].map(({ marker }) => context.listModelRequests(marker).length);
    if (counts.some((count) => count > 1)) return { status: 'failed', text: texts.askedTwice };
    const [one = 0n, other = 0n] = answers.map(({ id }) => BigInt(id));
    return one < other
      ? { status: 'passed', text: texts.queued }
      : { status: 'failed', text: texts.wrongOrder };
  });
}

/** Kills the bot while it answers, and checks that after a restart each message is answered once. */
export async function checkCrash(context: RehearsalContext): Promise<void> {
  const { texts, child, model } = context.parts;
  await checkHeld(context, 'crash', async () => {
    const begun = await post(context, 8, texts.messages.first);
    await untilAsked(context, begun.marker);
    await child.kill();
    const missed = await post(context, 9, texts.messages.second);
    model?.release();
    child.start();
    await untilConnected(context);
    for (const question of [begun, missed]) {
      const isAnswered = await context.waitFor('model', async () =>
        (await context.findAnswers(question)).length > 0 ? true : null,
      );
      if (isAnswered === null) return { status: 'failed', text: texts.notRecovered };
      await context.untilAnswered(question);
    }
    return { status: 'passed', text: texts.recovered };
  });
}

/** Characters that one message of Discord can have. */
const maxMessageChars = 2_000;

/** Checks that an answer that is too long for one message is split. */
export async function checkLongAnswer(context: RehearsalContext, maxAnswerChars: number): Promise<void> {
  const { texts } = context.parts;
  await context.check('long-answer', async () => {
    if (maxAnswerChars <= maxMessageChars)
      return { status: 'not-supported', text: texts.limited(maxAnswerChars) };
    const question = await post(context, 10, texts.messages.long);
    const first = await context.untilAnswered(question);
    const parts = await context.until('model', async () => {
      const all = await context.listMessages(first.channel_id);
      const found = all.filter(
        ({ id, message_reference: at }) => id === first.id || at?.message_id === first.id,
      );
      return found.some(({ content }) => isUnfinished(content)) ? null : found;
    });
    const chars = parts.reduce((sum, { content }) => sum + content.length, 0);
    return parts.length > 1
      ? { status: 'passed', text: texts.split(parts.length) }
      : { status: 'not-supported', text: texts.short(chars) };
  });
}

/** Looks at the answers of Discord to the bot. */
export async function checkRateLimit(context: RehearsalContext): Promise<void> {
  const { texts, discord } = context.parts;
  await context.check('rate-limit', async () => {
    const answers = discord.requests.flatMap(({ status, headers }) =>
      headers === null ? [] : [{ status, headers }],
    );
    // A shared limit of a resource is no fault of the bot.
    const limited = answers.filter(
      ({ status, headers }) => status === 429 && headers.get('x-ratelimit-scope') !== 'shared',
    );
    const waits = limited.map(({ headers }) => Number(headers.get('retry-after') ?? 0));
    if (limited.length > 0)
      return {
        status: 'failed',
        text: texts.limitedRequests(limited.length, Math.max(...waits).toFixed(1)),
      };
    return answers.some(({ headers }) => headers.has('x-ratelimit-remaining'))
      ? { status: 'passed', text: texts.rateLimit }
      : { status: 'not-supported', text: texts.noRateLimit };
  });
}

/** Checks that no message was answered twice. */
export async function checkReport(context: RehearsalContext): Promise<void> {
  const { texts, created } = context.parts;
  await context.check('report', async () => {
    const counts = await Promise.all(
      created.questions.map(async (question) => (await context.findAnswers(question)).length),
    );
    const twice = counts.filter((count) => count > 1).length;
    return twice === 0
      ? { status: 'passed', text: texts.reported(counts.length) }
      : { status: 'failed', text: texts.answeredTwice(twice) };
  });
}
