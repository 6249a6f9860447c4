import { type Account, type Comment, isSameAccount, type ReviewThread } from '@agent/platforms';
import { fitCommentBody } from '@agent/platforms/comments';
import { type Locale, parseCommands } from '@agent/text';
import { toCodeSpan } from '@agent/text/outgoing';
import type { DoIntent } from '../intents/do-intent.ts';
import type { Run } from '../run/run.ts';
import type { ReportedEnding } from '../run/run-ending.ts';
import { createTrust, type IsTrusted } from '../thread/trust.ts';
import { readFollowUp } from './follow-up-record.ts';
import { openRequestReview } from './followed-request.ts';
import { type GivenAnswer, readGivenAnswers } from './review-answer-tool.ts';
import { followUpTexts } from './texts.ts';

export interface AnswerReviewsOptions {
  readonly doIntent: DoIntent;
  readonly redactOutgoing: (text: string) => string;
  readonly now: () => number;
}

/** Answers, at the end of a round, the review threads in which somebody who may steer has the last word, and the model heard it. */
export type AnswerReviews = (
  run: Run,
  ending: Pick<ReportedEnding, 'outcome' | 'delivery' | 'hearing'>,
) => Promise<void>;

/** Longest part of the model's last words that stands in a review thread, in characters. */
const maxAnswerChars = 2_000;

/**
 * Creates it. A thread gets the answer that the model gave to its last word, else the last words of the round. It is resolved only where
 * that word asks for it by `/resolve`, or where the agent opened it and takes it for settled.
 */
export function createAnswerReviews({ doIntent, redactOutgoing, now }: AnswerReviewsOptions): AnswerReviews {
  return async (run, { outcome, delivery, hearing }) => {
    const { platform, ports } = run.thread;
    const { locale } = run.facts;
    const record = await readFollowUp(run.state);
    const review = record && openRequestReview(platform, { key: ports.key, number: record.number });
    const heard = new Set(hearing.comments.flatMap(({ id, delivered }) => (delivered ? [id] : [])));
    if (!review || ![...heard].some((id) => id.startsWith('line-'))) return;
    const ownAccount = await platform.platform.identity.whoAmI();
    const isTrusted = createTrust({
      policy: platform.trust,
      permissions: ports.permissions,
      ownAccount,
      now,
    });
    const given = await readGivenAnswers(run.state);
    const compose = (answer: GivenAnswer | null) =>
      composeAnswer(redactOutgoing(answer?.text ?? outcome.finalText ?? ''), {
        ...{ commit: delivery.commit === null ? null : toCodeSpan(delivery.commit.slice(0, 10)), locale },
        isOwn: answer !== null,
      });
    for (const one of await review.threads.list()) {
      const last = await findAsking(one, { heard, isTrusted });
      if (last === null) continue;
      const topic = `run:${run.uuid}:answer:${last.id}`;
      const kept = given.get(one.id) ?? null;
      const answer = kept?.to === last.id ? kept : null;
      const data = { reviewThread: one.id, topic, body: compose(answer) };
      const isSettled = isToBeResolved(one, { last, answer, ownAccount });
      const intent = { id: `review-answer:${last.id}`, kind: 'review-answer', data };
      const mayExist = (await run.outbox.list()).some(({ id }) => id === intent.id);
      await doIntent(run, {
        intent,
        perform: async () => {
          run.recordCheck.requireOwned();
          const { id, url } = await review.threads.answer({ ...data, mayExist });
          if (isSettled) await review.threads.resolve(one.id);
          return { id, url };
        },
      });
    }
  };
}

function composeAnswer(
  text: string,
  {
    commit,
    locale,
    isOwn,
  }: { readonly commit: string | null; readonly locale: Locale; readonly isOwn: boolean },
): string {
  const texts = followUpTexts[locale];
  const words = fitCommentBody(text, { maxChars: maxAnswerChars, locale });
  if (!isOwn) return `${texts.answer(commit)}\n\n${words}`;
  return commit === null ? words : `${words}\n\n${texts.pushed(commit)}`;
}

/** Tells whether a thread is closed with its answer. What the model says of it counts only where that may be. */
function isToBeResolved(
  { comments }: Pick<ReviewThread, 'comments'>,
  {
    last,
    answer,
    ownAccount,
  }: {
    readonly last: Pick<Comment, 'body'>;
    readonly answer: GivenAnswer | null;
    readonly ownAccount: Account;
  },
): boolean {
  const settled = answer?.resolved ?? null;
  if (asksToResolve(last.body)) return settled !== false;
  return settled === true && isSameAccount(comments[0]?.author ?? null, ownAccount);
}

/** Finds the last word of a thread, where it is somebody's who may steer and the model heard it. */
async function findAsking(
  { comments, resolved }: ReviewThread,
  { heard, isTrusted }: { readonly heard: ReadonlySet<string>; readonly isTrusted: IsTrusted },
) {
  const last = comments.at(-1) ?? null;
  if (last === null || resolved || !heard.has(last.id)) return null;
  return (await isTrusted(last.author)) ? last : null;
}

function asksToResolve(body: string): boolean {
  return parseCommands(body, ['resolve']).commands.length > 0;
}
