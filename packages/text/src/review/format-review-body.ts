/** State of a review. */
export type ReviewState = 'approved' | 'changes-requested' | 'commented' | 'dismissed';

const states: Readonly<Record<ReviewState, string>> = {
  approved: '(This review approves the change.)',
  'changes-requested': '(This review requests changes.)',
  commented: '(This review comments on the change.)',
  dismissed: '(This review was dismissed.)',
};

/**
 * The text of a review, which ends with its state: so a review that is dismissed is an edited one for everybody who compares
 * texts. Null where it says nothing: it only holds comments on lines, which have texts of their own.
 */
export function formatReviewBody(body: string, state: ReviewState): string | null {
  const text = body.trimEnd();
  if (text === '') return state === 'commented' ? null : states[state];
  return `${text}\n\n${states[state]}`;
}

/** Text that the reviewer wrote, of a body that `formatReviewBody` made. */
export function readReviewText(body: string, state: ReviewState): string {
  return body.endsWith(states[state]) ? body.slice(0, -states[state].length).trimEnd() : body;
}
