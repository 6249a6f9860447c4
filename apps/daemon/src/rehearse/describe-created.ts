import type { CreatedItems } from './rehearsal-context.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Describes what a rehearsal has created on the platform so far, one line for each item. */
export function describeCreated(
  { issue, request, branch, labels, requestedLabel, isIssueRequested }: CreatedItems,
  { left }: RehearsalTexts,
  { branchPrefix }: { readonly branchPrefix: string },
): readonly string[] {
  const issueLines = issue === null ? [] : [`${left.issue(issue.number)}: ${issue.url}`];
  return [
    ...(issue === null && isIssueRequested ? [left.possibleIssue] : issueLines),
    ...(request === null ? [] : [`${left.request(request.number)}: ${request.url}`]),
    ...(issue === null ? [] : [branch === null ? left.anyBranch(branchPrefix) : left.branch(branch)]),
    ...labels.map((label) => left.label(label)),
    ...(requestedLabel === null ? [] : [left.possibleLabel(requestedLabel)]),
  ];
}
