import { formatReviewBody } from '@agent/text';
import * as z from 'zod';
import { inOrder, moveCursor } from '../listings/comment-listing.ts';
import type { Comment, ReviewSubject } from '../model.ts';
import type { CallOptions } from '../ports.ts';
import type { ProvenSource } from '../review-ports.ts';
import { time, toAccount, userSchema } from './gitlab-answers.ts';
import { type GitLabThreadContext, toThreadRoute } from './gitlab-context.ts';

const approvalsSchema = z.object({
  created_at: time.nullish(),
  approved_by: z.array(z.object({ user: userSchema.nullish(), approved_at: time.nullish() })).nullish(),
});
const reviewerSchema = z.object({
  user: userSchema.nullish(),
  state: z.string().nullish(),
  created_at: time.nullish(),
});

/** Verdict of an account on a merge request. */
interface Verdict {
  readonly user: z.output<typeof userSchema>;
  readonly state: ReviewSubject['state'];
  readonly at: string;
}

/**
 * Shows who approved a merge request and who requested changes. GitLab keeps the present verdict of each account, not a review for each
 * time: one that changes is an edited comment, an approval that is taken back is none any more, or one that was dismissed.
 *
 * @see https://docs.gitlab.com/api/merge_request_approvals/#single-merge-request-approval
 * @see https://docs.gitlab.com/api/merge_requests/#get-single-merge-request-reviewers
 */
export function createGitLabReviews(context: GitLabThreadContext): ProvenSource {
  const listAll = async (options: CallOptions) => {
    const verdicts = await readVerdicts(context, options);
    const url = await context.findUrl(options);
    return inOrder(verdicts.map((verdict) => toReview(verdict, url)));
  };
  return {
    listComments: async ({ since, signal }) => {
      const comments = await listAll({ signal });
      return { comments, complete: true, cursor: moveCursor(since, comments), unchanged: false };
    },
    getComment: async (id, options = {}) =>
      (await listAll(options)).find((comment) => comment.id === id) ?? null,
  };
}

/** Approvals count before what the list of reviewers says of the same account: older servers lack its states. */
async function readVerdicts(context: GitLabThreadContext, options: CallOptions): Promise<readonly Verdict[]> {
  const { client, projectId, iid } = context;
  const toCall = (doing: string, below: string) => ({
    doing: `${doing} ${context.name}`,
    repository: context.project,
    route: `GET ${toThreadRoute(context)}/${below}`,
    impatient: true,
    signal: options.signal,
  });
  const approvals = await client.ask(
    {
      ...toCall('list the approvals of', 'approvals'),
      send: (bound) =>
        new bound.gitbeaker.MergeRequestApprovals(bound).showConfiguration(projectId, {
          mergerequestIId: iid,
        }),
    },
    approvalsSchema,
  );
  const reviewers = await client.ask(
    {
      ...toCall('list the reviewers of', 'reviewers'),
      send: (bound) => new bound.gitbeaker.MergeRequests(bound).showReviewers(projectId, iid),
    },
    z.array(reviewerSchema),
  );
  const begun = approvals.created_at ?? new Date(0).toISOString();
  const verdicts = new Map<number, Verdict>();
  for (const { user, state, created_at: at } of reviewers) {
    const verdict = states[state ?? ''];
    if (user && verdict) verdicts.set(user.id, { user, state: verdict, at: at ?? begun });
  }
  for (const { user, approved_at: at } of approvals.approved_by ?? [])
    if (user) verdicts.set(user.id, { user, state: 'approved', at: at ?? begun });
  return [...verdicts.values()];
}

/** States of a reviewer that say something; an approval is listed as such. */
const states: Readonly<Record<string, ReviewSubject['state']>> = {
  requested_changes: 'changes-requested',
  unapproved: 'dismissed',
};

function toReview({ user, state, at }: Verdict, url: string): Comment {
  return {
    id: `review-${user.id}`,
    author: toAccount(user),
    body: formatReviewBody('', state) ?? '',
    createdAt: at,
    updatedAt: null,
    url,
    visibility: 'public',
    subject: { kind: 'review', state, commit: null },
  };
}
