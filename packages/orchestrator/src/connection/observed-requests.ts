import type { CallOptions, ChangeRequest, ChangeRequests, ReviewPorts, TaskKey } from '@agent/platforms';
import type { ObservedRecord } from './observed-record.ts';
import type { ObservedThreadOptions } from './observed-write.ts';

/** Number of a draft that was not opened: no request has it. */
const noNumber = 0;

/** The same change requests, with the drafts that would be there. */
export function observeChangeRequests(
  options: ObservedThreadOptions,
  changeRequests: ChangeRequests,
): ChangeRequests {
  const { record, report } = options;
  const { requestReview } = changeRequests;
  const findDraft = async (headBranch: string) =>
    (await record.read()).drafts.find((draft) => draft.head_branch === headBranch);
  return {
    ...changeRequests,
    findChangeRequest: async (query) => {
      const draft = await findDraft(query.headBranch);
      return draft === undefined ? changeRequests.findChangeRequest(query) : toChangeRequest(draft, options);
    },
    ensureDraft: async (draft) => {
      const { headBranch, baseBranch, title, signal } = draft;
      const own = await findDraft(headBranch);
      const found = own === undefined ? await changeRequests.findChangeRequest({ headBranch, signal }) : null;
      const open = found?.state === 'open' ? found : null;
      const current = own?.body ?? (open && (await readBody(options, open, { signal })));
      const body = draft.joinBody(current, draft.body);
      if (body !== current)
        report({
          ...{ write: 'draft', number: open?.number ?? null, url: open?.url ?? null },
          ...{ headBranch, baseBranch, title, body },
        });
      if (open !== null) return open;
      const kept = { head_branch: headBranch, base_branch: baseBranch, title: own?.title ?? title, body };
      await record.change((now) => ({
        ...now,
        drafts: [...now.drafts.filter(({ head_branch }) => head_branch !== headBranch), kept],
      }));
      return toChangeRequest(kept, options);
    },
    requestReview:
      requestReview &&
      (async ({ number, account }) => report({ write: 'review-request', number, login: account.login })),
  };
}

function toChangeRequest(
  { title, head_branch: headBranch, base_branch: baseBranch }: ObservedRecord['drafts'][number],
  { platform }: Pick<ObservedThreadOptions, 'platform'>,
): ChangeRequest {
  return {
    ...{ number: noNumber, url: `https://${platform.host}/`, state: 'open', draft: true },
    ...{ title, headBranch, headSha: '', baseBranch, fromFork: false },
  };
}

/** A request whose body cannot be read is left to people, as one without markers is. */
async function readBody(
  { platform, ports }: ObservedThreadOptions,
  { number }: Pick<ChangeRequest, 'number'>,
  call: CallOptions,
): Promise<string> {
  const key = toRequestKey(ports.key, number);
  return key === null ? '' : (await platform.openThread(key).reader.readThread(call)).body;
}

function toRequestKey(key: TaskKey, number: number): TaskKey | null {
  if (key.type === 'github_issue' || key.type === 'github_pull_request')
    return { ...key, type: 'github_pull_request', number };
  if (key.type === 'gitlab_issue' || key.type === 'gitlab_merge_request')
    return { type: 'gitlab_merge_request', projectId: key.projectId, mrIid: number };
  return null;
}

/** The same reviews and checks, of which nothing is answered, resolved or repeated. */
export function observeReview(
  { record, report }: Pick<ObservedThreadOptions, 'record' | 'report'>,
  review: ReviewPorts,
): ReviewPorts {
  const resolved = new Set<string>();
  return {
    ...review,
    threads: {
      ...review.threads,
      answer: async ({ reviewThread, topic, body }) => {
        const { answers } = await record.read();
        const own = answers.find((one) => one.review_thread === reviewThread && one.topic === topic);
        if (own?.body === body) return { id: own.id, url: null, change: 'unchanged' };
        const id = own?.id ?? `observed-answer-${answers.length + 1}`;
        await record.change((current) => ({
          ...current,
          answers: [
            ...current.answers.filter((one) => one.id !== id),
            { id, review_thread: reviewThread, topic, body },
          ],
        }));
        report({ write: 'review-answer', reviewThread, body });
        return { id, url: null, change: own === undefined ? 'created' : 'updated' };
      },
      resolve: async (reviewThread) => {
        if (resolved.has(reviewThread)) return;
        resolved.add(reviewThread);
        report({ write: 'review-resolution', reviewThread });
      },
    },
    checks: {
      ...review.checks,
      rerun: async ({ id }) => report({ write: 'check-rerun', check: id }),
    },
  };
}
