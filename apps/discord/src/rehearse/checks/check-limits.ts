import { isUnfinished } from '@agent/thread-context/chat';
import type { RehearsalContext } from '../rehearsal-context.ts';
import { post } from './check-conversation.ts';

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

/** Checks that Discord sends the headers of rate limits, and limited no request of the bot. */
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
