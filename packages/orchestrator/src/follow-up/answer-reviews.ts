import { fitCommentBody, type ReviewThread } from '@agent/platforms';
import { parseCommands } from '@agent/text';
import { createTrust, type IsTrusted } from '../inbox/trust.ts';
import type { DoIntent } from '../outbox/do-intent.ts';
import type { Run } from '../run/run.ts';
import type { ReportedEnding } from '../run/run-ending.ts';
import { readFollowUp } from './follow-up-record.ts';
import { openRequestReview } from './followed-request.ts';
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

/** Creates it. A thread is resolved only where the word that is answered asks for that by `/resolve`. */
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
    const said = followUpTexts[locale].answer(delivery.commit?.slice(0, 10) ?? null);
    const words = fitCommentBody(redactOutgoing(outcome.finalText ?? ''), {
      maxChars: maxAnswerChars,
      locale,
    });
    for (const one of await review.threads.list()) {
      const last = await findAsking(one, { heard, isTrusted });
      if (last === null) continue;
      const topic = `run:${run.uuid}:answer:${last.id}`;
      const data = { reviewThread: one.id, topic, body: `${said}\n\n${words}` };
      await doIntent(run, {
        intent: { id: `review-answer:${last.id}`, kind: 'review-answer', data },
        perform: async () => {
          run.recordCheck.requireOwned();
          const { id, url } = await review.threads.answer(data);
          if (asksToResolve(last.body)) await review.threads.resolve(one.id);
          return { id, url };
        },
      });
    }
  };
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
